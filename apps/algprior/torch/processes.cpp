#include "processes.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/interrupt.hpp"

#include <array>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace algprior {
namespace {

// A run of its own process; what it says on stderr is read from a pipe.
struct Child {
  pid_t process = 0;
  int errors = -1;
  std::string line;             // "algprior paper run …"
  std::string unfinished = {};  // of its last line
};

Child start(const std::vector<std::string>& words) {
  std::string name = "algprior";  // what a list of processes shows
  std::vector<char*> argv{name.data()};
  std::vector<std::string> copies = words;
  for (std::string& word : copies) argv.push_back(word.data());
  argv.push_back(nullptr);
  Child child{.line = fmt::format("algprior {}", fmt::join(words, " "))};
  int ends[2] = {-1, -1};
  int error = pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno;
  if (error == 0) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
    error = posix_spawn(&child.process, "/proc/self/exe", &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (error != 0) close(ends[0]);
  }
  if (error != 0) {
    throw Error({"cannot start a run", child.line, std::strerror(error), "use --jobs 1"});
  }
  child.errors = ends[0];
  return child;
}

// Passes on the whole lines that a child has said; false when it has ended.
bool pass_on(Child& child, Terminal& terminal) {
  std::array<char, 4096> part;
  const ssize_t count = read(child.errors, part.data(), part.size());
  if (count < 0 && errno == EINTR) return true;
  if (count > 0)
    child.unfinished.append(part.data(), static_cast<std::size_t>(count));
  else if (!child.unfinished.empty())
    child.unfinished += '\n';
  for (std::size_t end; (end = child.unfinished.find('\n')) != std::string::npos;) {
    terminal.note(child.unfinished.substr(0, end));
    child.unfinished.erase(0, end + 1);
  }
  return count > 0;
}

bool ended_well(const Child& child) {
  close(child.errors);
  int status = 0;
  while (waitpid(child.process, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Waits until a child has said something or ended, or a moment has passed.
void wait_for_any(std::vector<Child>& children, std::vector<pollfd>& ready) {
  constexpr int kMoment = 100;  // ms: a stop request is heard within it
  ready.clear();
  for (const Child& child : children) ready.push_back({child.errors, POLLIN, 0});
  poll(ready.data(), ready.size(), kMoment);
}

}  // namespace

void run_processes(const std::vector<std::vector<std::string>>& commands, int jobs,
                   Terminal& terminal) {
  std::vector<Child> running;
  std::vector<pollfd> ready;
  std::string failed;
  std::size_t next = 0, finished = 0;
  bool told = false;
  while (finished < commands.size()) {
    while (next < commands.size() && static_cast<int>(running.size()) < jobs && !stop_requested()) {
      running.push_back(start(commands[next]));
      ++next;
    }
    if (running.empty()) break;
    // Ctrl-C in a terminal reaches the runs by itself; a signal to this process alone does not.
    if (stop_requested() && !told) {
      for (const Child& child : running) kill(child.process, SIGTERM);
      told = true;
    }
    terminal.set_status_line(
        fmt::format("{} of {} runs done, {} running", finished, commands.size(), running.size()));
    wait_for_any(running, ready);
    for (std::size_t i = running.size(); i-- > 0;) {  // from behind: one may leave
      if (ready[i].revents == 0 || pass_on(running[i], terminal)) continue;
      const bool good = ended_well(running[i]);
      ++finished;
      if (!good) failed += (failed.empty() ? "" : "; ") + running[i].line;
      const char* outcome = good ? "done" : stop_requested() ? "stopped" : "failed";
      terminal.note(
          fmt::format("{} of {} {}: {}", finished, commands.size(), outcome, running[i].line));
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  terminal.set_status_line("");
  throw_if_stopped();
  if (!failed.empty()) {
    throw Error({"some runs failed", failed, "", "see what they said above; the others are kept"});
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
