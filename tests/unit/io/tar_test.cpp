#include "algprior/io/tar.hpp"

#include "fixture.hpp"

namespace algprior::io {
namespace {

using Members = std::map<std::string, Bytes>;

Members members_of(ByteView bytes) {
  Members out;
  for_each_tar_member(bytes, "x.tar", [&](const std::string& member, ByteView content) {
    out[member] = Bytes(content.begin(), content.end());
  });
  return out;
}

TEST(Tar, ReadsThreeDialectsAndPassesOverLinks) {
  Bytes content;
  for (int i = 0; i < 700; ++i) content.push_back(static_cast<std::byte>(i % 7));
  const Members wanted{{"folder/one.bin", content}, {std::string(120, 'x') + "/two.bin", content}};
  for (const char* name : {"gnu.tar", "pax.tar", "ustar.tar"}) {
    EXPECT_EQ(members_of(read_bytes(fixture(name))), wanted) << name;
  }
}

TEST(Tar, RefusesDamage) {
  const Bytes good = read_bytes(fixture("ustar.tar"));
  Bytes bytes = good;
  bytes[0] ^= std::byte{1};
  expect_contains(message_of<FileError>([&] { members_of(bytes); }), "not a tar archive");
  bytes = good;
  bytes[512 + 1024 + 3] ^= std::byte{1};
  expect_contains(message_of<FileError>([&] { members_of(bytes); }), "damaged");
  bytes = good;
  bytes.resize(900);
  expect_contains(message_of<FileError>([&] { members_of(bytes); }), "cut short");
  EXPECT_THROW(members_of(Bytes(100, std::byte{'a'})), FileError);
}

}  // namespace
}  // namespace algprior::io
