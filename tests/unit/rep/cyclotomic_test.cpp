#include "algprior/rep/cyclotomic.hpp"

#include "algprior/base/error.hpp"

#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

namespace algprior {
namespace {

Cyclotomic random_number(std::mt19937& random, std::uint32_t n) {
  std::vector<Cyclotomic::Term> terms;
  for (int i = 0; i < 4; ++i) {
    terms.push_back({static_cast<std::uint32_t>(random() % n), static_cast<int>(random() % 7) - 3});
  }
  return Cyclotomic::sum(n, terms);
}

TEST(Cyclotomic, SumOfAllRootsOfUnityVanishes) {
  for (std::uint32_t n = 2; n <= 200; ++n) {
    std::vector<Cyclotomic::Term> terms;
    for (std::uint32_t k = 0; k < n; ++k) terms.push_back({k, 1});
    EXPECT_TRUE(Cyclotomic::sum(n, terms).is_zero()) << n;
  }
}

TEST(Cyclotomic, RootHasItsOrderAndConductor) {
  for (std::uint32_t n = 1; n <= 120; ++n) {
    const Cyclotomic root = Cyclotomic::root(n);
    EXPECT_EQ(root.conductor(), n % 4 == 2 ? n / 2 : n);
    Cyclotomic power = 1;
    for (std::uint32_t k = 1; k < n; ++k) {
      power *= root;
      EXPECT_EQ(power, Cyclotomic::root(n, k));
      EXPECT_FALSE(power == 1);
    }
    EXPECT_EQ(power * root, Cyclotomic(1));
  }
}

// The trace of a primitive n-th root of unity is μ(n), the product of primitive roots 1 − ζ is p
// for a prime power and 1 otherwise: two facts that mix every conductor below n.
TEST(Cyclotomic, TraceAndNormOfRoots) {
  const auto moebius = [](std::uint32_t n) {
    int sign = 1;
    for (std::uint32_t p = 2; p <= n; ++p) {
      if (n % p != 0) continue;
      n /= p;
      if (n % p == 0) return 0;
      sign = -sign;
    }
    return sign;
  };
  for (std::uint32_t n = 2; n <= 60; ++n) {
    Cyclotomic trace = 0, norm = 1;
    for (std::uint32_t k = 1; k < n; ++k) {
      if (std::gcd(k, n) != 1) continue;
      trace += Cyclotomic::root(n, k);
      norm *= 1 - Cyclotomic::root(n, k);
    }
    EXPECT_EQ(trace, Cyclotomic(moebius(n))) << n;
    std::uint32_t p = 2;
    while (n % p != 0) ++p;
    std::uint32_t rest = n;
    while (rest % p == 0) rest /= p;
    EXPECT_EQ(norm, Cyclotomic(rest == 1 ? p : 1)) << n;
  }
}

TEST(Cyclotomic, RingLawsAndComplexValue) {
  std::mt19937 random(1);
  const std::uint32_t orders[] = {1, 2, 3, 4, 5, 8, 9, 12, 15, 20, 21, 24, 36, 45, 60, 105};
  for (int trial = 0; trial < 400; ++trial) {
    const auto a = random_number(random, orders[random() % 16]);
    const auto b = random_number(random, orders[random() % 16]);
    const auto c = random_number(random, orders[random() % 16]);
    EXPECT_EQ((a + b) * c, a * c + b * c);
    EXPECT_EQ((a * b) * c, a * (b * c));
    EXPECT_EQ(a - a, Cyclotomic(0));
    EXPECT_EQ((a * b).conjugate(), a.conjugate() * b.conjugate());
    EXPECT_TRUE((a * a.conjugate()).is_real());
    EXPECT_LT(std::abs((a * b).to_complex() - a.to_complex() * b.to_complex()), 1e-11);
    EXPECT_LT(std::abs((a + b).to_complex() - a.to_complex() - b.to_complex()), 1e-12);
    EXPECT_EQ(a == b, std::abs(a.to_complex() - b.to_complex()) < 1e-9);
  }
}

TEST(Cyclotomic, GaloisIsARingAutomorphism) {
  std::mt19937 random(2);
  for (int trial = 0; trial < 100; ++trial) {
    const auto a = random_number(random, 45), b = random_number(random, 45);
    for (const int t : {2, 7, -4, 44}) {
      EXPECT_EQ((a * b).galois(t), a.galois(t) * b.galois(t));
      EXPECT_EQ((a + b).galois(t), a.galois(t) + b.galois(t));
    }
    EXPECT_EQ(a.galois(2).galois(23), a);
  }
  EXPECT_THROW(Cyclotomic::root(9).galois(3), InputError);
}

TEST(Cyclotomic, ComplexValuesOfRoots) {
  for (std::uint32_t n = 1; n <= 48; ++n) {
    for (std::uint32_t k = 0; k < n; ++k) {
      const std::complex<double> expected = std::polar(1.0, 2 * std::numbers::pi * k / n);
      EXPECT_LT(std::abs(Cyclotomic::root(n, k).to_complex() - expected), 1e-14) << n << " " << k;
      const Cyclotomic inverse = Cyclotomic::root(n, -std::int64_t{k});
      EXPECT_EQ((Cyclotomic::root(n, k) + inverse).to_complex().imag(), 0);
      EXPECT_EQ((Cyclotomic::root(n, k) - inverse).to_complex().real(), 0);
    }
  }
  EXPECT_EQ(Cyclotomic::root(4).to_complex(), std::complex<double>(0, 1));
}

TEST(Cyclotomic, Text) {
  const auto z = [](std::uint32_t n, std::int64_t k) { return Cyclotomic::root(n, k); };
  EXPECT_EQ(to_string(Cyclotomic(0)), "0");
  EXPECT_EQ(to_string(Cyclotomic(-12)), "-12");
  EXPECT_EQ(to_string(z(4, 1)), "i");
  EXPECT_EQ(to_string(z(4, 3)), "-i");
  EXPECT_EQ(to_string(2 * z(4, 1)), "2i");
  EXPECT_EQ(to_string(z(3, 1)), "ζ3");
  EXPECT_EQ(to_string(z(3, 2)), "ζ3^2");
  EXPECT_EQ(to_string(-3 * z(3, 1)), "3ζ6^5");
  EXPECT_EQ(to_string(z(12, 7)), "ζ12^7");
  EXPECT_EQ(to_string(z(8, 1) + z(8, 7)), "√2");
  EXPECT_EQ(to_string(z(8, 3) + z(8, 5)), "-√2");
  EXPECT_EQ(to_string(z(8, 1) + z(8, 3)), "i√2");
  EXPECT_EQ(to_string(z(12, 1) + z(12, 11)), "√3");
  EXPECT_EQ(to_string(z(5, 1) + z(5, 4)), "(-1+√5)/2");
  EXPECT_EQ(to_string(z(5, 2) + z(5, 3)), "(-1-√5)/2");
  EXPECT_EQ(to_string(2 * z(5, 2) + 2 * z(5, 3)), "-1-√5");
  EXPECT_EQ(to_string(1 + z(4, 1)), "1+i");
  EXPECT_EQ(to_string(z(7, 1) + z(7, 2) + z(7, 4)), "(-1+i√7)/2");
  EXPECT_EQ(to_string(z(7, 2) + z(7, 5)), "ζ7^2+ζ7^5");
  EXPECT_EQ(to_string(-(z(7, 2) + z(7, 5))), "-ζ7^2-ζ7^5");
  EXPECT_EQ(to_string(3 * z(7, 1) + 3 * z(7, 6)), "3ζ7+3ζ7^6");
  EXPECT_EQ(to_string(z(16, 1) + z(16, 15)), "ζ16+ζ16^15");
  EXPECT_EQ(to_string(z(13, 1) + z(13, 5) + z(13, 8) + z(13, 12)), "ζ13+ζ13^5+ζ13^8+ζ13^12");
}

TEST(Cyclotomic, RefusesWhatItCannotHold) {
  EXPECT_THROW(Cyclotomic::root(0), InputError);
  EXPECT_THROW(Cyclotomic::root(Cyclotomic::kMaxConductor + 1), LimitError);
  const Cyclotomic large = INT64_MAX;
  EXPECT_THROW(large + 1, LimitError);
  EXPECT_THROW(large * large, LimitError);
  EXPECT_THROW(Cyclotomic::root(5).to_integer(), InputError);
}

}  // namespace
}  // namespace algprior
