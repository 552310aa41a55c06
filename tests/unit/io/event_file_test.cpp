#include "algprior/io/event_file.hpp"

#include "fixture.hpp"

#include <bit>

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
