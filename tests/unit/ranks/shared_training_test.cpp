// One network trained by several processes, against one process and against itself.
#include "../base/temporary_folder.hpp"
#include "../train/toy.hpp"
#include "algprior/base/interrupt.hpp"
#include "algprior/nn/batch_norm.hpp"
#include "algprior/train/trainer.hpp"
#include "forked_ranks.hpp"

#include <cctype>
#include <sstream>

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <torch/nn/module.h>

namespace algprior {
namespace {

namespace fs = std::filesystem;

// The toy's network with batch norm as ranks can synchronise it, with or without dropout.
Network make_net(bool dropout) {
  const SeededInitialisation seeded(3);
  const auto net = std::make_shared<toy::NetImpl>();
  return make_network({.module = net, .forward = [net, dropout](const at::Tensor& x) {
                         auto hidden = at::elu(nn::normalise(*net->norm, net->first->forward(x)));
                         if (dropout) hidden = net->dropout->forward(hidden);
                         const auto z = net->latent->forward(hidden);
                         return Encoded{net->head->forward(at::elu(z)), {z}};
                       }});
}

struct Plan {
  bool dropout = true;
  bool synchronised = false;
  fs::path folder = {};
  bool resume = false;
  bool allow = false;
  int stop_at = -1;  // a stop request on the last rank after this step
  int epochs = 2;
  bool relative = false;  // a prior whose loss is no mean over samples
};

// 50 samples in batches of 16: the last batch has two.
std::string train(const Plan& plan) {
  at::set_num_threads(1);
  at::manual_seed(7);  // of dropout in a process that is alone
  TrainerOptions options;
  options.epochs = plan.epochs;
  options.batch_size = 16;
  options.seed = 5;
  options.synchronised = plan.synchronised;
  options.allow_other_setting = plan.allow;
  options.tensorboard = false;
  options.checkpoint_seconds = 1e9;
  if (world().leads()) options.folder = plan.folder;
  const Network network = make_net(plan.dropout);
  StepOptions step;
  if (plan.relative) {
    const Action latent = latent_action(regular_representation(make_group("C4")), 9);
    step.fixed.emplace(std::vector<LatentTarget>{{0, latent}}, 1.0, LossScale::relative);
  }
  Trainer trainer(network, make_step(step), toy::dataset(50), {}, options);
  trainer.observe_steps([&](std::int64_t steps) {
    if (steps == plan.stop_at && world().rank() == world().size() - 1) request_stop();
  });
  if (plan.resume && !trainer.resume()) return "nothing to resume";
  std::string text;
  try {
    trainer.run();
  } catch (const Interrupted&) {
    return "interrupted";
  }
  for (const auto& [name, tensor] : weights_of(*network.module)) {
    const auto flat = tensor.to(at::kDouble).reshape(-1).contiguous();
    text += name;
    for (std::int64_t i = 0; i < flat.numel(); ++i) {
      text += fmt::format(" {:a}", flat[i].item<double>());
    }
    text += "\n";
  }
  return text;
}

RankTexts train_with(int ranks, const Plan& plan) {
  return run_ranks(ranks, [&](World&) { return train(plan); });
}

// The largest difference between numbers at the same place. Not of the bias before the batch norm,
// which takes it out again: its gradient is rounding, of which Adam makes steps of full length.
double distance(const std::string& a, const std::string& b) {
  std::istringstream first(a), second(b);
  double worst = 0;
  std::string x, y, name;
  while (first >> x) {
    if (!(second >> y)) return 1e9;
    if (std::isalpha(static_cast<unsigned char>(x[0])) != 0) name = x;
    if (name == "first.bias" || name == "norm.running_mean") continue;
    char *end_x = nullptr, *end_y = nullptr;
    const double u = std::strtod(x.c_str(), &end_x), v = std::strtod(y.c_str(), &end_y);
    if (*end_x == '\0' && *end_y == '\0') worst = std::max(worst, std::abs(u - v));
  }
  return worst;
}

TEST(SharedTraining, RanksAgreeAndRepeatBitForBit) {
  const auto first = train_with(3, {});
  const auto second = train_with(3, {});
  ASSERT_NE(first[0].find("head.bias"), std::string::npos) << first[0];
  for (int rank = 0; rank < 3; ++rank) {
    EXPECT_EQ(first[rank], first[0]);
    EXPECT_EQ(second[rank], first[0]);
  }
}

TEST(SharedTraining, OneRankIsNoRank) {
  const Plan plan;
  const std::string none = train_with(1, plan)[0];
  const auto one = run_ranks(1, [&](World&) {
    World world({.rank = 0, .size = 1});
    const WorldScope scope(world);
    return train(plan);
  });
  EXPECT_EQ(one[0], none);
}

TEST(SharedTraining, WithSynchronisedBatchNormIsOneProcessOnWholeBatches) {
  const Plan synchronised{.dropout = false, .synchronised = true};
  const std::string one = train_with(1, synchronised)[0];
  for (const int ranks : {2, 3}) {
    const auto several = train_with(ranks, synchronised);
    EXPECT_LT(distance(several[0], one), 1e-5);
  }
  const auto local = train_with(2, {.dropout = false, .synchronised = false});
  EXPECT_EQ(local[0], local[1]);
  EXPECT_GT(distance(local[0], one), 1e-3);
}

TEST(SharedTraining, WithARelativePriorIsOneProcessOnWholeBatches) {
  const Plan plan{.dropout = false, .synchronised = true, .relative = true};
  const std::string one = train_with(1, plan)[0];
  for (const int ranks : {2, 3}) {
    const auto several = train_with(ranks, plan);
    EXPECT_LT(distance(several[0], one), 2e-5);
    EXPECT_EQ(several[ranks - 1], several[0]);
  }
  EXPECT_GT(distance(train_with(1, {.dropout = false, .synchronised = true})[0], one), 1e-3);
}

TEST(SharedTraining, AStopOfOneRankStopsAllAndTheRunGoesOnInsideTheEpoch) {
  const TemporaryFolder folder;
  const auto whole = train_with(2, {});
  const auto stopped = train_with(2, {.folder = folder.path() / "run", .stop_at = 2});
  EXPECT_EQ(stopped, (RankTexts{"interrupted", "interrupted"}));
  fs::copy(folder.path() / "run", folder.path() / "other");
  const auto rest = train_with(2, {.folder = folder.path() / "run", .resume = true});
  EXPECT_EQ(rest, whole);
  // Another number of ranks: not to the bit, and only when allowed.
  const auto refused = train_with(3, {.folder = folder.path() / "other", .resume = true});
  EXPECT_NE(refused[0].find("ranks = 2"), std::string::npos) << refused[0];
  EXPECT_NE(refused[0].find("--other-setting"), std::string::npos) << refused[0];
  const auto other =
      train_with(3, {.folder = folder.path() / "other", .resume = true, .allow = true});
  EXPECT_NE(other[0].find("head.bias"), std::string::npos) << other[0];
  EXPECT_EQ(other[2], other[0]);
}

}  // namespace
}  // namespace algprior
