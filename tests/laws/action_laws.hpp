#pragma once

#include "algprior/action/symmetry.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace algprior::laws {

/// The axioms of a left action on a given batch x: T_e = id, T_g T_h = T_{gh} to the action's own
/// tolerance, batching (each sample by its own element gives what single samples give), and, where
/// the group is not abelian and x is in general position, that the opposite order fails by far.
struct ActionLaws {
  const Action& action;
  at::Tensor x;

  void identity() const {
    EXPECT_TRUE(at::equal(action(Group::identity(), x), x)) << action.name();
  }

  void composition(std::size_t pairs = 512) const {
    EXPECT_LE(action_defect(action, x, pairs), action.tolerance()) << action.name();
  }

  void wrong_order_fails(double by, std::size_t pairs = 512) const {
    EXPECT_GT(opposite_defect(action, x, pairs), by) << action.name();
  }

  void batching() const {
    const auto order = static_cast<std::int64_t>(action.group().order());
    const auto samples = x.size(0);
    const auto g = at::arange(samples, at::kLong).mul(7).add(1).remainder(order);
    const auto together = action(g, x);
    for (std::int64_t n = 0; n < samples; ++n) {
      const auto alone = action(g.narrow(0, n, 1), x.narrow(0, n, 1));
      EXPECT_TRUE(at::equal(together.narrow(0, n, 1), alone)) << action.name() << " sample " << n;
    }
  }

  void all(std::size_t pairs = 512) const {
    identity();
    composition(pairs);
    batching();
  }
};

}  // namespace algprior::laws
