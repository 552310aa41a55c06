#pragma once

#include "algprior/rep/irreps.hpp"
#include "algprior/rep/representation.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace algprior::laws {

inline Eigen::MatrixXd random_matrix(Eigen::Index rows, Eigen::Index cols, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Eigen::MatrixXd matrix(rows, cols);
  for (Eigen::Index k = 0; k < matrix.size(); ++k) matrix(k) = normal(random);
  return matrix;
}

/// What holds for every representation: all pairs of elements up to order 120, a fixed random
/// sample above. Matrices are compared on random vectors, which miss a difference with probability
/// 0.
class RepresentationLaws {
 public:
  explicit RepresentationLaws(Representation rho, double tolerance = 1e-9)
      : rho_(std::move(rho)),
        group_(rho_.group()),
        tolerance_(tolerance * std::sqrt(1.0 + static_cast<double>(rho_.dimension()))) {}

  void check_all() const {
    SCOPED_TRACE(group_.name() + ", dimension " + std::to_string(rho_.dimension()));
    identity();
    homomorphism();
    relators();
    traces();
    class_function();
    if (rho_.is_permutation()) gather();
  }

  /// ρ(e) = I.
  void identity() const { EXPECT_LE((rho_.complex_matrix(0) - one()).norm(), tolerance_); }

  /// ρ(g)ρ(h) = ρ(gh).
  void homomorphism() const {
    if (rho_.is_permutation()) {
      std::vector<Permutation> images;
      for (Element g = 0; g < group_.order(); ++g) images.push_back(rho_.permutation(g));
      for_pairs([&](Element g, Element h) {
        ASSERT_EQ(compose(images[g], images[h]), images[group_.multiply(g, h)]) << g << ", " << h;
      });
      return;
    }
    const Eigen::MatrixXcd vectors = random_matrix(one().rows(), 2, 3).cast<std::complex<double>>();
    std::vector<Eigen::MatrixXcd> images;
    for (Element g = 0; g < group_.order(); ++g) images.push_back(rho_.complex_matrix(g) * vectors);
    Element last = 0;
    Eigen::MatrixXcd matrix = rho_.complex_matrix(0);
    for_pairs([&](Element g, Element h) {
      if (g != last) matrix = rho_.complex_matrix(last = g);
      ASSERT_LE((matrix * images[h] - images[group_.multiply(g, h)]).norm(), 10 * tolerance_)
          << g << ", " << h;
    });
  }

  void relators() const { EXPECT_LE(homomorphism_defect(rho_), 10 * tolerance_); }

  /// trace(g) is the trace of matrix(g).
  void traces() const {
    for (Element g = 0; g < group_.order(); g += stride()) {
      EXPECT_LE(std::abs(rho_.trace(g) - rho_.complex_matrix(g).trace()), tolerance_) << g;
    }
  }

  /// χ is constant on classes, χ(g⁻¹) = conj χ(g), and ⟨χ, χ⟩ is a whole number, at least 1.
  void class_function() const {
    const auto character = rho_.character();
    double norm = 0;
    for (std::size_t c = 0; c < character.size(); ++c) {
      const auto& members = group_.classes().members[c];
      norm += static_cast<double>(members.size()) * std::norm(character[c]);
      for (Element g : {members.front(), members[members.size() / 2], members.back()}) {
        EXPECT_LE(std::abs(rho_.trace(g) - character[c]), tolerance_) << g;
        EXPECT_LE(std::abs(rho_.trace(group_.inverse(g)) - std::conj(character[c])), tolerance_);
      }
    }
    norm /= static_cast<double>(group_.order());
    EXPECT_NEAR(norm, std::round(norm), tolerance_ * (1 + norm));
    EXPECT_EQ(norm > 0.5, rho_.dimension() > 0);
  }

  /// (ρ(g)z)[k] = z[table[g·d + k]].
  void gather() const {
    const auto table = rho_.gather_table();
    const std::size_t d = rho_.dimension();
    ASSERT_EQ(table.size(), d * group_.order());
    const Eigen::VectorXd z = random_matrix(one().rows(), 1, 5);
    for (Element g = 0; g < group_.order(); g += stride()) {
      const Eigen::VectorXd moved = rho_.matrix(g) * z;
      for (std::size_t k = 0; k < d; ++k) {
        EXPECT_EQ(moved(static_cast<Eigen::Index>(k)), z(table[g * d + k])) << g << ", " << k;
      }
    }
  }

 private:
  static constexpr std::size_t kExhaustive = 120;

  Eigen::MatrixXcd one() const {
    const auto d = static_cast<Eigen::Index>(rho_.dimension());
    return Eigen::MatrixXcd::Identity(d, d);
  }

  Element stride() const { return static_cast<Element>(1 + group_.order() / kExhaustive); }

  template <class Check>
  void for_pairs(Check check) const {
    const std::size_t n = group_.order();
    if (n <= kExhaustive) {
      for (Element g = 0; g < n; ++g) {
        for (Element h = 0; h < n; ++h) check(g, h);
      }
      return;
    }
    std::mt19937_64 random(7);
    for (int sample = 0; sample < 40; ++sample) {
      const auto g = static_cast<Element>(random() % n);
      for (int other = 0; other < 25; ++other) check(g, static_cast<Element>(random() % n));
    }
  }

  Representation rho_;
  Group group_;
  double tolerance_;
};

/// What holds for the irreducible representations of a group together.
class IrreducibleLaws {
 public:
  explicit IrreducibleLaws(const Group& group)
      : group_(group),
        table_(character_table(group)),
        irreps_(irreducible_representations(table_)),
        real_(real_irreducible_representations(table_)) {}

  void check_all() const {
    SCOPED_TRACE(group_.name());
    characters();
    unitarity();
    schur_orthogonality();
    real_forms();
    for (const Representation& rho : irreps_) RepresentationLaws(rho).check_all();
  }

  /// tr ρ_i = χ_i, to 1e-10.
  void characters() const {
    ASSERT_EQ(irreps_.size(), table_.count());
    for (std::size_t i = 0; i < irreps_.size(); ++i) {
      const auto character = irreps_[i].character();
      for (std::size_t c = 0; c < character.size(); ++c) {
        EXPECT_LE(std::abs(character[c] - table_.value(i, c)), 1e-10) << i << ", " << c;
      }
    }
  }

  /// Unitary, and real orthogonal for real type.
  void unitarity() const {
    for (std::size_t i = 0; i < irreps_.size(); ++i) {
      EXPECT_LE(unitarity_defect(irreps_[i]), 1e-10);
      EXPECT_EQ(irreps_[i].is_real(), table_.frobenius_schur(i) == 1);
    }
  }

  /// √(d_i/|G|) ρ_i(g)_{ab}, over all i, a, b, is a unitary |G|×|G| matrix.
  void schur_orthogonality() const {
    if (group_.order() > 120) return;
    const auto n = static_cast<Eigen::Index>(group_.order());
    Eigen::MatrixXcd coefficients(n, n);
    for (Element g = 0; g < group_.order(); ++g) {
      Eigen::Index column = 0;
      for (const Representation& rho : irreps_) {
        const Eigen::MatrixXcd matrix = rho.complex_matrix(g);
        const double scale = std::sqrt(static_cast<double>(matrix.rows()) / static_cast<double>(n));
        for (Eigen::Index k = 0; k < matrix.size(); ++k)
          coefficients(g, column++) = scale * matrix(k);
      }
      ASSERT_EQ(column, n);
    }
    const Eigen::MatrixXcd gram = coefficients.adjoint() * coefficients;
    EXPECT_LE((gram - Eigen::MatrixXcd::Identity(n, n)).norm(), 1e-9);
  }

  /// Orthogonal, with the right character and dimension, commuting with the units of R, C or H.
  void real_forms() const {
    for (const RealIrreducible& real : real_) {
      const Representation& rho = real.representation;
      EXPECT_TRUE(rho.is_real());
      EXPECT_LE(unitarity_defect(rho), 1e-10);
      EXPECT_EQ(rho.dimension(), static_cast<std::size_t>(table_.real_degree(real.row)));
      RepresentationLaws(rho).check_all();
      const int type = table_.frobenius_schur(real.row);
      ASSERT_EQ(real.endomorphisms.size(), type == 1 ? 1u : type == 0 ? 2u : 4u);
      for (std::size_t a = 0; a < real.endomorphisms.size(); ++a) {
        const Eigen::MatrixXd& unit = real.endomorphisms[a];
        for (Element s : group_.generators()) {
          const Eigen::MatrixXd matrix = rho.matrix(s);
          EXPECT_LE((matrix * unit - unit * matrix).norm(), 1e-9);
        }
        for (std::size_t b = 0; b < real.endomorphisms.size(); ++b) {
          const double inner = (unit.transpose() * real.endomorphisms[b]).trace();
          EXPECT_NEAR(inner, a == b ? static_cast<double>(rho.dimension()) : 0.0, 1e-9);
        }
      }
    }
  }

 private:
  Group group_;
  CharacterTable table_;
  std::vector<Representation> irreps_;
  std::vector<RealIrreducible> real_;
};

}  // namespace algprior::laws
