#include "algprior/train/balance.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/interrupt.hpp"
#include "algprior/nn/weights.hpp"
#include "algprior/train/trainer.hpp"
#include "toy.hpp"

#include <ATen/CPUGeneratorImpl.h>
#include <gtest/gtest.h>

namespace algprior {
namespace {

Step balanced_step(double weight = 1.0) {
  return make_step(
      {.fixed = make_fixed_prior(regular_representation(make_group("C4")), 9, weight)});
}

double factor_of(const Balance& balance, const Network& network, const Step& step) {
  return balanced_factor(balance, network, step, toy::dataset(), 25, RandomKey(0, "balance"));
}

TEST(Balance, MakesThePullsOfPriorAndTaskEqual) {
  const Network network = toy::network(1);
  network.module->train();
  const Balance balance{.ratio = 2.0, .batches = 1};
  torch::manual_seed(4);
  const double factor = factor_of(balance, network, balanced_step());
  torch::manual_seed(4);  // the same dropout
  const auto indices = shuffled_batches(100, 25, RandomKey(0, "balance")).at(0);
  const Batch batch = toy::dataset().get(indices, RandomKey(0, "balance"));
  Terms terms = balanced_step()(network, batch);
  terms.scale("equivariance", factor);
  Terms task, prior;
  for (const Term& term : terms.all()) {
    (belongs_to(term, "equivariance") ? prior : task).add(term.name, term.value, term.weight);
  }
  std::vector<at::Tensor> encoder;  // what the prior reaches
  for (const auto& item : network.module->named_parameters()) {
    if (!item.key().starts_with("head")) encoder.push_back(item.value());
  }
  const auto norm = [&](const Terms& some) {
    Terms one;
    one.add("sum", some.total());
    return pulls(one, encoder).at(0).norm;
  };
  EXPECT_NEAR(norm(prior), 2.0 * norm(task), 1e-4 * norm(prior));
}

TEST(Balance, TheWeightOfTheStepDropsOut) {
  torch::manual_seed(4);
  const double one = factor_of({.ratio = 1.0}, toy::network(1), balanced_step(1.0));
  torch::manual_seed(4);
  const double ten = factor_of({.ratio = 1.0}, toy::network(1), balanced_step(10.0));
  EXPECT_NEAR(one, 10.0 * ten, 1e-4 * one);
}

TEST(Balance, LeavesNetworkAndGeneratorAsTheyWere) {
  const Network network = toy::network(1);
  network.module->eval();
  const auto before = weights_of(*network.module);
  auto generator = at::detail::getDefaultCPUGenerator();
  const auto state = generator.get_state().clone();
  factor_of({.ratio = 1.0}, network, balanced_step());
  EXPECT_TRUE(at::equal(generator.get_state(), state));
  EXPECT_FALSE(network.module->is_training());
  for (const auto& [name, tensor] : weights_of(*network.module)) {
    EXPECT_TRUE(at::equal(tensor, before.at(name))) << name;
  }
  for (const auto& parameter : network.module->parameters()) {
    EXPECT_FALSE(parameter.grad().defined());
  }
}

TEST(Balance, WithoutAGradientIsRefused) {
  EXPECT_THROW(factor_of({.ratio = 1.0}, toy::network(1), balanced_step(0.0)), InputError);
  EXPECT_THROW(factor_of({.ratio = 1.0, .term = "algebra"}, toy::network(1), balanced_step()),
               InputError);
  EXPECT_THROW(factor_of({.ratio = 1.0}, toy::network(1), make_step({})), InputError);
}

TrainerOptions balanced_options(const std::string& name) {
  TrainerOptions options;
  options.epochs = 4;
  options.batch_size = 16;
  options.seed = 3;
  options.parameters[0].options.learning_rate = 0.01;
  options.balance = {.ratio = 1.0, .every = 2, .batches = 2};
  options.folder = std::filesystem::path(testing::TempDir()) / ("balance-" + name);
  options.tensorboard = false;
  std::filesystem::remove_all(options.folder);
  return options;
}

TEST(Balance, ARunResumesToTheBitAndSaysItsWeights) {
  const auto run = [](const TrainerOptions& options, int stop_at) {
    const auto step = [inner = balanced_step(), stop_at, count = std::make_shared<int>(0)](
                          const Network& network, const Batch& batch) {
      if (++*count == stop_at) request_stop();
      return inner(network, batch);
    };
    torch::manual_seed(8);
    Trainer trainer(toy::network(5), step, toy::dataset(), {}, options);
    trainer.resume();
    return std::pair(trainer.run(), trainer.best_weights());
  };
  std::vector<double> factors;
  const auto whole = [&] {
    Trainer trainer(toy::network(5), balanced_step(), toy::dataset(), {},
                    balanced_options("whole"));
    trainer.add_sink([&](const MetricRecord& record) {
      if (record.split == "train") factors.push_back(record.metrics.at("prior_balance"));
    });
    torch::manual_seed(8);
    const TrainingResult result = trainer.run();
    return std::pair(result, trainer.best_weights());
  }();
  ASSERT_EQ(factors.size(), 4U);
  EXPECT_EQ(factors[0], factors[1]);
  EXPECT_NE(factors[1], factors[2]);
  EXPECT_EQ(factors[3], whole.first.balance);
  // In the first epoch, at its end, and after the second measurement (7 steps an epoch and two
  // batches for each measurement before them).
  for (const int stop_at : {4, 9, 10, 20}) {
    const TrainerOptions options = balanced_options(std::to_string(stop_at));
    EXPECT_THROW(run(options, stop_at), Interrupted);
    clear_stop();
    const auto [result, weights] = run(options, 0);
    EXPECT_EQ(result.balance, whole.first.balance) << stop_at;
    for (const auto& [name, tensor] : whole.second) {
      EXPECT_TRUE(at::equal(tensor, weights.at(name))) << name << " after a stop at " << stop_at;
    }
  }
}

}  // namespace
}  // namespace algprior
