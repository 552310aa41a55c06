#include "algprior/io/event_file.hpp"

#include "fixture.hpp"

#include <bit>
#include <cmath>

namespace algprior::io {
namespace {

std::string hex(ByteView bytes) {
  std::string out;
  for (const std::byte byte : bytes) {
    constexpr char kDigits[] = "0123456789abcdef";
    out += kDigits[std::to_integer<int>(byte) >> 4];
    out += kDigits[std::to_integer<int>(byte) & 15];
  }
  return out;
}

// Encoded by hand from the message definitions: wall_time = 1 (field 1, double), step = 300 (field
// 2, varint), summary (field 5) with value (field 1) of tag (1) "a" and simple_value (2) 2.0f.
TEST(EventFile, ScalarEventIsTheProtocolBuffer) {
  EXPECT_EQ(hex(to_scalar_event(1.0, 300, "a", 2.0f)),
            "09000000000000f03f"
            "10ac02"
            "2a0a"
            "0a08"
            "0a0161"
            "1500000040");
  EXPECT_EQ(hex(to_version_event(1.0)),
            "09000000000000f03f"
            "1a0d"
            "627261696e2e4576656e743a32");
}

// image (field 4) with height 2, width 1, colorspace 3 and the file "P".
TEST(EventFile, ImageEventIsTheProtocolBuffer) {
  EXPECT_EQ(hex(to_image_event(1.0, 1, "a", 1, 2, as_bytes("P"))),
            "09000000000000f03f"
            "1001"
            "2a10"
            "0a0e"
            "0a0161"
            "2209"
            "0802"
            "1001"
            "1803"
            "220150");
}

TEST(EventFile, HistogramsCountEveryFiniteValueOnce) {
  std::vector<double> values = {NAN, INFINITY};
  for (int i = 0; i < 1000; ++i) values.push_back(0.001 * i * i - 300);
  const Histogram histogram = make_histogram(values, 7);
  ASSERT_EQ(histogram.limits.size(), 7u);
  ASSERT_EQ(histogram.counts.size(), 7u);
  EXPECT_EQ(histogram.count, 1000);
  EXPECT_EQ(histogram.smallest, -300);
  EXPECT_EQ(histogram.limits.back(), histogram.largest);
  double total = 0, below = -INFINITY;
  for (std::size_t i = 0; i < 7; ++i) {
    double inside = 0;
    for (std::size_t k = 2; k < values.size(); ++k) {
      inside += values[k] > below && values[k] <= histogram.limits[i];
    }
    EXPECT_EQ(histogram.counts[i], inside) << i;
    total += histogram.counts[i];
    below = histogram.limits[i];
  }
  EXPECT_EQ(total, 1000);
  const Histogram one = make_histogram({5, 5}, 3);
  EXPECT_EQ(one.counts[0] + one.counts[1] + one.counts[2], 2);
  EXPECT_THROW(make_histogram({NAN}), InputError);
  EXPECT_THROW(make_histogram({1}, 0), InputError);
}

TEST(EventFile, RecordsAppendWithoutRewriting) {
  const TemporaryFolder folder;
  EventFile file(folder.path());
  const Bytes start = read_bytes(file.path());
  EXPECT_EQ(start.size(), 8 + 4 + 24 + 4u);
  file.scalar("loss", 0.5, 1);
  const Bytes longer = read_bytes(file.path());
  EXPECT_TRUE(std::equal(start.begin(), start.end(), longer.begin()));
  EXPECT_EQ(file.path().filename().string().rfind("events.out.tfevents.", 0), 0u);
  EventFile second(folder.path());
  EXPECT_NE(second.path(), file.path());
}

TEST(EventFile, NamesAFolderThatIsNotThere) {
  const TemporaryFolder folder;
  const auto absent = folder.path() / "absent";
  expect_contains(message_of<FileError>([&] { EventFile file(absent); }), "absent");
}

}  // namespace
}  // namespace algprior::io
