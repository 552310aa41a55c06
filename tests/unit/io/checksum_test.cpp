#include "algprior/io/checksum.hpp"

#include "fixture.hpp"

namespace algprior::io {
namespace {

// The examples of FIPS 180-4 and its million-letter vector.
TEST(Sha256, PublishedVectors) {
  EXPECT_EQ(sha256(as_bytes("")),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256(as_bytes("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(as_bytes("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(as_bytes(std::string(1'000'000, 'a'))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, PiecesDoNotMatter) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += static_cast<char>(i * 37);
  const std::string whole = sha256(as_bytes(text));
  for (std::size_t piece = 1; piece < 130; ++piece) {
    Sha256 sum;
    for (std::size_t at = 0; at < text.size(); at += piece) {
      sum.update(as_bytes(std::string_view(text).substr(at, piece)));
    }
    EXPECT_EQ(sum.finish(), whole) << piece;
  }
}

// The test suite of RFC 1321, appendix A.5.
TEST(Md5, PublishedVectors) {
  const std::pair<std::string, const char*> vectors[] = {
      {"", "d41d8cd98f00b204e9800998ecf8427e"},
      {"a", "0cc175b9c0f1b6a831c399e269772661"},
      {"abc", "900150983cd24fb0d6963f7d28e17f72"},
      {"message digest", "f96b697d7cb7938d525a2f31aaf161d0"},
      {"abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"},
      {"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
       "d174ab98d277d9f5a5611c2c9f419d9f"},
      {"12345678901234567890123456789012345678901234567890123456789012345678901234567890",
       "57edf4a22be3c955ac49da2e2107b67a"}};
  for (const auto& [text, digest] : vectors) EXPECT_EQ(md5(as_bytes(text)), digest) << text;
}

TEST(Md5, PiecesDoNotMatter) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += static_cast<char>(i * 37);
  for (const std::size_t piece : {1, 7, 55, 56, 63, 64, 65, 128}) {
    Md5 sum;
    for (std::size_t at = 0; at < text.size(); at += piece) {
      sum.update(as_bytes(std::string_view(text).substr(at, piece)));
    }
    EXPECT_EQ(sum.finish(), md5(as_bytes(text))) << piece;
  }
}

// RFC 3720, appendix B.4, and the check value of the CRC catalogue.
TEST(Crc32c, PublishedVectors) {
  EXPECT_EQ(crc32c(as_bytes("123456789")), 0xe3069283u);
  EXPECT_EQ(crc32c(Bytes(32)), 0x8a9136aau);
  EXPECT_EQ(crc32c(Bytes(32, std::byte{0xFF})), 0x62a8ab43u);
}

TEST(Crc32, CheckValue) {
  EXPECT_EQ(crc32(as_bytes("123456789")), 0xcbf43926u);
}

}  // namespace
}  // namespace algprior::io
