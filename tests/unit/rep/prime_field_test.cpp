#include "algprior/rep/detail/prime_field.hpp"

#include "algprior/base/error.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace algprior {
namespace {

TEST(PrimeField, ReducesEvery64BitNumber) {
  std::mt19937_64 random(1);
  for (const std::uint32_t p : {2u, 3u, 101u, 65537u, 2147483647u}) {
    const PrimeField field(p);
    for (const std::uint64_t x :
         {std::uint64_t{0}, std::uint64_t{p} - 1, std::uint64_t{p}, ~std::uint64_t{0}}) {
      EXPECT_EQ(field.reduce(x), x % p);
    }
    for (int trial = 0; trial < 1000; ++trial) {
      const std::uint64_t x = random();
      EXPECT_EQ(field.reduce(x), x % p);
      const auto a = static_cast<std::uint32_t>(1 + x % (p - 1));
      EXPECT_EQ(field.multiply(a, field.inverse(a)), 1u);
    }
  }
  EXPECT_EQ(PrimeField(7).from_integer(-1), 6u);
}

TEST(PrimeField, RefusesCompositesAndLargeNumbers) {
  for (const std::uint32_t n : {0u, 1u, 9u, 2147483649u, 4294967291u}) {
    EXPECT_THROW(PrimeField{n}, InputError) << n;
  }
}

TEST(PrimeField, KnowsThePrimes) {
  const auto accepts = [](std::uint32_t n) {
    try {
      return PrimeField(n).p() == n;
    } catch (const InputError&) {
      return false;
    }
  };
  const auto is_prime = [](std::uint32_t n) {
    for (std::uint32_t d = 2; d * d <= n; ++d) {
      if (n % d == 0) return false;
    }
    return n >= 2;
  };
  for (std::uint32_t n = 0; n < 10000; ++n) EXPECT_EQ(accepts(n), is_prime(n)) << n;
  for (std::uint32_t n = 2147483000; n < 2147483500; ++n) EXPECT_EQ(accepts(n), is_prime(n)) << n;
  // Strong pseudoprimes to base 2, to 2 and 3, to 2, 3 and 5.
  for (const std::uint32_t n : {2047u, 1373653u, 25326001u}) EXPECT_FALSE(accepts(n)) << n;
}

TEST(PrimeField, SplittingPrimeHoldsRootsOfUnity) {
  for (const std::uint32_t n : {1u, 2u, 12u, 420u, 500u, 1320u, 10007u}) {
    const PrimeField field(splitting_prime(n));
    EXPECT_EQ(field.p() % n, 1u % n);
    EXPECT_GT(field.p(), 2000000000u);
    const std::uint32_t w = primitive_root_of_unity(field, n);
    EXPECT_EQ(field.power(w, n), 1u);
    for (std::uint32_t k = 1; k < n; ++k) {
      if (n % k == 0) {
        EXPECT_NE(field.power(w, k), 1u) << k << " of " << n;
      }
    }
  }
}

TEST(PrimeField, RootsOfAProductOfLinearFactors) {
  const PrimeField field(splitting_prime(12));
  std::mt19937_64 random(3);
  for (const std::size_t degree : {1u, 2u, 3u, 10u, 40u}) {
    std::vector<std::uint32_t> roots{0};
    while (roots.size() < degree) roots.push_back(field.reduce(random()));
    Polynomial f{1};
    for (const std::uint32_t r : roots) {
      Polynomial g(f.size() + 1, 0);
      for (std::size_t i = 0; i < f.size(); ++i) {
        g[i + 1] = field.add(g[i + 1], f[i]);
        g[i] = field.subtract(g[i], field.multiply(r, f[i]));
      }
      f = g;
    }
    while (f.size() > 1) {
      const std::uint32_t root = find_root(field, f, 5);
      EXPECT_EQ(evaluate(field, f, root), 0u);
      const auto it = std::find(roots.begin(), roots.end(), root);
      ASSERT_NE(it, roots.end());
      roots.erase(it);
      f = divide_root(field, f, root);
    }
    EXPECT_EQ(f, Polynomial{1});
  }
}

TEST(PrimeField, MinimalPolynomialOfARecurrence) {
  const PrimeField field(splitting_prime(2));
  // s_n = Σ c_j r_j^n satisfies exactly Π (x − r_j).
  const std::vector<std::uint32_t> roots{0, 3, 17, 1000};
  std::vector<std::uint32_t> sequence;
  for (std::uint64_t n = 0; n < 8; ++n) {
    std::uint32_t s = 0;
    for (const std::uint32_t r : roots) s = field.add(s, field.multiply(r + 5, field.power(r, n)));
    sequence.push_back(s);
  }
  const Polynomial f = minimal_polynomial(field, sequence);
  ASSERT_EQ(f.size(), roots.size() + 1);
  EXPECT_EQ(f.back(), 1u);
  for (const std::uint32_t r : roots) EXPECT_EQ(evaluate(field, f, r), 0u);
}

TEST(PrimeField, FourierTransformEqualsItsDefinition) {
  std::mt19937_64 random(4);
  for (const std::uint32_t m : {1u, 2u, 7u, 12u, 45u, 64u, 90u}) {
    const PrimeField field(splitting_prime(m));
    const std::uint32_t w = primitive_root_of_unity(field, m);
    std::vector<std::uint32_t> x(m);
    for (auto& value : x) value = field.reduce(random());
    const auto transformed = fourier_transform(field, x, w);
    for (std::uint32_t k = 0; k < m; ++k) {
      std::uint32_t sum = 0;
      for (std::uint32_t j = 0; j < m; ++j) {
        const std::uint64_t exponent = (m - std::uint64_t{j} * k % m) % m;
        sum = field.add(sum, field.multiply(x[j], field.power(w, exponent)));
      }
      EXPECT_EQ(transformed[k], sum);
    }
  }
}

}  // namespace
}  // namespace algprior
