#include "algprior/base/random.hpp"

#include "algprior/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <gtest/gtest.h>

namespace algprior {
namespace {

using Block = std::array<std::uint32_t, 4>;

// The known-answer vectors that the authors of Philox publish with Random123 (kat_vectors).
TEST(Philox, AgreesWithThePublishedVectors) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr std::uint32_t kOnes = 0xffffffff;
  EXPECT_EQ(philox4x32({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}),
            (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

// A resumed run must draw what the first one would have drawn, so these bits are for ever.
TEST(RandomKey, KeepsItsNumbersFromVersionToVersion) {
  RandomStream stream(RandomKey(1, "augment").at(2, 3));
  EXPECT_EQ(stream.next_u32(), 3796985217U);
  EXPECT_EQ(RandomKey(1, "augment").at(2, 3).to_seed(), 9424119906835588787U);
}

TEST(RandomKey, EveryPartOfTheKeyChangesTheNumbers) {
  const RandomKey key(7, "augment");
  const std::vector<RandomKey> keys = {key,
                                       RandomKey(8, "augment"),
                                       RandomKey(7, "shuffle"),
                                       key.at(1),
                                       key.at(0, 1),
                                       key.at(0, std::uint64_t{1} << 32),
                                       key.at(1, 1),
                                       key.purpose("a"),
                                       key.purpose("b"),
                                       key.purpose("a").purpose("b"),
                                       key.purpose("b").purpose("a")};
  std::set<std::uint64_t> first, seeds;
  for (const RandomKey& k : keys) {
    first.insert(RandomStream(k).next_u64());
    seeds.insert(k.to_seed());
  }
  EXPECT_EQ(first.size(), keys.size());
  EXPECT_EQ(seeds.size(), keys.size());
}

TEST(RandomKey, IsAPureValue) {
  const RandomKey key(7, "augment");
  EXPECT_EQ(key.at(3, 5), key.at(3).sample(5));
  RandomStream once(key.at(3, 5)), again(key.at(3, 5));
  for (int i = 0; i < 100; ++i) EXPECT_EQ(once.next_u32(), again.next_u32());
}

TEST(RandomStream, BelowIsUniform) {
  RandomStream stream(RandomKey(1, "below"));
  constexpr int kDraws = 60000;
  for (const std::uint64_t n : {1U, 2U, 3U, 6U, 7U}) {
    std::vector<int> counts(n);
    for (int i = 0; i < kDraws; ++i) ++counts.at(stream.below(n));
    double chi_squared = 0.0;
    const double mean = static_cast<double>(kDraws) / static_cast<double>(n);
    for (const int count : counts) chi_squared += (count - mean) * (count - mean) / mean;
    EXPECT_LT(chi_squared, 22.5) << "n = " << n;  // 0.1 % of chi² with 6 degrees of freedom
  }
}

// With n = 3·2⁶² a plain modulus would give the lower third twice as often as it should.
TEST(RandomStream, BelowHasNoModuloBias) {
  RandomStream stream(RandomKey(1, "bias"));
  constexpr std::uint64_t kThird = std::uint64_t{1} << 62;
  constexpr int kDraws = 30000;
  int lower = 0;
  for (int i = 0; i < kDraws; ++i) lower += stream.below(3 * kThird) < kThird;
  EXPECT_NEAR(lower, kDraws / 3.0, 4.5 * std::sqrt(kDraws * 2.0 / 9.0));
}

TEST(RandomStream, IntegerReachesBothEnds) {
  RandomStream stream(RandomKey(1, "integer"));
  std::set<std::int64_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(stream.integer(-2, 2));
  EXPECT_EQ(seen, (std::set<std::int64_t>{-2, -1, 0, 1, 2}));
  EXPECT_EQ(stream.integer(5, 5), 5);
  constexpr auto kLow = std::numeric_limits<std::int64_t>::min();
  constexpr auto kHigh = std::numeric_limits<std::int64_t>::max();
  std::set<bool> signs;
  for (int i = 0; i < 64; ++i) signs.insert(stream.integer(kLow, kHigh) < 0);
  EXPECT_EQ(signs.size(), 2U);
}

TEST(RandomStream, RefusesEmptyRanges) {
  RandomStream stream(RandomKey(1));
  EXPECT_THROW(stream.below(0), InputError);
  EXPECT_THROW(stream.integer(1, 0), InputError);
}

TEST(RandomStream, UniformHasItsMoments) {
  RandomStream stream(RandomKey(1, "uniform"));
  constexpr int kDraws = 200000;
  double sum = 0.0, sum_of_squares = 0.0, sum_float = 0.0, least = 1.0, most = 0.0;
  for (int i = 0; i < kDraws; ++i) {
    const double u = stream.uniform();
    sum += u;
    sum_of_squares += u * u;
    least = std::min(least, u);
    most = std::max(most, u);
    const float f = stream.uniform_float();
    ASSERT_TRUE(f >= 0.0F && f < 1.0F);
    sum_float += static_cast<double>(f);
  }
  EXPECT_GE(least, 0.0);
  EXPECT_LT(most, 1.0);
  EXPECT_NEAR(sum / kDraws, 0.5, 0.003);
  EXPECT_NEAR(sum_float / kDraws, 0.5, 0.003);
  EXPECT_NEAR(sum_of_squares / kDraws, 1.0 / 3.0, 0.003);
}

TEST(RandomStream, NormalHasItsMoments) {
  RandomStream stream(RandomKey(1, "normal"));
  constexpr int kDraws = 200000;
  double first = 0.0, second = 0.0, third = 0.0, fourth = 0.0, neighbours = 0.0, before = 0.0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = stream.normal();
    first += x;
    second += x * x;
    third += x * x * x;
    fourth += x * x * x * x;
    neighbours += x * before;
    before = x;
  }
  EXPECT_NEAR(first / kDraws, 0.0, 0.01);
  EXPECT_NEAR(second / kDraws, 1.0, 0.015);
  EXPECT_NEAR(third / kDraws, 0.0, 0.04);
  EXPECT_NEAR(fourth / kDraws, 3.0, 0.12);
  EXPECT_NEAR(neighbours / kDraws, 0.0, 0.01);
}

TEST(RandomStream, PermutationsOfThreeAreEquallyLikely) {
  RandomStream stream(RandomKey(1, "permutation"));
  std::vector<int> counts(27);
  constexpr int kDraws = 12000;
  for (int i = 0; i < kDraws; ++i) {
    const std::vector<std::uint32_t> p = stream.permutation(3);
    ++counts.at(9 * p[0] + 3 * p[1] + p[2]);
  }
  std::erase(counts, 0);
  ASSERT_EQ(counts.size(), 6U);
  for (const int count : counts)
    EXPECT_NEAR(count, kDraws / 6.0, 4.5 * std::sqrt(kDraws * 5.0 / 36));
  EXPECT_TRUE(stream.permutation(0).empty());
}

}  // namespace
}  // namespace algprior
