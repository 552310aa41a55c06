#include "children.hpp"

#include "algprior/base/error.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace algprior {
namespace {

constexpr const char* kParent = "ALGPRIOR_PARENT";

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environment_with(const std::map<std::string, std::string>& more) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    if (!more.contains(std::string(text.substr(0, text.find('='))))) all.emplace_back(text);
  }
  for (const auto& [name, value] : more) all.push_back(name + "=" + value);
  return all;
}

ChildEnd end_of(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
  return WIFSIGNALED(status) ? ChildEnd{0, WTERMSIG(status)} : ChildEnd{WEXITSTATUS(status), 0};
}

}  // namespace

void end_with_parent() {
  const char* parent = std::getenv(kParent);
  if (parent == nullptr) return;
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  // It may have gone before it was asked for.
  const bool there = parent == std::to_string(getppid());
  unsetenv(kParent);
  if (!there) raise(SIGTERM);
}

std::string to_string(const ChildEnd& end) {
  return end.signal != 0
             ? fmt::format("was killed by signal {} ({})", end.signal, strsignal(end.signal))
             : fmt::format("ended with code {}", end.code);
}

Children::~Children() {
  for (const Child& child : running_) close(child.errors);
}

std::size_t Children::start(const ChildStart& start) {
  std::vector<std::string> words{"algprior"};  // what a list of processes shows
  words.insert(words.end(), start.words.begin(), start.words.end());
  auto variables = start.environment;
  variables[kParent] = std::to_string(getpid());
  auto environment = environment_with(variables);
  const auto argv = pointers_to(words), envp = pointers_to(environment);
  Child child{.number = next_};
  int ends[2] = {-1, -1};
  int error = pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno;
  if (error == 0) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (!start.shows_output) {
      posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
    error =
        posix_spawn(&child.process, "/proc/self/exe", &actions, nullptr, argv.data(), envp.data());
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (error != 0) close(ends[0]);
  }
  if (error != 0) {
    throw Error({"cannot start a process", fmt::format("{}", fmt::join(words, " ")),
                 std::strerror(error), "start fewer at the same time"});
  }
  child.errors = ends[0];
  running_.push_back(child);
  return next_++;
}

bool Children::read_some(Child& child, std::vector<Event>& events) {
  std::array<char, 4096> part;
  const ssize_t count = read(child.errors, part.data(), part.size());
  if (count < 0 && errno == EINTR) return true;
  if (count > 0) {
    child.unfinished.append(part.data(), static_cast<std::size_t>(count));
  } else if (!child.unfinished.empty()) {
    child.unfinished += '\n';
  }
  for (std::size_t end; (end = child.unfinished.find('\n')) != std::string::npos;) {
    events.push_back({child.number, child.unfinished.substr(0, end), {}});
    child.unfinished.erase(0, end + 1);
  }
  return count > 0;
}

std::vector<Children::Event> Children::wait(std::chrono::milliseconds longest) {
  std::vector<pollfd> ready;
  for (const Child& child : running_) ready.push_back({child.errors, POLLIN, 0});
  poll(ready.data(), ready.size(), static_cast<int>(longest.count()));
  std::vector<Event> events;
  for (std::size_t i = running_.size(); i-- > 0;) {  // from behind: one may leave
    if (ready[i].revents == 0 || read_some(running_[i], events)) continue;
    close(running_[i].errors);
    events.push_back({running_[i].number, "", end_of(running_[i].process)});
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return events;
}

void Children::send(std::size_t number, int signal) const {
  for (const Child& child : running_) {
    if (child.number == number) kill(child.process, signal);
  }
}

void Children::send_all(int signal) const {
  for (const Child& child : running_) kill(child.process, signal);
}

}  // namespace algprior
