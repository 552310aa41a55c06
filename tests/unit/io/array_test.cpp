#include "algprior/io/array.hpp"

#include "fixture.hpp"

#include <cmath>
#include <limits>

namespace algprior::io {
namespace {

TEST(Array, ViewsAreTheElementsAndCheckTheType) {
  Array array = make_array<float>({2, 2}, std::vector<float>{1, 2, 3, 4});
  EXPECT_EQ(array.size(), 4);
  EXPECT_EQ(view<float>(array)[3], 4);
  mutable_view<float>(array)[3] = 9;
  EXPECT_EQ(to_doubles(array), (std::vector<double>{1, 2, 3, 9}));
  const std::string message = message_of<InputError>([&] { view<double>(array); });
  expect_contains(message, "float32[2, 2]");
  expect_contains(message, "float64");
}

TEST(Array, BytesMustFitTheShape) {
  EXPECT_THROW(make_array<float>({3}, std::vector<float>{1, 2}), InputError);
  Array array = make_array<float>({2}, std::vector<float>{1, 2});
  array.bytes.pop_back();
  EXPECT_THROW(view<float>(array), InputError);
  EXPECT_THROW(to_doubles(array), InputError);
}

TEST(Array, CountsElementsWithoutOverflow) {
  EXPECT_EQ(element_count({}), 1);
  EXPECT_EQ(element_count({5, 0, 7}), 0);
  constexpr std::int64_t kBig = std::int64_t{1} << 31;
  EXPECT_EQ(element_count({kBig, kBig - 1}), kBig * (kBig - 1));
  EXPECT_THROW(element_count({kBig, kBig, kBig}), LimitError);
  EXPECT_THROW(element_count({kBig, kBig}, 8), LimitError);
  EXPECT_THROW(element_count({2, -1}), InputError);
  // An extent of zero makes the product zero wherever it stands.
  EXPECT_EQ(element_count({kBig, kBig, kBig, 0}), 0);
}

TEST(Array, HalfPrecisionPatterns) {
  const std::vector<std::uint16_t> patterns = {0x3C00, 0xC000, 0x0001, 0x03FF,
                                               0x7BFF, 0xFC00, 0x7E00};
  Array array = make_array<std::uint16_t>({7}, patterns);
  array.dtype = Dtype::float16;
  const std::vector<double> values = to_doubles(array);
  EXPECT_EQ(values[0], 1);
  EXPECT_EQ(values[1], -2);
  EXPECT_EQ(values[2], std::ldexp(1, -24));
  EXPECT_EQ(values[3], std::ldexp(1023, -24));
  EXPECT_EQ(values[4], 65504);
  EXPECT_EQ(values[5], -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(values[6]));
}

TEST(Array, BrainFloatIsTheUpperHalfOfAFloat) {
  Array array = make_array<std::uint16_t>({2}, std::vector<std::uint16_t>{0x3F80, 0xC040});
  array.dtype = Dtype::bfloat16;
  EXPECT_EQ(to_doubles(array), (std::vector<double>{1, -3}));
}

TEST(ReadBytes, SaysWhatIsWrongWithThePath) {
  const TemporaryFolder folder;
  expect_contains(message_of<FileError>([&] { read_bytes(folder.path() / "absent"); }), "absent");
  expect_contains(message_of<FileError>([&] { read_bytes(folder.path()); }), "directory");
  std::ofstream(folder.path() / "ten") << "0123456789";
  EXPECT_EQ(as_text(read_bytes(folder.path() / "ten", 10)), "0123456789");
  EXPECT_THROW(read_bytes(folder.path() / "ten", 9), LimitError);
}

TEST(WriteBytes, ReplacesWholeFilesAndNamesABadFolder) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "file";
  write_bytes(path, as_bytes("first, longer"));
  write_bytes(path, as_bytes("second"));
  EXPECT_EQ(as_text(read_bytes(path)), "second");
  const auto absent = folder.path() / "no" / "file";
  expect_contains(message_of<FileError>([&] { write_bytes(absent, {}); }), "no/file");
}

TEST(Gzip, RoundTripAndSeveralMembers) {
  std::string text;
  for (int i = 0; i < 50000; ++i) text += std::to_string(i);
  const Bytes packed = gzip(as_bytes(text));
  EXPECT_LT(packed.size(), text.size());
  EXPECT_EQ(as_text(gunzip(packed, "x")), text);
  EXPECT_EQ(gunzip(gzip({}), "x"), Bytes());
  Bytes twice = packed;
  twice.insert(twice.end(), packed.begin(), packed.end());
  EXPECT_EQ(as_text(gunzip(twice, "x")), text + text);
}

TEST(Gzip, RefusesDamageAndBombs) {
  const Bytes packed = gzip(as_bytes(std::string(10'000'000, 'a')));
  const std::string message = message_of<LimitError>([&] { gunzip(packed, "bomb.gz", 1'000'000); });
  expect_contains(message, "bomb.gz");
  expect_contains(message, "1.0 MB");
  const Bytes small = gzip(as_bytes("some text"));
  expect_prefixes_refused(small, [](ByteView part) { return gunzip(part, "x"); });
  for (std::size_t i = 10; i < small.size(); ++i) {  // the header's ten bytes carry no content
    Bytes flipped = small;
    flipped[i] ^= std::byte{1};
    EXPECT_THROW(gunzip(flipped, "x"), FileError) << i;
  }
  Bytes longer = small;
  longer.push_back(std::byte{7});
  EXPECT_THROW(gunzip(longer, "x"), FileError);
}

}  // namespace
}  // namespace algprior::io
