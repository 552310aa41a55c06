#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace algprior::report {

/// One number of a run over training: "train/loss", "validation/accuracy".
struct Curve {
  std::string name;
  bool term = false;  ///< a term of the loss, not a metric
  std::vector<std::int64_t> steps, epochs;
  std::vector<double> values;  ///< NaN where the run wrote null
};

/// One line of metrics.jsonl.
struct MetricLine {
  std::int64_t step = 0, epoch = 0;
  std::string split;
  std::vector<std::pair<std::string, double>> terms, metrics;
};

/// Reads {"step":…,"epoch":…,"split":…,"terms":{…},"metrics":{…}} with its keys in any order and
/// any other keys passed over; null and texts as values are NaN. False for anything that is no such
/// object; `line` then holds nothing of use. A reader of its own, because a page over a thousand
/// runs parses half a million of these lines.
bool parse_metric_line(std::string_view text, MetricLine& line);

/// metrics.jsonl as it grows: fed with bytes in any pieces, it keeps a torn last line until the
/// rest comes. A line with a step that was there before replaces what followed it (a run that was
/// resumed without its last checkpoint).
class MetricLog {
 public:
  void append(std::string_view bytes);
  /// By name.
  const std::map<std::string, Curve, std::less<>>& curves() const { return curves_; }
  std::size_t bad_lines() const { return bad_lines_; }
  /// Bytes of a last line without its end.
  std::size_t pending() const { return pending_.size(); }
  /// All bytes that it was fed: where the next ones begin in the file.
  std::uint64_t bytes() const { return bytes_; }
  std::int64_t last_step() const { return last_step_; }
  std::int64_t last_epoch() const { return last_epoch_; }

 private:
  void take(std::string_view text);
  void add(const std::string& name, bool term, double value);

  std::map<std::string, Curve, std::less<>> curves_;
  std::string pending_, key_;
  MetricLine line_;
  std::size_t bad_lines_ = 0;
  std::uint64_t bytes_ = 0;
  std::int64_t last_step_ = 0, last_epoch_ = 0;
};

}  // namespace algprior::report
