#include "algprior/io/idx.hpp"

#include "fixture.hpp"

namespace algprior::io {
namespace {

TEST(Idx, ReadsEveryTypePlainAndGzipped) {
  int count = 0;
  for (const auto& [name, arrays] : manifest()) {
    if (name.find(".idx") == std::string::npos) continue;
    EXPECT_EQ(describe(read_idx(fixture(name))), arrays.at("")) << name;
    ++count;
  }
  EXPECT_EQ(count, 7);
}

TEST(Idx, RoundTripIsByteExact) {
  for (const std::string name : {"uint8", "int8", "int16", "int32", "float32", "float64"}) {
    const Bytes bytes = read_bytes(fixture(name + ".idx"));
    EXPECT_EQ(to_idx(parse_idx(bytes, name)), bytes) << name;
  }
  EXPECT_THROW(to_idx(make_array<std::int64_t>({1}, std::vector<std::int64_t>{1})), InputError);
}

TEST(Idx, RefusesTruncatedAndForeignFiles) {
  Bytes bytes = read_bytes(fixture("int16.idx"));
  expect_prefixes_refused(bytes, [](ByteView part) { return parse_idx(part, "x"); });
  bytes.pop_back();
  const std::string message = message_of<FileError>([&] { parse_idx(bytes, "train-images"); });
  expect_contains(message, "train-images");
  expect_contains(message, "cut short");
  bytes.resize(bytes.size() + 2);
  expect_contains(message_of<FileError>([&] { parse_idx(bytes, "x"); }), "1 bytes left over");
  expect_contains(message_of<FileError>([&] { read_idx(fixture("uint8.npy")); }),
                  "not an IDX file");
}

TEST(Idx, RefusesHeadersThatClaimTheWorld) {
  // 255 extents of 2^32-1.
  Bytes bytes(4 + 255 * 4, std::byte{0xFF});
  bytes[0] = bytes[1] = std::byte{0};
  bytes[2] = std::byte{8};
  expect_contains(message_of<FileError>([&] { parse_idx(bytes, "x"); }), "impossible shape");
  const Bytes huge = {std::byte{0}, std::byte{0},    std::byte{8},    std::byte{1},
                      std::byte{0}, std::byte{0xFF}, std::byte{0xFF}, std::byte{0xFF}};
  EXPECT_THROW(parse_idx(huge, "x"), FileError);
}

TEST(Idx, GzipBombsMeetTheLimit) {
  const Bytes packed = gzip(Bytes(5'000'000));
  EXPECT_THROW(parse_idx(packed, "x", 1'000'000), LimitError);
}

TEST(Cifar10, SplitsRecords) {
  Bytes bytes;
  for (int record = 0; record < 3; ++record) {
    bytes.push_back(static_cast<std::byte>(7 + record % 3));
    for (int i = 0; i < 3072; ++i) bytes.push_back(static_cast<std::byte>(record * 31 + i));
  }
  const LabelledImages data = parse_cifar10(bytes, "x");
  EXPECT_EQ(data.images.shape, (std::vector<std::int64_t>{3, 3, 32, 32}));
  EXPECT_EQ(to_doubles(data.labels), (std::vector<double>{7, 8, 9}));
  // Green plane, row 2, column 5 of image 1.
  EXPECT_EQ(view<std::uint8_t>(data.images)[3072 + 1024 + 2 * 32 + 5],
            static_cast<std::uint8_t>(31 + 1024 + 69));
}

TEST(Cifar10, RefusesOtherSizesAndLabels) {
  EXPECT_THROW(parse_cifar10({}, "x"), FileError);
  EXPECT_THROW(parse_cifar10(Bytes(3072), "x"), FileError);
  Bytes bytes(2 * 3073);
  bytes[3073] = std::byte{10};
  expect_contains(message_of<FileError>([&] { parse_cifar10(bytes, "x"); }), "record 1");
}

}  // namespace
}  // namespace algprior::io
