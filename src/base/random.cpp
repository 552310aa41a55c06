#include "algprior/base/random.hpp"

#include "algprior/base/error.hpp"

#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

namespace algprior {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr int kRounds = 10;
constexpr std::uint32_t kMultiplier0 = 0xD2511F53;
constexpr std::uint32_t kMultiplier1 = 0xCD9E8D57;
constexpr std::uint32_t kWeyl0 = 0x9E3779B9;
constexpr std::uint32_t kWeyl1 = 0xBB67AE85;

constexpr std::uint32_t low_word(std::uint64_t x) {
  return static_cast<std::uint32_t>(x);
}
constexpr std::uint32_t high_word(std::uint64_t x) {
  return static_cast<std::uint32_t>(x >> 32);
}

// The finalizer of SplitMix64: a bijection, so distinct seeds stay distinct.
constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

// 64-bit FNV-1a.
constexpr std::uint64_t hash(std::string_view text) {
  std::uint64_t value = 0xCBF29CE484222325;
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return value;
}

// The last block of a key is set aside, so that a seed never repeats numbers of the stream.
constexpr std::uint32_t kSeedBlock = 0xFFFFFFFF;

}  // namespace

std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key) noexcept {
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t product0 = std::uint64_t{kMultiplier0} * counter[0];
    const std::uint64_t product1 = std::uint64_t{kMultiplier1} * counter[2];
    counter = {high_word(product1) ^ counter[1] ^ key[0], low_word(product1),
               high_word(product0) ^ counter[3] ^ key[1], low_word(product0)};
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return counter;
}

RandomKey::RandomKey(std::uint64_t seed, std::string_view purpose) noexcept
    : key_(mix(mix(seed) ^ hash(purpose))) {}

RandomKey RandomKey::at(std::uint32_t epoch, std::uint64_t sample) const noexcept {
  RandomKey key = *this;
  key.epoch_ = epoch;
  key.sample_ = sample;
  return key;
}

RandomKey RandomKey::purpose(std::string_view name) const noexcept {
  RandomKey key = *this;
  key.key_ = mix(key_ ^ hash(name));
  return key;
}

std::uint64_t RandomKey::to_seed() const noexcept {
  const std::array<std::uint32_t, 4> words =
      philox4x32({kSeedBlock, epoch_, low_word(sample_), high_word(sample_)},
                 {low_word(key_), high_word(key_)});
  return std::uint64_t{words[1]} << 32 | words[0];
}

RandomStream::RandomStream(const RandomKey& key) noexcept
    : key_{low_word(key.key_), high_word(key.key_)},
      counter_{0, key.epoch_, low_word(key.sample_), high_word(key.sample_)} {}

std::uint32_t RandomStream::next_u32() {
  if (used_ == 4) {
    if (counter_[0] == kSeedBlock) {
      throw LimitError({"the random numbers of one key are used up", "", "fewer than 2^34 draws",
                        "draw from one key a sample"});
    }
    block_ = philox4x32(counter_, key_);
    ++counter_[0];
    used_ = 0;
  }
  return block_[static_cast<std::size_t>(used_++)];
}

std::uint64_t RandomStream::next_u64() {
  const std::uint64_t low = next_u32();
  return std::uint64_t{next_u32()} << 32 | low;
}

std::uint64_t RandomStream::below(std::uint64_t n) {
  if (n == 0) throw InputError({"cannot draw a number below 0", "n = 0", "n >= 1", ""});
  Wide product = Wide{next_u64()} * n;
  if (static_cast<std::uint64_t>(product) < n) {
    const std::uint64_t threshold = (0 - n) % n;
    while (static_cast<std::uint64_t>(product) < threshold) product = Wide{next_u64()} * n;
  }
  return static_cast<std::uint64_t>(product >> 64);
}

std::int64_t RandomStream::integer(std::int64_t low, std::int64_t high) {
  if (low > high) {
    throw InputError({"cannot draw an integer from an empty range",
                      std::to_string(low) + " … " + std::to_string(high), "low <= high", ""});
  }
  const std::uint64_t width =
      static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
  const std::uint64_t offset = width == 0 ? next_u64() : below(width);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + offset);
}

double RandomStream::uniform() {
  return static_cast<double>(next_u64() >> 11) * 0x1p-53;
}

float RandomStream::uniform_float() {
  return static_cast<float>(next_u32() >> 8) * 0x1p-24F;
}

double RandomStream::normal() {
  if (has_normal_) {
    has_normal_ = false;
    return normal_;
  }
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));  // the logarithm of (0, 1]
  const double angle = 2.0 * std::numbers::pi * uniform();
  normal_ = radius * std::sin(angle);
  has_normal_ = true;
  return radius * std::cos(angle);
}

std::vector<std::uint32_t> RandomStream::permutation(std::uint32_t n) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  for (std::uint32_t i = n; i > 1; --i) std::swap(order[i - 1], order[below(i)]);
  return order;
}

}  // namespace algprior
