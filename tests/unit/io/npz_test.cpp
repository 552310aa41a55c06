#include "algprior/io/npy.hpp"
#include "fixture.hpp"

namespace algprior::io {
namespace {

std::size_t find(const Bytes& bytes, std::string_view what, std::size_t from = 0) {
  return as_text(bytes).find(what, from);
}

void put_little(Bytes& bytes, std::size_t at, std::uint64_t value, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) bytes[at + i] = static_cast<std::byte>(value >> (8 * i));
}

constexpr std::string_view kCentral("PK\x01\x02", 4);
constexpr std::string_view kEnd("PK\x05\x06", 4);

NamedArrays sample() {
  return {{"a", make_array<float>({2, 2}, std::vector<float>{1, 2, 3, 4})},
          {"zeros", make_array<double>({500}, std::vector<double>(500))}};
}

TEST(Npz, ReadsWhatNumpyWrote) {
  for (const std::string name : {"stored.npz", "deflated.npz"}) {
    EXPECT_EQ(describe(read_npz(fixture(name))), manifest().at(name)) << name;
  }
}

TEST(Npz, RoundTripAndStableBytes) {
  for (const Packing packing : {Packing::stored, Packing::deflated}) {
    const Bytes bytes = to_npz(sample(), packing);
    EXPECT_EQ(parse_npz(bytes, "x"), sample());
    EXPECT_EQ(to_npz(sample(), packing), bytes);
  }
  EXPECT_LT(to_npz(sample(), Packing::deflated).size(),
            to_npz(sample(), Packing::stored).size() / 4);
  EXPECT_EQ(parse_npz(to_npz({}), "x"), NamedArrays());
}

TEST(Npz, ReadsZip64Fields) {
  // The same archive with its sizes and offset moved into the zip64 extra field, the end record
  // into the zip64 one: what a writer makes of archives beyond 4 GiB.
  const NamedArrays arrays{{"a", make_array<float>({1}, std::vector<float>{7})}};
  Bytes bytes = to_npz(arrays, Packing::stored);
  const std::size_t central = find(bytes, kCentral);
  const std::size_t end = find(bytes, kEnd);
  const std::uint64_t size = to_npy(arrays.at("a")).size();
  Bytes extra(4 + 24);
  put_little(extra, 0, 1, 2);
  put_little(extra, 2, 24, 2);
  put_little(extra, 4, size, 8);
  put_little(extra, 12, size, 8);
  put_little(extra, 20, 0, 8);
  Bytes entry(bytes.begin() + central, bytes.begin() + end);
  for (const std::size_t at : {20u, 24u, 42u}) put_little(entry, at, 0xFFFFFFFF, 4);
  put_little(entry, 30, extra.size(), 2);
  entry.insert(entry.end(), extra.begin(), extra.end());
  Bytes end64(56);
  put_little(end64, 0, 0x06064b50, 4);
  put_little(end64, 4, 44, 8);
  put_little(end64, 24, 1, 8);
  put_little(end64, 32, 1, 8);
  put_little(end64, 40, entry.size(), 8);
  put_little(end64, 48, central, 8);
  Bytes locator(20);
  put_little(locator, 0, 0x07064b50, 4);
  put_little(locator, 8, central + entry.size(), 8);
  Bytes end32(bytes.begin() + end, bytes.end());
  put_little(end32, 8, 0xFFFF, 2);
  put_little(end32, 10, 0xFFFF, 2);
  put_little(end32, 16, 0xFFFFFFFF, 4);
  bytes.resize(central);
  for (const Bytes& part : {entry, end64, locator, end32}) {
    bytes.insert(bytes.end(), part.begin(), part.end());
  }
  EXPECT_EQ(parse_npz(bytes, "x"), arrays);
}

TEST(Npz, RefusesEveryPrefix) {
  expect_prefixes_refused(to_npz({{"a", make_array<float>({1}, std::vector<float>{7})}}),
                          [](ByteView part) { return parse_npz(part, "x"); });
}

TEST(Npz, RefusesAFlippedBitInTheData) {
  for (const Packing packing : {Packing::stored, Packing::deflated}) {
    Bytes bytes = to_npz(sample(), packing);
    bytes[100] ^= std::byte{1};
    const std::string message = message_of<FileError>([&] { parse_npz(bytes, "some.npz"); });
    expect_contains(message, "some.npz (member a.npy)");
  }
}

TEST(Npz, RefusesBombs) {
  // 64 MB of zeros: the content counts, not what the directory says.
  Bytes bytes = to_npz({{"zeros", {Dtype::uint8, {64'000'000}, Bytes(64'000'000)}}});
  EXPECT_LT(bytes.size(), 100'000u);
  EXPECT_THROW(parse_npz(bytes, "x", 1'000'000), LimitError);
  put_little(bytes, find(bytes, kCentral) + 24, 1000, 4);
  expect_contains(message_of<FileError>([&] { parse_npz(bytes, "lying.npz"); }), "size");
}

TEST(Npz, RefusesMembersThatShareTheirBytes) {
  const NamedArrays two{{"a", make_array<double>({64}, std::vector<double>(64, 1))},
                        {"b", make_array<double>({64}, std::vector<double>(64, 1))}};
  Bytes bytes = to_npz(two, Packing::stored);
  const std::size_t first = find(bytes, kCentral);
  const std::size_t second = find(bytes, kCentral, first + 1);
  put_little(bytes, second + 42, 0, 4);
  EXPECT_THROW(parse_npz(bytes, "x"), FileError);
}

TEST(Npz, RefusesEncryptionAndForeignMethodsAndMembers) {
  const Bytes good = to_npz(sample());
  const std::size_t central = find(good, kCentral);
  Bytes bytes = good;
  put_little(bytes, central + 8, 1, 2);
  expect_contains(message_of<FileError>([&] { parse_npz(bytes, "x"); }), "encrypted");
  bytes = good;
  put_little(bytes, central + 10, 12, 2);
  expect_contains(message_of<FileError>([&] { parse_npz(bytes, "x"); }), "method 12");
  bytes = good;
  for (std::size_t at = 0; (at = find(bytes, ".npy", at)) != std::string::npos;)
    bytes[at] = std::byte{'_'};
  expect_contains(message_of<FileError>([&] { parse_npz(bytes, "x"); }), "numpy.savez");
  EXPECT_THROW(parse_npz(as_bytes("not a zip archive at all"), "x"), FileError);
}

}  // namespace
}  // namespace algprior::io
