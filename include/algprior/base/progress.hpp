#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace algprior {

/// How long work reports: done of total units; total 0 when unknown. Called from the working
/// thread, as often as is convenient: the listener decides what to show. It may throw Interrupted.
using ProgressSink = std::function<void(std::uint64_t done, std::uint64_t total)>;

/// A safe point of long work: tells the listener, if there is one, and throws Interrupted when a
/// stop was asked for.
void report_progress(const ProgressSink& sink, std::uint64_t done, std::uint64_t total);

/// What there is to know of a piece of work at one moment.
struct ProgressState {
  std::string label;  ///< "mnist", "epoch 3"
  std::string unit;   ///< "B" for bytes (shown as KB, MB, …), "samples", "steps"
  std::uint64_t done = 0;
  std::uint64_t total = 0;    ///< 0: unknown
  double seconds = 0.0;       ///< since the start
  std::uint64_t skipped = 0;  ///< of done, what was there at the start (a resumed download)
  std::string remark = {};    ///< said at the end of the line: "accuracy 0.756"
};

/// The units a second since the start; 0 before anything is known.
double progress_rate(const ProgressState& state);

/// The seconds that remain at that rate; negative when unknown.
double progress_remaining(const ProgressState& state);

/// "mnist  62%  6.2 MB of 9.9 MB  1.1 MB/s  3.4 s left", at most `columns` wide with a bar between
/// the label and the numbers when there is room for one, without the rate when there is no room for
/// the rest; columns 0: no bar and no bound.
std::string progress_line(const ProgressState& state, std::size_t columns);

}  // namespace algprior
