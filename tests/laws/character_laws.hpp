#pragma once

#include "algprior/group/group.hpp"
#include "algprior/rep/character_table.hpp"

#include <complex>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

namespace algprior::laws {

/// What holds for the character table of every finite group, in exact arithmetic. All pairs of rows
/// and of columns up to order 120, a fixed random sample above.
class CharacterTableLaws {
 public:
  explicit CharacterTableLaws(const Group& group)
      : group_(group), classes_(group_.classes()), table_(character_table(group)) {}

  void check_all() const {
    SCOPED_TRACE(group_.name());
    class_equation();
    degrees();
    row_orthogonality();
    column_orthogonality();
    regular_character();
    power_maps();
    frobenius_schur();
    conjugates();
    closed_under_galois();
    row_order();
  }

  /// Σ_c |C_c| = |G|, and every size divides |G|.
  void class_equation() const {
    std::size_t sum = 0;
    for (const auto& members : classes_.members) {
      sum += members.size();
      EXPECT_EQ(group_.order() % members.size(), 0u);
    }
    EXPECT_EQ(sum, group_.order());
  }

  /// Σ d² = |G|, every d divides |G|, and χ(e) = d.
  void degrees() const {
    std::size_t squares = 0;
    ASSERT_EQ(table_.count(), classes_.count());
    for (std::size_t i = 0; i < table_.count(); ++i) {
      const auto d = static_cast<std::size_t>(table_.degree(i));
      squares += d * d;
      EXPECT_EQ(group_.order() % d, 0u);
      EXPECT_EQ(table_.exact(i, 0), Cyclotomic(table_.degree(i)));
    }
    EXPECT_EQ(squares, group_.order());
  }

  /// Σ_c |C_c| χ_i(c) χ̄_j(c) = |G| δ_ij.
  void row_orthogonality() const {
    for_pairs([&](std::size_t i, std::size_t j) {
      Cyclotomic sum = 0;
      for (std::size_t c = 0; c < classes_.count(); ++c) {
        sum += size(c) * (table_.exact(i, c) * table_.exact(j, c).conjugate());
      }
      EXPECT_EQ(sum, Cyclotomic(i == j ? order() : 0)) << "rows " << i << ", " << j;
    });
  }

  /// Σ_χ χ(b) χ̄(c) = |G|/|C_b| δ_bc.
  void column_orthogonality() const {
    for_pairs([&](std::size_t b, std::size_t c) {
      Cyclotomic sum = 0;
      for (std::size_t i = 0; i < table_.count(); ++i) {
        sum += table_.exact(i, b) * table_.exact(i, c).conjugate();
      }
      EXPECT_EQ(sum * size(b), Cyclotomic(b == c ? order() : 0)) << "classes " << b << ", " << c;
    });
  }

  /// Σ_χ χ(e) χ is |G| at e and 0 elsewhere.
  void regular_character() const {
    for (std::size_t c = 0; c < classes_.count(); ++c) {
      Cyclotomic sum = 0;
      for (std::size_t i = 0; i < table_.count(); ++i) {
        sum += Cyclotomic(table_.degree(i)) * table_.exact(i, c);
      }
      EXPECT_EQ(sum, Cyclotomic(c == 0 ? order() : 0)) << "class " << c;
    }
  }

  /// power(class(g), n) = class(gⁿ) on members g of the classes.
  void power_maps() const {
    std::mt19937 random(7);
    for (std::size_t c = 0; c < classes_.count(); ++c) {
      const auto& members = classes_.members[c];
      const Element g = members[random() % members.size()];
      EXPECT_EQ(table_.powers().element_order(c), group_.element_order(g));
      for (const int n : {-1, 0, 1, 2, 3, 5, 7, -4}) {
        EXPECT_EQ(table_.powers().power(c, n), classes_.class_of[group_.power(g, n)]);
      }
    }
  }

  /// ν(χ) = 1/|G| Σ_g χ(g²) from its definition, and Σ ν(χ) χ(e) = |{g : g² = e}|.
  void frobenius_schur() const {
    std::int64_t roots = 0;
    for (std::size_t c = 0; c < classes_.count(); ++c) {
      const Element g = classes_.representative(c);
      if (group_.multiply(g, g) == Group::identity()) roots += size(c).to_integer();
    }
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < table_.count(); ++i) {
      Cyclotomic indicator = 0;
      for (std::size_t c = 0; c < classes_.count(); ++c) {
        const Element g = classes_.representative(c);
        indicator += size(c) * table_.exact(i, classes_.class_of[group_.multiply(g, g)]);
      }
      EXPECT_EQ(indicator, Cyclotomic(order() * table_.frobenius_schur(i))) << "row " << i;
      sum += table_.frobenius_schur(i) * table_.degree(i);
      EXPECT_EQ(table_.real_degree(i), table_.degree(i) * (table_.frobenius_schur(i) == 1 ? 1 : 2));
    }
    EXPECT_EQ(sum, roots);
  }

  void conjugates() const {
    for (std::size_t i = 0; i < table_.count(); ++i) {
      const std::size_t j = table_.conjugate(i);
      EXPECT_EQ(j == i, table_.frobenius_schur(i) != 0);
      for (std::size_t c = 0; c < classes_.count(); ++c) {
        EXPECT_EQ(table_.exact(j, c), table_.exact(i, c).conjugate());
        EXPECT_EQ(table_.exact(j, c), table_.exact(i, table_.powers().inverse(c)));
      }
    }
  }

  /// χ(g^t) = σ_t(χ(g)) for t coprime to the exponent; doubles agree with exact values.
  void closed_under_galois() const {
    const std::int64_t exponent = table_.powers().exponent();
    std::int64_t t = 2;
    while (std::gcd(t, exponent) != 1) ++t;
    for (std::size_t i = 0; i < table_.count(); ++i) {
      for (std::size_t c = 0; c < classes_.count(); ++c) {
        EXPECT_EQ(table_.exact(i, table_.powers().power(c, t)), table_.exact(i, c).galois(t));
        EXPECT_LT(std::abs(table_.value(i, c) - table_.exact(i, c).to_complex()), 1e-12);
      }
    }
  }

  /// The documented order: trivial, by degree, then by the first class where two rows differ.
  void row_order() const {
    for (std::size_t c = 0; c < classes_.count(); ++c) EXPECT_EQ(table_.exact(0, c), Cyclotomic(1));
    for (std::size_t i = 1; i < table_.count(); ++i) {
      ASSERT_LE(table_.degree(i - 1), table_.degree(i));
      if (table_.degree(i - 1) < table_.degree(i)) continue;
      std::size_t c = 0;
      while (table_.exact(i - 1, c) == table_.exact(i, c)) ++c;
      const std::complex<double> step = table_.value(i - 1, c) - table_.value(i, c);
      EXPECT_TRUE(step.real() > 1e-8 || (step.real() > -1e-8 && step.imag() > 0)) << "row " << i;
    }
  }

 private:
  Cyclotomic size(std::size_t c) const {
    return static_cast<std::int64_t>(classes_.members[c].size());
  }
  std::int64_t order() const { return static_cast<std::int64_t>(group_.order()); }

  template <class Check>
  void for_pairs(Check check) const {
    const std::size_t k = classes_.count();
    if (group_.order() <= 120) {
      for (std::size_t i = 0; i < k; ++i) {
        for (std::size_t j = i; j < k; ++j) check(i, j);
      }
      return;
    }
    std::mt19937 random(11);
    for (int trial = 0; trial < 60; ++trial) check(random() % k, random() % k);
    for (int trial = 0; trial < 20; ++trial) {
      const std::size_t i = random() % k;
      check(i, i);
    }
  }

  Group group_;
  const ConjugacyClasses& classes_;
  CharacterTable table_;
};

}  // namespace algprior::laws
