#include "algprior/base/progress.hpp"

#include "algprior/base/interrupt.hpp"
#include "algprior/base/text.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace algprior {
namespace {

constexpr std::size_t kNarrowestBar = 8;
constexpr std::size_t kWidestBar = 30;

std::string amount(double value, const std::string& unit) {
  if (unit == "B") return format_bytes(static_cast<std::uint64_t>(value));
  return fmt::format("{:.{}f} {}", value, value < 9.95 && value != static_cast<int>(value) ? 1 : 0,
                     unit);
}

std::string numbers(const ProgressState& state, bool with_rate) {
  const double rate = progress_rate(state);
  std::string text;
  if (state.total > 0) {
    const auto percent = static_cast<int>(100.0 * static_cast<double>(state.done) /
                                          static_cast<double>(state.total));
    text = fmt::format("{:3}%  {} of ", percent,
                       state.unit == "B" ? format_bytes(state.done) : fmt::to_string(state.done)) +
           amount(static_cast<double>(state.total), state.unit);
  } else {
    text = amount(static_cast<double>(state.done), state.unit);
  }
  if (with_rate && rate > 0.0) text += fmt::format("  {}/s", amount(rate, state.unit));
  const double remaining = progress_remaining(state);
  if (state.total > 0 && state.done >= state.total) {
    text += fmt::format("  in {}", format_duration(state.seconds));
  } else if (remaining >= 0.0) {
    text += fmt::format("  {} left", format_duration(remaining));
  }
  return state.remark.empty() ? text : text + "  " + state.remark;
}

std::string bar(const ProgressState& state, std::size_t width) {
  const double part =
      static_cast<double>(std::min(state.done, state.total)) / static_cast<double>(state.total);
  const auto full = static_cast<std::size_t>(part * static_cast<double>(width));
  return "[" + std::string(full, '=') + std::string(width - full, ' ') + "]";
}

}  // namespace

double progress_rate(const ProgressState& state) {
  if (state.seconds <= 0.0 || state.done <= state.skipped) return 0.0;
  return static_cast<double>(state.done - state.skipped) / state.seconds;
}

double progress_remaining(const ProgressState& state) {
  const double rate = progress_rate(state);
  if (state.total == 0 || rate <= 0.0) return -1.0;
  return static_cast<double>(state.total - std::min(state.done, state.total)) / rate;
}

std::string progress_line(const ProgressState& state, std::size_t columns) {
  std::string right = numbers(state, true);
  if (columns == 0) return state.label + "  " + right;
  if (display_width(state.label) + display_width(right) + 2 > columns)
    right = numbers(state, false);
  const std::size_t used = display_width(state.label) + display_width(right) + 4;
  const std::size_t room = columns > used + 2 ? columns - used - 2 : 0;
  const bool shows_bar = state.total > 0 && room >= kNarrowestBar;
  const std::string middle = shows_bar ? bar(state, std::min(room, kWidestBar)) + "  " : "";
  return fit_width(state.label + "  " + middle + right, columns);
}

void report_progress(const ProgressSink& sink, std::uint64_t done, std::uint64_t total) {
  throw_if_stopped();
  if (sink) sink(done, total);
}

}  // namespace algprior
