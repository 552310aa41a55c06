#pragma once

#include "algprior/group/coset_enumeration.hpp"
#include "algprior/group/geometry.hpp"
#include "algprior/group/group.hpp"
#include "algprior/group/subgroup.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace algprior::laws {

/// What holds for every finite group: exhaustively up to order 120, on a fixed random sample above.
class GroupLaws {
 public:
  static constexpr std::size_t kExhaustive = 120;
  static constexpr int kSamples = 20'000;

  explicit GroupLaws(const Group& group) : group_(group) {}

  void check_all() const {
    SCOPED_TRACE(group_.name());
    identity();
    inverses();
    associativity();
    cancellation();
    powers_and_orders();
    words();
    relators();
    presentation_defines_the_group();
    class_equation();
    center_and_derived_subgroup();
    defining_action();
    orthogonal_action();
  }

  /// eg = ge = g.
  void identity() const {
    for_elements([&](Element g) {
      EXPECT_EQ(group_.multiply(0, g), g);
      EXPECT_EQ(group_.multiply(g, 0), g);
    });
  }

  /// g g⁻¹ = g⁻¹ g = e.
  void inverses() const {
    for_elements([&](Element g) {
      EXPECT_EQ(group_.multiply(g, group_.inverse(g)), 0u);
      EXPECT_EQ(group_.multiply(group_.inverse(g), g), 0u);
    });
  }

  /// (gh)k = g(hk), with generators as h when exhaustive (Light's test).
  void associativity() const {
    const auto check = [&](Element g, Element h, Element k) {
      ASSERT_EQ(group_.multiply(group_.multiply(g, h), k),
                group_.multiply(g, group_.multiply(h, k)))
          << g << " " << h << " " << k;
    };
    if (group_.order() > kExhaustive) {
      std::mt19937 random(1);
      for (int i = 0; i < kSamples; ++i) check(draw(random), draw(random), draw(random));
      return;
    }
    for (Element g = 0; g < group_.order(); ++g) {
      for (const Element h : group_.generators()) {
        for (Element k = 0; k < group_.order(); ++k) check(g, h, k);
      }
    }
  }

  /// gh = gk only for h = k: each row is a permutation.
  void cancellation() const {
    std::vector<bool> hit;
    const auto check = [&](Element g) {
      hit.assign(group_.order(), false);
      for (Element h = 0; h < group_.order(); ++h) hit[group_.multiply_unchecked(g, h)] = true;
      EXPECT_EQ(std::count(hit.begin(), hit.end(), true), static_cast<long>(group_.order()));
    };
    std::mt19937 random(2);
    for (int i = 0; i < 20; ++i) check(draw(random));
  }

  /// g^m = e for the order m and no proper divisor of it; m divides |G|; negative powers invert.
  void powers_and_orders() const {
    for_elements([&](Element g) {
      const std::size_t m = group_.element_order(g);
      EXPECT_EQ(group_.order() % m, 0u);
      EXPECT_EQ(group_.power(g, static_cast<std::int64_t>(m)), 0u);
      for (std::size_t p = 2; p <= m; ++p) {
        if (m % p != 0) continue;
        EXPECT_NE(group_.power(g, static_cast<std::int64_t>(m / p)), 0u);
      }
      EXPECT_EQ(group_.power(g, -3), group_.inverse(group_.power(g, 3)));
    });
    EXPECT_EQ(group_.element_order(0), 1u);
  }

  /// A word evaluates to its element, and words grow by one letter along generators.
  void words() const {
    for_elements([&](Element g) {
      const Word word = group_.word(g);
      EXPECT_EQ(group_.evaluate(word), g);
      for (const Element s : group_.generators()) {
        EXPECT_LE(group_.word(group_.multiply(g, s)).size(), word.size() + 1);
      }
    });
    EXPECT_TRUE(group_.word(0).empty());
  }

  /// Every relator is the identity.
  void relators() const {
    const Presentation& presentation = group_.presentation();
    EXPECT_EQ(presentation.generators, group_.generator_names());
    for (const Word& relator : presentation.relators) EXPECT_EQ(group_.evaluate(relator), 0u);
  }

  /// The relators suffice: coset enumeration finds |G| cosets of the trivial subgroup.
  void presentation_defines_the_group() const {
    if (group_.order() > 6000) return;
    EXPECT_EQ(enumerate_cosets(group_.presentation()).count, group_.order());
  }

  /// Classes are closed under conjugation, partition G, and |C| divides |G|.
  void class_equation() const {
    const ConjugacyClasses& classes = group_.classes();
    std::size_t sum = 0;
    Element previous = 0;
    for (std::size_t c = 0; c < classes.count(); ++c) {
      sum += classes.members[c].size();
      EXPECT_EQ(group_.order() % classes.members[c].size(), 0u);
      EXPECT_TRUE(std::is_sorted(classes.members[c].begin(), classes.members[c].end()));
      if (c > 0) {
        EXPECT_GT(classes.representative(c), previous);
      }
      previous = classes.representative(c);
    }
    EXPECT_EQ(sum, group_.order());
    EXPECT_EQ(classes.members[0], std::vector<Element>{0});
    std::mt19937 random(3);
    for (int i = 0; i < 2000; ++i) {
      const Element g = draw(random), x = draw(random);
      EXPECT_EQ(classes.class_of[group_.conjugate(g, x)], classes.class_of[x]);
    }
    // |C_G(x)| · |class of x| = |G|
    for (int i = 0; i < 5; ++i) {
      const Element x = draw(random);
      EXPECT_EQ(centralizer(group_, x).order() * classes.members[classes.class_of[x]].size(),
                group_.order());
    }
  }

  /// Z(G) is the union of the classes of size 1; G/[G,G] is abelian and [G,G] normal.
  void center_and_derived_subgroup() const {
    const ConjugacyClasses& classes = group_.classes();
    const auto single = std::count_if(classes.members.begin(), classes.members.end(),
                                      [](const auto& members) { return members.size() == 1; });
    EXPECT_EQ(center(group_).order(), static_cast<std::size_t>(single));
    const Subgroup derived = derived_subgroup(group_);
    EXPECT_TRUE(is_normal(derived));
    EXPECT_EQ(is_abelian(group_), derived.order() == 1);
    std::mt19937 random(4);
    for (int i = 0; i < 500; ++i) {
      const Element g = draw(random), h = draw(random);
      EXPECT_TRUE(derived.contains(group_.multiply(group_.conjugate(g, h), group_.inverse(h))));
    }
  }

  /// p_{gh} = p_g p_h on generators h, and only e acts trivially.
  void defining_action() const {
    if (!defining_generators(group_) || group_.order() * defining_degree(group_) > 2'000'000)
      return;
    const auto& action = *defining_permutations(group_);
    ASSERT_EQ(action.size(), group_.order());
    for (Element g = 0; g < group_.order(); ++g) {
      for (const Element h : group_.generators()) {
        ASSERT_EQ(action[group_.multiply(g, h)], compose(action[g], action[h]));
      }
      EXPECT_EQ(action[g] == action[0], g == 0);
    }
  }

  /// ρ(gh) = ρ(g)ρ(h), ρ(g)ᵀρ(g) = 1, and only e acts trivially.
  void orthogonal_action() const {
    if (!orthogonal_matrices(group_)) return;
    const auto& matrices = *orthogonal_matrices(group_);
    const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(matrices[0].rows(), matrices[0].cols());
    ASSERT_EQ(matrices.size(), group_.order());
    for (Element g = 0; g < group_.order(); ++g) {
      EXPECT_LT((matrices[g].transpose() * matrices[g] - one).norm(), 1e-12);
      EXPECT_EQ((matrices[g] - one).norm() < 1e-9, g == 0);
      for (const Element h : group_.generators()) {
        EXPECT_LT((matrices[group_.multiply(g, h)] - matrices[g] * matrices[h]).norm(), 1e-12);
      }
    }
  }

 private:
  Element draw(std::mt19937& random) const {
    return static_cast<Element>(random() % group_.order());
  }

  template <typename Check>
  void for_elements(Check check) const {
    if (group_.order() <= kExhaustive) {
      for (Element g = 0; g < group_.order(); ++g) check(g);
      return;
    }
    std::mt19937 random(5);
    for (int i = 0; i < 500; ++i) check(draw(random));
  }

  Group group_;
};

}  // namespace algprior::laws
