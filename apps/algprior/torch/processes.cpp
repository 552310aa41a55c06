#include "processes.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/interrupt.hpp"

#include <cerrno>
#include <cstring>
#include <map>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

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
  while (finished < commands.size()) {
    while (next < commands.size() && static_cast<int>(running.size()) < jobs && !stop_requested()) {
      running[start(commands[next])] = next;
      ++next;
    }
    if (running.empty()) break;
    int status = 0;
    const pid_t child = waitpid(-1, &status, 0);
    if (child < 0 && errno == EINTR) continue;
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

}  // namespace algprior
