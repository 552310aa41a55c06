#include "progress_bar.hpp"

#include "algprior/base/interrupt.hpp"

#include <utility>

namespace algprior {
namespace {

using std::chrono::milliseconds;

// Work that ends sooner shows no bar.
constexpr milliseconds kPatience{300};
constexpr milliseconds kRedraw{100};
constexpr milliseconds kFirstLine{5000};
constexpr milliseconds kNextLine{30000};

}  // namespace

ProgressBar::ProgressBar(Terminal& terminal, std::string label, std::string unit)
    : terminal_(terminal) {
  state_.unit = std::move(unit);
  restart(std::move(label));
}

ProgressBar::~ProgressBar() {
  close();
}

void ProgressBar::close() {
  if (!std::exchange(shown_, false)) return;
  terminal_.set_status_line("");
  const bool complete = state_.total > 0 && state_.done >= state_.total;
  if (complete && !terminal_.json()) terminal_.note(progress_line(state_, 0));
}

void ProgressBar::restart(std::string label) {
  close();
  state_ = {.label = std::move(label), .unit = state_.unit};
  started_ = false;
  start_ = Clock::now();
  next_ = start_ + (terminal_.interactive() ? kPatience : kFirstLine);
}

void ProgressBar::set_remark(std::string remark) {
  state_.remark = std::move(remark);
}

void ProgressBar::update(std::uint64_t done, std::uint64_t total) {
  throw_if_stopped();
  show(done, total);
}

void ProgressBar::show(std::uint64_t done, std::uint64_t total) {
  const Clock::time_point now = Clock::now();
  if (!std::exchange(started_, true)) state_.skipped = done;
  state_.done = done;
  state_.total = total;
  state_.seconds = std::chrono::duration<double>(now - start_).count();
  if (now < next_) return;
  next_ = now + (terminal_.interactive() ? kRedraw : kNextLine);
  if (terminal_.interactive()) {
    terminal_.set_status_line(
        progress_line(state_, static_cast<std::size_t>(terminal_.width() - 1)));
  } else if (!terminal_.json()) {
    if (done < total || total == 0)
      terminal_.note(progress_line(state_, 0));  // close() has the last
  } else {
    return;
  }
  shown_ = true;
}

ProgressSink ProgressBar::sink() {
  return [this](std::uint64_t done, std::uint64_t total) { update(done, total); };
}

}  // namespace algprior
