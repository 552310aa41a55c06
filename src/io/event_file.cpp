#include "algprior/io/event_file.hpp"

#include "algprior/base/error.hpp"
#include "algprior/io/checksum.hpp"
#include "cursor.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <iterator>

#include <unistd.h>

namespace algprior::io {
namespace {

// Protocol-buffer wire types.
enum class Wire : std::uint64_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

void append_varint(Bytes& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<std::byte>((value & 0x7F) | 0x80));
  out.push_back(static_cast<std::byte>(value));
}

void append_tag(Bytes& out, std::uint64_t field, Wire wire) {
  append_varint(out, (field << 3) | static_cast<std::uint64_t>(wire));
}

void append_field(Bytes& out, std::uint64_t field, ByteView bytes) {
  append_tag(out, field, Wire::bytes);
  append_varint(out, bytes.size());
  append(out, bytes);
}

void append_wall_time(Bytes& out, double wall_time) {
  append_tag(out, 1, Wire::fixed64);
  append_little(out, std::bit_cast<std::uint64_t>(wall_time));
}

void append_number(Bytes& out, std::uint64_t field, std::uint64_t value) {
  append_tag(out, field, Wire::varint);
  append_varint(out, value);
}

// An event with one value of a summary.
Bytes to_summary_event(double wall_time, std::int64_t step, const Bytes& item) {
  Bytes summary;
  append_field(summary, 1, item);
  Bytes event;
  append_wall_time(event, wall_time);
  append_number(event, 2, static_cast<std::uint64_t>(step));
  append_field(event, 5, summary);
  return event;
}

// The format rotates and shifts its checksums, because a checksum stored beside checksummed data is
// itself often checksummed.
std::uint32_t masked_crc(ByteView bytes) {
  return std::rotr(crc32c(bytes), 15) + 0xa282ead8u;
}

double now() {
  using namespace std::chrono;
  return duration<double>(system_clock::now().time_since_epoch()).count();
}

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0') return "localhost";
  for (char& c : name) {
    if (c == '/') c = '_';
  }
  return name.data();
}

// Two files of one process within a second must not share a name.
std::filesystem::path new_name(const std::filesystem::path& folder) {
  const std::string stem = "events.out.tfevents." +
                           std::to_string(static_cast<std::int64_t>(now())) + "." + host_name() +
                           "." + std::to_string(::getpid());
  std::filesystem::path path = folder / stem;
  for (int count = 1; std::filesystem::exists(path); ++count) {
    path = folder / (stem + "." + std::to_string(count));
  }
  return path;
}

}  // namespace

Bytes to_record(ByteView payload) {
  Bytes out;
  append_little(out, std::uint64_t{payload.size()});
  append_little(out, masked_crc(out));
  append(out, payload);
  append_little(out, masked_crc(payload));
  return out;
}

Bytes to_scalar_event(double wall_time, std::int64_t step, std::string_view tag, float value) {
  Bytes item;
  append_field(item, 1, as_bytes(tag));
  append_tag(item, 2, Wire::fixed32);
  append_little(item, std::bit_cast<std::uint32_t>(value));
  return to_summary_event(wall_time, step, item);
}

Bytes to_image_event(double wall_time, std::int64_t step, std::string_view tag, std::int64_t width,
                     std::int64_t height, ByteView png) {
  constexpr std::uint64_t kRgb = 3;
  Bytes image;
  append_number(image, 1, static_cast<std::uint64_t>(height));
  append_number(image, 2, static_cast<std::uint64_t>(width));
  append_number(image, 3, kRgb);
  append_field(image, 4, png);
  Bytes item;
  append_field(item, 1, as_bytes(tag));
  append_field(item, 4, image);
  return to_summary_event(wall_time, step, item);
}

Histogram make_histogram(const std::vector<double>& values, std::size_t buckets) {
  std::vector<double> finite;
  std::copy_if(values.begin(), values.end(), std::back_inserter(finite),
               [](double value) { return std::isfinite(value); });
  if (finite.empty() || buckets == 0) {
    throw InputError(
        {"cannot count numbers into buckets",
         std::to_string(finite.size()) + " finite values, " + std::to_string(buckets) + " buckets",
         "at least one of each", ""});
  }
  const auto [low, high] = std::minmax_element(finite.begin(), finite.end());
  Histogram histogram{*low, *high, static_cast<double>(finite.size()), 0, 0, {}, {}};
  const double width = (*high - *low) / static_cast<double>(buckets);
  for (std::size_t i = 1; i < buckets; ++i) {
    histogram.limits.push_back(*low + width * static_cast<double>(i));
  }
  histogram.limits.push_back(*high);  // exactly: the largest value lies in the last bucket
  histogram.counts.assign(buckets, 0);
  for (const double value : finite) {
    histogram.sum += value;
    histogram.sum_of_squares += value * value;
    const auto bucket =
        std::lower_bound(histogram.limits.begin(), histogram.limits.end() - 1, value);
    ++histogram.counts[static_cast<std::size_t>(bucket - histogram.limits.begin())];
  }
  return histogram;
}

Bytes to_histogram_event(double wall_time, std::int64_t step, std::string_view tag,
                         const Histogram& histogram) {
  Bytes packed;
  std::uint64_t field = 1;
  for (const double value : {histogram.smallest, histogram.largest, histogram.count, histogram.sum,
                             histogram.sum_of_squares}) {
    append_tag(packed, field++, Wire::fixed64);
    append_little(packed, std::bit_cast<std::uint64_t>(value));
  }
  for (const auto* list : {&histogram.limits, &histogram.counts}) {
    Bytes numbers;
    for (const double value : *list) append_little(numbers, std::bit_cast<std::uint64_t>(value));
    append_field(packed, field++, numbers);
  }
  Bytes item;
  append_field(item, 1, as_bytes(tag));
  append_field(item, 5, packed);
  return to_summary_event(wall_time, step, item);
}

Bytes to_version_event(double wall_time) {
  Bytes event;
  append_wall_time(event, wall_time);
  append_field(event, 3, as_bytes("brain.Event:2"));
  return event;
}

EventFile::EventFile(const std::filesystem::path& folder)
    : file_(new_name(folder), AppendFile::Existing::kRefuse) {
  file_.append(as_text(to_record(to_version_event(now()))));
}

void EventFile::scalar(std::string_view tag, double value, std::int64_t step) {
  file_.append(as_text(to_record(to_scalar_event(now(), step, tag, static_cast<float>(value)))));
}

void EventFile::image(std::string_view tag, std::int64_t width, std::int64_t height, ByteView png,
                      std::int64_t step) {
  file_.append(as_text(to_record(to_image_event(now(), step, tag, width, height, png))));
}

void EventFile::histogram(std::string_view tag, const Histogram& histogram, std::int64_t step) {
  file_.append(as_text(to_record(to_histogram_event(now(), step, tag, histogram))));
}

}  // namespace algprior::io
