#pragma once

#include "algprior/base/progress.hpp"
#include "terminal.hpp"

#include <chrono>
#include <string>

namespace algprior {

/// Shows long work on stderr: on a terminal a bar with rate and remaining time that redraws itself,
/// elsewhere a plain line now and then. With --json nothing but on a terminal.
///
///     ProgressBar bar(terminal, "mnist", "B");
///     download(…, bar.sink());
///
/// Each update is also a point where Ctrl-C takes effect: it throws Interrupted. Work that stops by
/// itself, after saving its state, calls show instead.
class ProgressBar {
 public:
  /// The unit "B" is shown as KB, MB, …; others as they are.
  ProgressBar(Terminal& terminal, std::string label, std::string unit);
  /// Takes the bar off the screen; leaves one line that says how long it took, if it was shown.
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void update(std::uint64_t done, std::uint64_t total);
  void show(std::uint64_t done, std::uint64_t total);
  /// Stands at the end of the line from the next update on.
  void set_remark(std::string remark);
  /// Begins the next piece of work under another label, with rate and time from zero.
  void restart(std::string label);
  ProgressSink sink();

 private:
  using Clock = std::chrono::steady_clock;
  void close();

  Terminal& terminal_;
  ProgressState state_;
  Clock::time_point start_;
  Clock::time_point next_;
  bool started_ = false;
  bool shown_ = false;
};

}  // namespace algprior
