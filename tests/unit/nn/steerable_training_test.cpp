// Every system trains: a few steps lower the loss on a batch, and gradients reach all parameters.
#include "algprior/nn/steerable/digits.hpp"
#include "algprior/nn/steerable/flows.hpp"
#include "train_a_little.hpp"

namespace algprior::steerable {
namespace {

TEST(SteerableTraining, EverySystemLearnsABatchOfDigits) {
  at::manual_seed(11);
  const auto x = at::rand({8, 1, 56, 56});
  const auto labels = at::arange(8).remainder(4);
  const auto loss = [&](const at::Tensor& output) {
    return at::cross_entropy_loss(output, labels);
  };
  for (const auto& [name, system] : {std::pair("scnn", System::scnn),
                                     {"restriction", System::restriction},
                                     {"rpp", System::rpp},
                                     {"pscnn", System::pscnn}}) {
    DigitNetworkOptions options;
    options.group = "C4";
    options.system.system = system;
    options.width = 1;
    options.latent = 8;
    options.classes = 4;
    const auto training = train_a_little(make_digit_network(1, options), x, loss, 8, 1e-2, name);
    EXPECT_LT(training.last, 0.8 * training.first) << name;
  }
}

TEST(SteerableTraining, EverySystemLearnsABatchOfFlows) {
  at::manual_seed(12);
  const auto x = at::randn({8, 4, 8, 8});
  const auto next = 0.5 * x.narrow(1, 2, 2) + 0.3 * x.narrow(1, 0, 2).roll(1, 2);
  const auto loss = [&](const at::Tensor& output) { return (output - next).square().mean(); };
  for (const auto& [name, system] : {std::pair("e2cnn", FlowSystem::e2cnn),
                                     {"rpp", FlowSystem::rpp},
                                     {"lift", FlowSystem::lift},
                                     {"rgroup", FlowSystem::rgroup},
                                     {"rsteer", FlowSystem::rsteer},
                                     {"pscnn", FlowSystem::pscnn}}) {
    FlowNetworkOptions options;
    options.system = system;
    options.frames = 2;
    options.hidden = 4;
    options.height = options.width = 8;
    const auto training = train_a_little(make_flow_network(1, options), x, loss, 12, 1e-2, name);
    EXPECT_LT(training.last, 0.9 * training.first) << name;
  }
}

}  // namespace
}  // namespace algprior::steerable
