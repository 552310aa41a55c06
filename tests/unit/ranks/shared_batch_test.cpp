// Losses that are no means over samples: ranks that share a batch against one process that has it.
#include "algprior/ranks/shared_batch.hpp"

#include "algprior/action/latent.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/prior/fixed_prior.hpp"
#include "algprior/rep/constructions.hpp"
#include "forked_ranks.hpp"

#include <numeric>

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace algprior {
namespace {

constexpr std::int64_t kSamples = 11;

struct Passed {
  double loss = 0;
  std::vector<at::Tensor> gradients;
};

// A task that is a mean over samples and a prior, from two layers of weights, in double.
class Problem {
 public:
  explicit Problem(LossScale scale)
      : prior_({{0, latent_action(regular_representation(make_group("C4")), 9)}}, 0.7, scale) {
    at::set_num_threads(1);
    at::manual_seed(2);
    x_ = at::randn({kSamples, 5}, at::kDouble);
    gx_ = 0.5 * at::randn({kSamples, 5}, at::kDouble) + 1.0;
    g_ = at::arange(kSamples).remainder(4);
    weights_ = {at::randn({5, 7}, at::kDouble).requires_grad_(),
                at::randn({7, 9}, at::kDouble).requires_grad_()};
  }

  Passed pass(std::int64_t begin, std::int64_t count, double weight) {
    for (auto& one : weights_) one.mutable_grad().reset();
    const auto encode = [&](const at::Tensor& all) {
      return at::matmul(at::tanh(at::matmul(all.narrow(0, begin, count), weights_[0])),
                        weights_[1]);
    };
    const auto z = encode(x_), zg = encode(gx_);
    Terms terms;
    terms.add("task", (z.sum(1) - 1.0).square().mean());
    prior_.add_terms(terms, {z}, {zg}, g_.narrow(0, begin, count));
    const auto total = terms.total() * weight;
    total.backward();
    return {total.item<double>(), {weights_[0].grad().clone(), weights_[1].grad().clone()}};
  }

 private:
  FixedPrior prior_;
  at::Tensor x_, gx_, g_;
  std::vector<at::Tensor> weights_;
};

// The largest difference between the whole batch in one process and shares in several, with each
// rank's loss computed together with the others' or, as a control, for itself.
double difference(World& world, LossScale scale, const std::vector<std::int64_t>& counts,
                  bool together) {
  Problem problem(scale);
  const Passed whole = problem.pass(0, kSamples, 1.0);
  const auto rank = static_cast<std::size_t>(world.rank());
  const auto begin =
      std::accumulate(counts.begin(), counts.begin() + world.rank(), std::int64_t{0});
  const SharedBatchScope scope(together);
  Passed own = problem.pass(begin, counts[rank], static_cast<double>(counts[rank]) / kSamples);
  const auto loss = at::full({1}, own.loss, at::kDouble);
  world.sum(loss);
  double worst = std::abs(loss.item<double>() - whole.loss) / std::abs(whole.loss);
  for (std::size_t i = 0; i < own.gradients.size(); ++i) {
    world.sum(own.gradients[i]);
    const auto off = (own.gradients[i] - whole.gradients[i]).abs().max();
    worst = std::max(worst, (off / whole.gradients[i].abs().max()).item<double>());
  }
  return worst;
}

void expect_whole(LossScale scale) {
  for (const auto& counts : {std::vector<std::int64_t>{4, 7}, {2, 6, 3}}) {
    const auto texts = run_ranks(static_cast<int>(counts.size()), [&](World& world) {
      const double together = difference(world, scale, counts, true);
      const double apart = difference(world, scale, counts, false);
      return together < 1e-12 && apart > 1e-3
                 ? std::string("right")
                 : fmt::format("together off by {}, apart by {}", together, apart);
    });
    for (const std::string& text : texts) EXPECT_EQ(text, "right");
  }
}

TEST(SharedBatch, RelativeLossIsThatOfTheWholeBatch) {
  expect_whole(LossScale::relative);
}

TEST(SharedBatch, LossAgainstTheFirstIsAgainstTheFirstOfTheWholeBatch) {
  expect_whole(LossScale::against_first);
}

TEST(SharedBatch, NothingIsSharedWithoutOtherRanksOrOutsideTheScope) {
  const auto alone = run_ranks(1, [](World&) {
    const SharedBatchScope scope(true);
    return std::string(shares_batch() ? "shared" : "own");
  });
  EXPECT_EQ(alone[0], "own");
  const auto two = run_ranks(2, [](World&) {
    std::string text = shares_batch() ? "shared" : "own";
    {
      const SharedBatchScope scope(true);
      text += shares_batch() ? " shared" : " own";
    }
    return text + (shares_batch() ? " shared" : " own");
  });
  for (const std::string& text : two) EXPECT_EQ(text, "own shared own");
}

}  // namespace
}  // namespace algprior
