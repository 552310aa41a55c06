#pragma once

#include "algprior/sweep/manifest.hpp"

#include <filesystem>
#include <memory>
#include <string>

namespace algprior::sweep {

enum class TaskState {
  waiting,   ///< nobody began it
  running,   ///< and its process lives
  finished,  ///< it has a result
  failed,    ///< it said so
  stopped,   ///< asked to; it can go on
  lost,      ///< its process ended without a word (killed, host gone); it can go on
};
const char* to_string(TaskState state);

/// What the folder of a run tells of it, without asking a scheduler.
struct TaskStatus {
  TaskState state = TaskState::waiting;
  std::string host, job;  ///< who works or worked on it
  long process = 0;
  std::string message;  ///< of a failure
};
TaskStatus status_of(const Task& task);

/// Says in a run's folder ("heartbeat") who works on it, every few seconds as long as it lives: for
/// status_of, also on another host with the same files. Writing is a courtesy: a full disk there
/// stops nothing.
class Heartbeat {
 public:
  explicit Heartbeat(const Task& task);
  /// Without a word before: the run is taken for lost.
  ~Heartbeat();
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

  void end(TaskState state, const std::string& message = "");

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace algprior::sweep
