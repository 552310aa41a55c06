#pragma once

#include "algprior/base/file.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

namespace algprior {

/// What a run reports at one point: unweighted terms and metrics by name.
struct MetricRecord {
  std::int64_t step = 0;   ///< training steps done
  std::int64_t epoch = 0;  ///< epochs begun, from 1
  std::string split;       ///< "train", "validation", …
  std::map<std::string, double> terms;
  std::map<std::string, double> metrics;
};

/// Where records go: a callback. Sinks below make callbacks that write files.
using MetricSink = std::function<void(const MetricRecord&)>;

/// One JSON object a line: {"step","epoch","split","terms":{},"metrics":{}}. Numbers read back to
/// the same bits; what is not finite is null.
std::string to_json_line(const MetricRecord& record);

/// metrics.jsonl: each record is appended at once. A resumed run cuts the file back to the length
/// that its checkpoint knows, so that no epoch stands there twice.
class JsonLinesFile {
 public:
  /// Opens or creates the file for appending. Throws FileError.
  explicit JsonLinesFile(std::filesystem::path path);

  void append(const MetricRecord& record);
  /// Length in bytes, for the checkpoint. They are on the disk: the checkpoint must not outlast
  /// them.
  std::uint64_t synced_length();
  /// Cuts the file to `length`. Throws FileError when the file is shorter than that.
  void cut(std::uint64_t length);

 private:
  AppendFile file_;
};

/// TensorBoard scalars "<split>/<name>" over steps, in an event file in the folder. Throws
/// FileError.
MetricSink make_tensorboard_sink(const std::filesystem::path& folder);

}  // namespace algprior
