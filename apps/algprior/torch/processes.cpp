#include "processes.hpp"

#include "algprior/base/interrupt.hpp"

#include <array>
#include <cerrno>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace algprior {

std::optional<std::string> read_process(const std::vector<std::string>& words,
                                        const std::string& input) {
  // The whole input is written before anyone reads: it must fit a pipe.
  int in[2] = {-1, -1}, out[2] = {-1, -1};
  if (pipe2(in, O_CLOEXEC) != 0) return std::nullopt;
  if (pipe2(out, O_CLOEXEC) != 0) {
    close(in[0]);
    close(in[1]);
    return std::nullopt;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  std::vector<std::string> copies = words;
  std::vector<char*> argv;
  for (std::string& word : copies) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  const bool started = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  close(in[0]);
  close(out[1]);
  const bool written =
      started && write(in[1], input.data(), input.size()) == static_cast<ssize_t>(input.size());
  close(in[1]);
  std::string text;
  std::array<char, 4096> part;
  while (started) {
    const ssize_t count = read(out[0], part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    text.append(part.data(), static_cast<std::size_t>(count));
  }
  close(out[0]);
  if (!started) return std::nullopt;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  throw_if_stopped();
  if (!written || !WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
  return text;
}

std::optional<std::string> find_python_with_torch() {
  for (const char* python : {"/usr/bin/python3", "python3"})
    if (read_process({python, "-c", "import torch"}, "")) return python;
  return std::nullopt;
}

}  // namespace algprior
