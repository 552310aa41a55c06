#include "algprior/io/checksum.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>

#include <zlib.h>

namespace algprior::io {
namespace {

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> kRound = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

constexpr std::array<std::uint32_t, 256> make_crc32c_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) != 0 ? 0x82f63b78u : 0u);
    table[i] = value;
  }
  return table;
}

// ⌊2³²·|sin i|⌋ for i = 1..64; the product has 21 bits more than are needed.
std::array<std::uint32_t, 64> make_sine_table() {
  std::array<std::uint32_t, 64> table{};
  for (std::size_t i = 0; i < 64; ++i) {
    table[i] = static_cast<std::uint32_t>(std::abs(std::sin(static_cast<double>(i + 1))) * 0x1p32);
  }
  return table;
}

void add_hex(std::uint32_t byte, std::string& text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  text += kDigits[byte >> 4];
  text += kDigits[byte & 15];
}

}  // namespace

void detail::Blocks64::feed(ByteView bytes, const Take& take) {
  length_ += bytes.size();
  while (!bytes.empty()) {
    if (pending_size_ == 0 && bytes.size() >= 64) {
      take(bytes.data());
      bytes = bytes.subspan(64);
      continue;
    }
    const std::size_t count = std::min(64 - pending_size_, bytes.size());
    std::copy_n(bytes.begin(), count,
                pending_.begin() + static_cast<std::ptrdiff_t>(pending_size_));
    pending_size_ += count;
    bytes = bytes.subspan(count);
    if (pending_size_ == 64) {
      take(pending_.data());
      pending_size_ = 0;
    }
  }
}

void detail::Blocks64::pad(std::endian order, const Take& take) {
  const std::uint64_t bits = length_ * 8;
  Bytes tail{std::byte{0x80}};
  while ((pending_size_ + tail.size()) % 64 != 56) tail.push_back(std::byte{0});
  for (int i = 0; i < 8; ++i) {
    const int shift = order == std::endian::big ? 56 - 8 * i : 8 * i;
    tail.push_back(static_cast<std::byte>((bits >> shift) & 0xFF));
  }
  feed(tail, take);
}

Sha256::Sha256()
    : state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
             0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19} {}

void Sha256::block(const std::byte* data) {
  std::array<std::uint32_t, 64> w;
  for (std::size_t i = 0; i < 16; ++i) {
    w[i] = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      w[i] = (w[i] << 8) | std::to_integer<std::uint32_t>(data[4 * i + k]);
    }
  }
  for (std::size_t i = 16; i < 64; ++i) {
    const std::uint32_t s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
    const std::uint32_t s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = state_;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + kRound[i] + w[i];
    const std::uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  const std::array<std::uint32_t, 8> sum = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) state_[i] += sum[i];
}

void Sha256::update(ByteView bytes) {
  blocks_.feed(bytes, [this](const std::byte* data) { block(data); });
}

std::string Sha256::finish() {
  blocks_.pad(std::endian::big, [this](const std::byte* data) { block(data); });
  std::string text;
  for (const std::uint32_t word : state_) {
    for (int shift = 24; shift >= 0; shift -= 8) add_hex((word >> shift) & 0xFF, text);
  }
  return text;
}

std::string sha256(ByteView bytes) {
  Sha256 sum;
  sum.update(bytes);
  return sum.finish();
}

Md5::Md5() : state_{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476} {}

void Md5::block(const std::byte* data) {
  static const auto kSine = make_sine_table();
  static constexpr int kTurn[4][4] = {
      {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  std::array<std::uint32_t, 16> w{};
  for (std::size_t i = 0; i < 64; ++i) {
    w[i / 4] |= std::to_integer<std::uint32_t>(data[i]) << (8 * (i % 4));
  }
  auto [a, b, c, d] = state_;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::size_t round = i / 16;
    std::uint32_t mixed = 0;
    std::size_t word = 0;
    if (round == 0) {
      mixed = (b & c) | (~b & d);
      word = i;
    } else if (round == 1) {
      mixed = (d & b) | (~d & c);
      word = (5 * i + 1) % 16;
    } else if (round == 2) {
      mixed = b ^ c ^ d;
      word = (3 * i + 5) % 16;
    } else {
      mixed = c ^ (b | ~d);
      word = (7 * i) % 16;
    }
    const std::uint32_t sum = a + mixed + kSine[i] + w[word];
    a = d;
    d = c;
    c = b;
    b += std::rotl(sum, kTurn[round][i % 4]);
  }
  const std::array<std::uint32_t, 4> sum = {a, b, c, d};
  for (std::size_t i = 0; i < 4; ++i) state_[i] += sum[i];
}

void Md5::update(ByteView bytes) {
  blocks_.feed(bytes, [this](const std::byte* data) { block(data); });
}

std::string Md5::finish() {
  blocks_.pad(std::endian::little, [this](const std::byte* data) { block(data); });
  std::string text;
  for (const std::uint32_t word : state_) {
    for (int shift = 0; shift < 32; shift += 8) add_hex((word >> shift) & 0xFF, text);
  }
  return text;
}

std::string md5(ByteView bytes) {
  Md5 sum;
  sum.update(bytes);
  return sum.finish();
}

std::uint32_t crc32c(ByteView bytes) {
  static constexpr auto kTable = make_crc32c_table();
  std::uint32_t value = 0xFFFFFFFF;
  for (const std::byte byte : bytes) {
    value = kTable[(value ^ std::to_integer<std::uint32_t>(byte)) & 0xFF] ^ (value >> 8);
  }
  return ~value;
}

std::uint32_t crc32(ByteView bytes) {
  return static_cast<std::uint32_t>(
      ::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace algprior::io
