#include "processes.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/interrupt.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <map>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace algprior {
namespace {

pid_t start(const std::vector<std::string>& words) {
  std::string program = "/proc/self/exe";
  std::vector<char*> argv{program.data()};
  std::vector<std::string> copies = words;
  for (std::string& word : copies) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int error = posix_spawn(&child, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    throw Error({"cannot start a run", fmt::format("algprior {}", fmt::join(words, " ")),
                 std::strerror(error), "use --jobs 1"});
  }
  return child;
}

}  // namespace

void run_processes(const std::vector<std::vector<std::string>>& commands, int jobs,
                   Terminal& terminal) {
  std::map<pid_t, std::size_t> running;
  std::string failed;
  std::size_t next = 0, finished = 0;
  bool told = false;
  while (finished < commands.size()) {
    while (next < commands.size() && static_cast<int>(running.size()) < jobs && !stop_requested()) {
      running[start(commands[next])] = next;
      ++next;
    }
    if (running.empty()) break;
    // Ctrl-C in a terminal reaches the runs by itself; a signal to this process alone does not.
    if (stop_requested() && !told) {
      for (const auto& [child, index] : running) kill(child, SIGTERM);
      told = true;
    }
    int status = 0;
    const pid_t child = waitpid(-1, &status, WNOHANG);
    if (child == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      continue;
    }
    const auto entry = running.find(child);
    if (entry == running.end()) continue;
    const std::string line = fmt::format("algprior {}", fmt::join(commands[entry->second], " "));
    running.erase(entry);
    ++finished;
    const bool good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!good) failed += (failed.empty() ? "" : "; ") + line;
    terminal.note(
        fmt::format("{} of {} {}: {}", finished, commands.size(), good ? "done" : "failed", line));
  }
  throw_if_stopped();
  if (!failed.empty()) {
    throw Error(
        {"some runs failed", failed, "", "run these alone to see why; the others are kept"});
  }
}

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
