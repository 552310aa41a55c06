#pragma once

#include "algprior/base/file.hpp"
#include "algprior/io/bytes.hpp"

#include <cstdint>
#include <filesystem>
#include <string>

namespace algprior::io {

/// One record of a TensorBoard event file: length, masked CRC-32C of the length, payload, masked
/// CRC-32C of the payload.
Bytes to_record(ByteView payload);

/// The protocol-buffer message `Event{wall_time, step, summary{value{tag, simple_value}}}`.
Bytes to_scalar_event(double wall_time, std::int64_t step, std::string_view tag, float value);

/// The first message of every event file, `Event{wall_time, file_version: "brain.Event:2"}`.
Bytes to_version_event(double wall_time);

/// Scalars for TensorBoard, appended to `events.out.tfevents.<seconds>.<host>.<process>` in a
/// folder. Every record is written at once, so a killed process leaves at most one torn record,
/// which readers of the format pass over. A resumed run opens a second file: TensorBoard reads all
/// event files of a folder as one run.
class EventFile {
 public:
  /// Throws FileError when the folder does not exist or is not writable.
  explicit EventFile(const std::filesystem::path& folder);

  /// Throws FileError when the disk is full.
  void scalar(std::string_view tag, double value, std::int64_t step);
  const std::filesystem::path& path() const { return file_.path(); }

 private:
  AppendFile file_;
};

}  // namespace algprior::io
