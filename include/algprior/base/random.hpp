#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace algprior {

/// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3, 2011): a
/// bijection of 128-bit counters for each 64-bit key, whose outputs are independent random bits.
std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key) noexcept;

/// Which random numbers: (seed, purpose, epoch, sample). A pure value, so the order of work, the
/// number of workers, a resume or the rank cannot change what is drawn.
///
///     RandomKey key(seed, "augment");
///     RandomStream random(key.at(epoch, sample));
///
/// Keys that differ in seed, epoch or sample give different counters or Philox keys, never the same
/// numbers; purposes are told apart by a 64-bit hash.
class RandomKey {
 public:
  explicit RandomKey(std::uint64_t seed, std::string_view purpose = "") noexcept;

  /// The key of one sample in one epoch; replaces both.
  RandomKey at(std::uint32_t epoch, std::uint64_t sample = 0) const noexcept;
  /// The key of a sample, epoch as it is.
  RandomKey sample(std::uint64_t sample) const noexcept { return at(epoch_, sample); }
  /// A key for a part of this purpose, independent of this one: key.purpose("rotation"). Order
  /// counts: key.purpose("a").purpose("b") is not key.purpose("b").purpose("a").
  RandomKey purpose(std::string_view name) const noexcept;

  /// One 64-bit value for a generator that wants a seed (at::Generator). Not part of the stream.
  std::uint64_t to_seed() const noexcept;

  friend bool operator==(const RandomKey&, const RandomKey&) = default;

 private:
  friend class RandomStream;
  std::uint64_t key_;
  std::uint32_t epoch_ = 0;
  std::uint64_t sample_ = 0;
};

/// The numbers of one key, one after the other: 2³² − 1 blocks of four words. Cheap to make (no
/// state to warm up) and to copy. Same key, same numbers, on every machine; normal() within libm's
/// last bit.
class RandomStream {
 public:
  explicit RandomStream(const RandomKey& key) noexcept;

  std::uint32_t next_u32();
  std::uint64_t next_u64();
  /// Uniform on 0 … n−1 without bias (Lemire's method). Throws InputError for n = 0.
  std::uint64_t below(std::uint64_t n);
  /// Uniform on the integers low … high, both included. Throws InputError when low > high.
  std::int64_t integer(std::int64_t low, std::int64_t high);
  /// Uniform on [0, 1): multiples of 2⁻⁵³.
  double uniform();
  /// Uniform on [0, 1): multiples of 2⁻²⁴.
  float uniform_float();
  /// Standard normal (Box–Muller; the second of each pair is kept for the next call).
  double normal();
  bool coin(double probability = 0.5) { return uniform() < probability; }
  /// A uniform permutation of 0 … n−1 (Fisher–Yates).
  std::vector<std::uint32_t> permutation(std::uint32_t n);

 private:
  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> counter_;
  std::array<std::uint32_t, 4> block_{};
  int used_ = 4;
  bool has_normal_ = false;
  double normal_ = 0.0;
};

}  // namespace algprior
