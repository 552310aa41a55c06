#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace algprior {

/// This program, started once more.
struct ChildStart {
  std::vector<std::string> words;                       ///< of its command line
  std::map<std::string, std::string> environment = {};  ///< on top of this process's
  bool shows_output = false;  ///< its stdout is this process's; else it is dropped
};

/// How a child ended.
struct ChildEnd {
  int code = 0;    ///< exit code
  int signal = 0;  ///< that killed it, else 0
  bool good() const { return code == 0 && signal == 0; }
};

/// "ended with code 2", "was killed by signal 9 (Killed)"
std::string to_string(const ChildEnd& end);

/// In a process that Children started: asks it to stop, as SIGTERM does, when the one that started
/// it is gone, however that ended. Elsewhere nothing happens.
void end_with_parent();

/// Processes of this program beside this one; what they say on stderr is read from pipes. When
/// this process is gone, killed perhaps, they stop as after SIGTERM, with a checkpoint.
class Children {
 public:
  Children() = default;
  ~Children();
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;

  /// Starts one and returns its number: 0, 1, 2, … Throws Error.
  std::size_t start(const ChildStart& start);

  /// A whole line of a child's stderr, or its end.
  struct Event {
    std::size_t child = 0;
    std::string line = {};
    std::optional<ChildEnd> end = {};
  };
  /// What happened, after at most that time; at once when something has.
  std::vector<Event> wait(std::chrono::milliseconds longest);

  void send(std::size_t child, int signal) const;
  void send_all(int signal) const;
  std::size_t running() const noexcept { return running_.size(); }

 private:
  struct Child {
    std::size_t number = 0;
    pid_t process = 0;
    int errors = -1;
    std::string unfinished = {};  // of its last line
  };
  bool read_some(Child& child, std::vector<Event>& events);

  std::vector<Child> running_;
  std::size_t next_ = 0;
};

}  // namespace algprior
