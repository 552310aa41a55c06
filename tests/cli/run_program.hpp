#pragma once

#include "algprior/version.hpp"

#include <map>
#include <string>
#include <vector>

#include <sys/types.h>

namespace algprior {

/// How a program is started: its arguments, variables set (empty: taken away) on top of this
/// process's.
struct Start {
  std::vector<std::string> arguments;
  std::map<std::string, std::string> environment = {};
  bool terminal = false;         ///< stdout and stderr are one pseudo-terminal
  std::string output_file = {};  ///< stdout goes there instead: "/dev/full"
};

struct Outcome {
  int code = -1;  ///< exit code; 128 + n when signal n killed it
  std::string out;
  std::string err;  ///< on a terminal all is in `out`
};

/// A program that runs beside the test. Killed at the end, should it still be there.
class RunningProgram {
 public:
  RunningProgram(const std::string& program, const Start& start);
  ~RunningProgram();
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  /// Waits until stdout (or the terminal) has shown this text; false when the program ended before.
  bool wait_for(const std::string& text);
  void send(int signal) const;
  pid_t process() const noexcept { return process_; }
  /// What a list of processes shows.
  std::string name() const;
  /// Reads nothing more of its stdout, as `head` does.
  void close_output();
  Outcome wait();

 private:
  bool read_some();

  pid_t process_ = -1;
  int out_ = -1;
  int err_ = -1;
  Outcome outcome_;
};

/// The algprior that was built, and the test program of the same frame (frame_program.cpp).
inline const std::string kAlgprior = ALGPRIOR_PROGRAM;
inline const std::string kFrameProgram = ALGPRIOR_FRAME_PROGRAM;

/// Whether it was built with LibTorch.
constexpr bool kHasTorch = kTorchVersion[0] != '\0';

Outcome run_program(const std::string& program, const Start& start);
/// algprior with these arguments.
Outcome run_algprior(std::vector<std::string> arguments);

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace algprior
