#include "algprior/train/step.hpp"

#include "../../kernels_for_now.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/parallel.hpp"
#include "algprior/kernel/kernels.hpp"
#include "algprior/nn/ddmnist.hpp"
#include "algprior/nn/weights.hpp"
#include "algprior/train/optimizer.hpp"
#include "toy.hpp"

#include <gtest/gtest.h>

namespace algprior {
namespace {

FixedPrior regular_prior(double weight) {
  return make_fixed_prior(regular_representation(make_group("C4")), 9, weight);
}

Batch batch_of(std::uint32_t epoch) {
  return toy::dataset().get(at::arange(100, at::kLong), RandomKey(0, "test").at(epoch));
}

bool equal(const NamedTensors& a, const NamedTensors& b) {
  for (const auto& [name, tensor] : a) {
    if (!at::equal(tensor, b.at(name))) return false;
  }
  return a.size() == b.size();
}

// The step without the library: two passes, ½ + ½.
at::Tensor by_hand(const Network& network, const Batch& batch) {
  const auto first = network.forward(batch.x);
  const auto second = network.forward(batch.gx);
  return 0.5 * at::cross_entropy_loss(first.output, batch.y) +
         0.5 * at::cross_entropy_loss(second.output, batch.gy);
}

TEST(ClassifyStep, LambdaZeroIsTheStepByHandBitForBit) {
  const auto train = [](const std::function<at::Tensor(const Network&, const Batch&)>& loss) {
    const auto network = toy::network(1);
    torch::manual_seed(9);  // dropout
    Adam optimizer(*network.module, AdamOptions{});
    for (std::uint32_t k = 0; k < 5; ++k) {
      optimizer.zero_gradients();
      loss(network, batch_of(k)).backward();
      optimizer.step();
    }
    return weights_of(*network.module);
  };
  const auto with_prior = [](double weight) {
    return [step = make_step({.fixed = regular_prior(weight)})](
               const Network& network, const Batch& batch) { return step(network, batch).total(); };
  };
  const auto hand = train(by_hand);
  EXPECT_TRUE(equal(train(with_prior(0.0)), hand));
  EXPECT_FALSE(equal(train(with_prior(1.0)), hand));
}

TEST(ClassifyStep, KernelsGiveTheSameBitsAgainAndTheNumbersOfTheirTwins) {
  const int threads = thread_count();
  set_thread_count(2);
  torch::manual_seed(3);
  Batch batch;
  batch.x = at::randn({6, 1, 56, 56});
  batch.gx = at::randn({6, 1, 56, 56});
  batch.y = batch.gy = at::arange(6, at::kLong);
  batch.g = at::arange(6, at::kLong);
  const auto step =
      make_step({.fixed = make_fixed_prior(regular_representation(make_group("D4xD4")), 66, 1.0)});
  const auto train = [&](Kernels choice, bool measured = false) {
    const KernelsForNow scope(choice);
    const auto network = nn::make_ddmnist_network(1);
    network.module->train();
    Adam optimizer(*network.module, AdamOptions{});
    double loss = 0.0;
    for (int k = 0; k < 3; ++k) {
      optimizer.zero_gradients();
      const auto terms = step(network, batch);
      if (measured) {
        EXPECT_GT(pulls(terms, network.module->parameters()).at(2).norm, 0.0);
      }
      const auto total = terms.total();
      total.backward();
      optimizer.step();
      loss = total.item<double>();
    }
    return std::pair(weights_of(*network.module), loss);
  };
  const auto first = train(Kernels::native);
  EXPECT_TRUE(equal(train(Kernels::native).first, first.first));
  EXPECT_TRUE(equal(train(Kernels::native, true).first, first.first)) << "a look at the pulls";
  const double twin = train(Kernels::torch).second;
  EXPECT_NEAR(first.second, twin, 1e-3 * twin);
  set_thread_count(threads);
}

TEST(ClassifyStep, TermsAreThePapers) {
  const auto network = toy::network(2);
  network.module->eval();
  const auto batch = batch_of(0);
  const auto terms = make_step({.fixed = regular_prior(2.0)})(network, batch);
  ASSERT_EQ(terms.all().size(), 3U);
  const auto value = [&](const char* name) { return terms.find(name)->value.item<double>(); };
  EXPECT_EQ(terms.find("task")->weight, 0.5);
  EXPECT_EQ(terms.find("task_shifted")->weight, 0.5);
  EXPECT_NE(value("task"), value("task_shifted"));
  EXPECT_NEAR(terms.total().item<double>(),
              0.5 * value("task") + 0.5 * value("task_shifted") + 2.0 * value("equivariance"),
              1e-5);
  // Row cnn: one pass over x, weight 1. Departure D-5: 1 + 0.
  const auto plain = make_step({.pairs = false})(network, batch);
  ASSERT_EQ(plain.all().size(), 1U);
  EXPECT_EQ(plain.total().item<double>(), value("task"));
  const auto reference =
      make_step({.weights = kReferencePairWeights, .fixed = regular_prior(2.0)})(network, batch);
  EXPECT_EQ(reference.find("task")->weight, 1.0);
  EXPECT_EQ(reference.find("task_shifted"), nullptr);
}

TEST(ClassifyStep, ANetworksOwnTermsComeLast) {
  auto network = toy::network(1);
  const auto weight = network.module->parameters()[0];
  network.terms = [weight] { return std::vector<Term>{{"decay", weight.square().sum(), 0.25}}; };
  for (const bool pairs : {true, false}) {
    const Terms terms = make_step({.pairs = pairs})(network, batch_of(0));
    ASSERT_EQ(terms.all().back().name, "decay");
    EXPECT_EQ(terms.all().back().weight, 0.25);
    EXPECT_TRUE(at::equal(terms.all().back().value, weight.square().sum()));
  }
}

// Layers that keep what they made from a parameter see by its version that it has moved.
TEST(ClassifyStep, AdamMovesTheVersionOfParameters) {
  const auto network = toy::network(1);
  const auto weight = network.module->parameters()[0];
  Adam optimizer(*network.module, AdamOptions{});
  make_step({})(network, batch_of(0)).total().backward();
  const auto before = weight._version();
  optimizer.step();
  EXPECT_GT(weight._version(), before);
}

TEST(ClassifyStep, RefusesWhatDoesNotFit) {
  const auto network = toy::network(2);
  Batch unpaired = batch_of(0);
  unpaired.gx = at::Tensor();
  EXPECT_THROW(make_step({.fixed = regular_prior(1.0)})(network, unpaired), InputError);
  Batch foreign = batch_of(0);
  foreign.y = at::full({100}, 7, at::kLong);
  try {
    make_step({.pairs = false})(network, foreign);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("label 7"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("8 classes"), std::string::npos);
  }
  EXPECT_THROW(classification_loss(at::zeros({3, 2}), at::zeros({2}, at::kLong)), InputError);
}

}  // namespace
}  // namespace algprior
