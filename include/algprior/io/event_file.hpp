#pragma once

#include "algprior/base/file.hpp"
#include "algprior/io/bytes.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace algprior::io {

/// One record of a TensorBoard event file: length, masked CRC-32C of the length, payload, masked
/// CRC-32C of the payload.
Bytes to_record(ByteView payload);

/// The protocol-buffer message `Event{wall_time, step, summary{value{tag, simple_value}}}`.
Bytes to_scalar_event(double wall_time, std::int64_t step, std::string_view tag, float value);

/// A picture as TensorBoard keeps it: `Event{…, summary{value{tag, image{height, width, colorspace,
/// encoded_image_string}}}}` with a PNG file of 8-bit RGB inside.
Bytes to_image_event(double wall_time, std::int64_t step, std::string_view tag, std::int64_t width,
                     std::int64_t height, ByteView png);

/// Numbers counted into buckets: `limits[i]` is the upper end of bucket i, its lower end the limit
/// before it (−∞ for the first). The smallest, the largest, the sum and the sum of squares are of
/// the numbers themselves.
struct Histogram {
  double smallest = 0, largest = 0, count = 0, sum = 0, sum_of_squares = 0;
  std::vector<double> limits, counts;
};

/// Buckets of equal width between the smallest and the largest of the finite values; values that
/// are not finite are left out. Throws InputError when no bucket is asked for or no value is
/// finite.
Histogram make_histogram(const std::vector<double>& values, std::size_t buckets = 30);

/// `Event{…, summary{value{tag, histo{min, max, num, sum, sum_squares, bucket_limit[],
/// bucket[]}}}}`.
Bytes to_histogram_event(double wall_time, std::int64_t step, std::string_view tag,
                         const Histogram& histogram);

/// The first message of every event file, `Event{wall_time, file_version: "brain.Event:2"}`.
Bytes to_version_event(double wall_time);

/// Scalars, pictures and histograms for TensorBoard, appended to
/// `events.out.tfevents.<seconds>.<host>.<process>` in a folder. Every record is written at once,
/// so a killed process leaves at most one torn record, which readers of the format pass over. A
/// resumed run opens a second file: TensorBoard reads all event files of a folder as one run.
class EventFile {
 public:
  /// Throws FileError when the folder does not exist or is not writable.
  explicit EventFile(const std::filesystem::path& folder);

  /// Throws FileError when the disk is full.
  void scalar(std::string_view tag, double value, std::int64_t step);
  /// `png`: the bytes of a PNG file of this size.
  void image(std::string_view tag, std::int64_t width, std::int64_t height, ByteView png,
             std::int64_t step);
  void histogram(std::string_view tag, const Histogram& histogram, std::int64_t step);
  const std::filesystem::path& path() const { return file_.path(); }

 private:
  AppendFile file_;
};

}  // namespace algprior::io
