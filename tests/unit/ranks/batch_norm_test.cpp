#include "algprior/ranks/batch_norm.hpp"

#include "algprior/group/make_group.hpp"
#include "algprior/nn/conv_block.hpp"
#include "algprior/nn/steerable/layers.hpp"
#include "algprior/rep/constructions.hpp"
#include "forked_ranks.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <torch/types.h>

namespace algprior {
namespace {

double distance(const at::Tensor& a, const at::Tensor& b) {
  return (a - b).abs().max().item<double>();
}

// Two blocks on the whole batch of one process, and on shares of two and five samples of two ranks,
// x and g·x as streams: outputs, running averages and gradients are those of the whole batch.
TEST(SynchronisedBatchNorm, IsThatOfTheWholeBatchStreamByStream) {
  const auto texts = run_ranks(2, [](World& world) {
    at::set_num_threads(1);
    at::manual_seed(1);
    nn::ConvBlock2d first(nn::ConvBlock2dOptions(2, 4, 3)), second(nn::ConvBlock2dOptions(4, 3, 3));
    const auto x = at::randn({7, 2, 9, 9}), gx = 1.5 * at::randn({7, 2, 9, 9}) + 1;
    const auto target = at::randn({14, 3, 5, 5});
    const auto wanted = [&](std::int64_t begin, std::int64_t count) {
      return at::cat({target.narrow(0, begin, count), target.narrow(0, 7 + begin, count)});
    };
    const auto pass = [&](std::int64_t begin, std::int64_t count, double weight) {
      const auto both = at::cat({x.narrow(0, begin, count), gx.narrow(0, begin, count)});
      const auto y = second->forward(first->forward(both, 2), 2);
      ((y - wanted(begin, count)).square().mean() * weight).backward();
      return y.detach();
    };
    const auto state = [&] {
      std::vector<at::Tensor> all;
      for (const auto& block : {first, second}) {
        for (const auto& parameter : block->parameters()) all.push_back(parameter.grad().clone());
        all.push_back(block->bn->running_mean.clone());
        all.push_back(block->bn->running_var.clone());
      }
      return all;
    };
    const auto whole = pass(0, 7, 1.0);
    const auto expected = state();
    for (auto block : {first, second}) {
      block->zero_grad();
      block->bn->running_mean.zero_();
      block->bn->running_var.fill_(1.0);
    }
    const std::int64_t begin = world.leads() ? 0 : 2, count = world.leads() ? 2 : 5;
    const BatchNormScope synchronised(true);
    const auto own = pass(begin, count, static_cast<double>(count) / 7);
    for (const auto& block : {first, second}) {
      for (auto& parameter : block->parameters()) world.sum(parameter.mutable_grad());
    }
    double worst =
        distance(own, at::cat({whole.narrow(0, begin, count), whole.narrow(0, 7 + begin, count)}));
    const auto found = state();
    for (std::size_t i = 0; i < found.size(); ++i) {
      worst = std::max(
          worst, distance(found[i], expected[i]) / (1e-3 + expected[i].abs().max().item<double>()));
    }
    return worst < 1e-4 ? std::string("same") : fmt::format("off by {}", worst);
  });
  for (const std::string& text : texts) EXPECT_EQ(text, "same");
}

// What a layer gives, the gradients of its parameters, and its running averages after one pass.
template <class Norm>
std::vector<at::Tensor> pass_of(Norm norm, const at::Tensor& x) {
  const auto y = norm->forward(x);
  y.pow(3).sum().backward();
  std::vector<at::Tensor> all{y.detach()};
  for (auto& parameter : norm->parameters()) all.push_back(parameter.grad());
  for (auto& buffer : norm->buffers()) all.push_back(buffer);
  return all;
}

// How far a layer on shares of two and five samples is from the layer on all seven.
template <class Norm>
double off_whole(World& world, const steerable::Fields& fields) {
  const auto x = at::randn({7, fields.channels(), 4, 4}) + at::arange(7).view({7, 1, 1, 1});
  const std::int64_t begin = world.leads() ? 0 : 2, count = world.leads() ? 2 : 5;
  const Norm first(fields), second(fields);
  const auto whole = pass_of(first, x);
  const BatchNormScope synchronised(true);
  const auto own = pass_of(second, x.narrow(0, begin, count));
  double worst = distance(own[0], whole[0].narrow(0, begin, count));
  for (std::size_t i = 1; i < own.size(); ++i) {
    if (i <= first->parameters().size()) world.sum(own[i]);
    worst = std::max(
        worst, distance(own[i], whole[i]) / (1.0 + whole[i].abs().max().template item<double>()));
  }
  return worst;
}

TEST(SynchronisedBatchNorm, OfSteerableFieldsIsThatOfTheWholeBatch) {
  const auto texts = run_ranks(2, [](World& world) {
    at::set_num_threads(1);
    at::manual_seed(4);
    const Group group = make_group("C4");
    const auto steering = steerable::make_steering(group);
    const auto regular = steerable::make_field(steering, regular_representation(group));
    const double field =
        off_whole<steerable::FieldNorm>(world, {steerable::field_of_all_irreps(steering), 3});
    const double inner = off_whole<steerable::InnerNorm>(world, {regular, 3});
    return field < 1e-4 && inner < 1e-4 ? std::string("same")
                                        : fmt::format("off by {} and {}", field, inner);
  });
  for (const std::string& text : texts) EXPECT_EQ(text, "same");
}

// Each by its own samples: then the outputs of the ranks are not those of the whole batch.
TEST(SynchronisedBatchNorm, LocalOnesDiffer) {
  const auto texts = run_ranks(2, [](World& world) {
    at::set_num_threads(1);
    at::manual_seed(1);
    nn::ConvBlock2d block(nn::ConvBlock2dOptions(1, 2, 3));
    const auto x = at::randn({8, 1, 5, 5}) + at::arange(8).view({8, 1, 1, 1});
    const auto whole = block->forward(x).narrow(0, 4 * world.rank(), 4);
    const auto own = block->forward(x.narrow(0, 4 * world.rank(), 4));
    return distance(own, whole) > 0.1 ? std::string("differs") : std::string("same");
  });
  for (const std::string& text : texts) EXPECT_EQ(text, "differs");
}

}  // namespace
}  // namespace algprior
