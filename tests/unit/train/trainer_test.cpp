#include "algprior/train/trainer.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/base/interrupt.hpp"
#include "algprior/train/checkpoint.hpp"
#include "algprior/train/evaluate.hpp"
#include "toy.hpp"

#include <cmath>
#include <fstream>

#include <gtest/gtest.h>
#include <torch/optim/sgd.h>

namespace algprior {
namespace {

std::filesystem::path fresh_folder(const std::string& name) {
  const auto folder = std::filesystem::path(testing::TempDir()) / ("trainer-" + name);
  std::filesystem::remove_all(folder);
  return folder;
}

TrainerOptions options_in(const std::filesystem::path& folder) {
  TrainerOptions options;
  options.epochs = 4;
  options.batch_size = 16;
  options.seed = 3;
  options.parameters[0].options.learning_rate = 0.01;
  options.schedule.shape = Schedule::Shape::step;
  options.schedule.warmup_steps = 5;
  options.folder = folder;
  options.config = "epochs = 4\nseed = 3\n";
  return options;
}

Step prior_step() {
  return make_step({.fixed = make_fixed_prior(regular_representation(make_group("C4")), 9, 0.5)});
}

std::map<std::string, double> validate(const Network& network, std::int64_t epoch) {
  const auto key = RandomKey(3, "validation").at(static_cast<std::uint32_t>(epoch));
  return {{"accuracy", evaluate(classify(), network, toy::dataset(), key).at(0)}};
}

struct Outcome {
  NamedTensors last;
  NamedTensors best;
  std::string metrics;
  TrainingResult result;
};

// `stop_at` asks for a stop during that step (from 1), as Ctrl-C would; 0 lets the run end.
Step stopping_step(int stop_at) {
  return [inner = prior_step(), stop_at, count = std::make_shared<int>(0)](const Network& network,
                                                                           const Batch& batch) {
    if (++*count == stop_at) request_stop();
    return inner(network, batch);
  };
}

Outcome run_in_parts(const std::filesystem::path& folder, const std::vector<int>& stops) {
  for (const int stop : stops) {
    const auto network = toy::network(5);
    torch::manual_seed(17);
    Trainer trainer(network, stopping_step(stop), toy::dataset(), validate, options_in(folder));
    trainer.resume();
    EXPECT_THROW(trainer.run(), Interrupted);
    clear_stop();
  }
  const auto network = toy::network(5);
  torch::manual_seed(17);
  Trainer trainer(network, prior_step(), toy::dataset(), validate, options_in(folder));
  EXPECT_EQ(trainer.resume(), !stops.empty());
  const auto result = trainer.run();
  return {weights_of(*network.module), trainer.best_weights(), read_file(folder / "metrics.jsonl"),
          result};
}

void expect_equal(const Outcome& a, const Outcome& b) {
  for (const auto& [name, tensor] : a.last) EXPECT_TRUE(at::equal(tensor, b.last.at(name))) << name;
  for (const auto& [name, tensor] : a.best) EXPECT_TRUE(at::equal(tensor, b.best.at(name))) << name;
  EXPECT_EQ(a.metrics, b.metrics);
  EXPECT_EQ(a.result.steps, b.result.steps);
  EXPECT_EQ(a.result.best_epoch, b.result.best_epoch);
  EXPECT_EQ(a.result.best, b.result.best);
}

TEST(Trainer, ResumeGivesTheBitsOfARunNeverInterrupted) {
  const auto whole = run_in_parts(fresh_folder("whole"), {});
  EXPECT_EQ(whole.result.steps, 28);
  // Inside an epoch, at its last step, at the first of the next, twice in a row.
  for (const auto& stops : std::vector<std::vector<int>>{{3}, {7}, {8}, {1}, {5, 9}, {7, 7, 2}}) {
    expect_equal(run_in_parts(fresh_folder("parts"), stops), whole);
  }
}

TEST(Trainer, TheFileSinksHoldWhatHappened) {
  const auto folder = fresh_folder("files");
  const auto whole = run_in_parts(folder, {});
  EXPECT_EQ(std::count(whole.metrics.begin(), whole.metrics.end(), '\n'), 8);
  EXPECT_NE(whole.metrics.find(
                "{\"step\":7,\"epoch\":1,\"split\":\"train\",\"terms\":{\"equivariance\":"),
            std::string::npos)
      << whole.metrics;
  EXPECT_NE(whole.metrics.find("\"split\":\"validation\",\"terms\":{},\"metrics\":{\"accuracy\":"),
            std::string::npos);
  bool events = false;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    events = events || entry.path().filename().string().starts_with("events.out.tfevents");
  }
  EXPECT_TRUE(events);
}

TEST(Trainer, AFinishedRunIsNotRunAgain) {
  const auto folder = fresh_folder("finished");
  const auto whole = run_in_parts(folder, {});
  const auto network = toy::network(5);
  const Step never = [](const Network&, const Batch&) -> Terms {
    throw std::logic_error("trained");
  };
  Trainer trainer(network, never, toy::dataset(), validate, options_in(folder));
  EXPECT_TRUE(trainer.resume());
  EXPECT_EQ(trainer.run().steps, whole.result.steps);
  EXPECT_TRUE(
      at::equal(weights_of(*network.module).at("head.weight"), whole.last.at("head.weight")));
}

TEST(Trainer, RefusesAFolderInUseAndAChangedConfiguration) {
  const auto folder = fresh_folder("refuse");
  run_in_parts(folder, {});
  EXPECT_THROW(
      Trainer(toy::network(5), prior_step(), toy::dataset(), validate, options_in(folder)).run(),
      InputError);
  auto changed = options_in(folder);
  changed.config = "epochs = 5\nseed = 3\n";
  try {
    Trainer(toy::network(5), prior_step(), toy::dataset(), validate, changed).resume();
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("- epochs = 4\n+ epochs = 5"), std::string::npos);
    EXPECT_EQ(std::string(error.what()).find("seed"), std::string::npos);
  }
  const int threads = torch::get_num_threads();
  torch::set_num_threads(threads + 1);
  auto options = options_in(folder);
  try {
    Trainer(toy::network(5), prior_step(), toy::dataset(), validate, options).resume();
    ADD_FAILURE();
  } catch (const InputError& error) {
    const auto changed_line = "+ threads = " + std::to_string(threads + 1);
    EXPECT_NE(std::string(error.what()).find(changed_line), std::string::npos) << error.what();
  }
  options.allow_other_setting = true;
  EXPECT_TRUE(Trainer(toy::network(5), prior_step(), toy::dataset(), validate, options).resume());
  torch::set_num_threads(threads);
}

TEST(Trainer, NotANumberStopsNamingTermAndStepAndKeepsTheCheckpoint) {
  const auto folder = fresh_folder("nan");
  const Step poisoned = [inner = prior_step(), count = std::make_shared<int>(0)](
                            const Network& network, const Batch& batch) {
    auto terms = inner(network, batch);
    if (++*count == 10) terms.add("poison", at::full({}, std::nan("")));
    return terms;
  };
  Trainer trainer(toy::network(5), poisoned, toy::dataset(), validate, options_in(folder));
  try {
    trainer.run();
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("term poison is nan at step 10 (epoch 2)"),
              std::string::npos)
        << error.what();
  }
  const auto checkpoint = read_checkpoint(folder / "checkpoint.apc");
  EXPECT_TRUE(at::isfinite(checkpoint.tensors.at("model/head.weight")).all().item<bool>());
  EXPECT_NE(checkpoint.texts.at("progress").find("\"steps\":7"), std::string::npos);
}

TEST(Trainer, WeightsThatAreNotFiniteAreNeverSaved) {
  const auto folder = fresh_folder("infinite");
  // The loss is finite, its gradient is not.
  const Step poisoned = [inner = prior_step(), count = std::make_shared<int>(0)](
                            const Network& network, const Batch& batch) {
    auto terms = inner(network, batch);
    if (++*count == 14) {
      const auto w = network.module->parameters()[0];
      terms.add("root", (w.sum() - w.sum().detach()).abs().sqrt());
    }
    return terms;
  };
  Trainer trainer(toy::network(5), poisoned, toy::dataset(), validate, options_in(folder));
  EXPECT_THROW(trainer.run(), Error);
  const auto checkpoint = read_checkpoint(folder / "checkpoint.apc");
  EXPECT_NE(checkpoint.texts.at("progress").find("\"steps\":7"), std::string::npos);
}

TEST(Trainer, StopsEarlyAndKeepsTheBestWeights) {
  TrainerOptions options;
  options.epochs = 50;
  options.batch_size = 50;
  options.stopping.patience = 3;
  const auto network = toy::network(5);
  NamedTensors at_second;
  std::vector<MetricRecord> records;
  Trainer trainer(
      network, prior_step(), toy::dataset(),
      [&](const Network& trained, std::int64_t epoch) {
        if (epoch == 2) at_second = weights_of(*trained.module);
        const double value = epoch == 2 ? 0.9 : 0.5;
        return std::map<std::string, double>{{"accuracy", value}};
      },
      options);
  trainer.add_sink([&](const MetricRecord& record) { records.push_back(record); });
  const auto result = trainer.run();
  EXPECT_TRUE(result.stopped_early);
  EXPECT_EQ(result.epochs, 5);
  EXPECT_EQ(result.best_epoch, 2);
  EXPECT_EQ(result.best, 0.9);
  EXPECT_EQ(records.size(), 10U);
  EXPECT_TRUE(at::equal(trainer.best_weights().at("first.weight"), at_second.at("first.weight")));
  EXPECT_FALSE(
      at::equal(weights_of(*network.module).at("first.weight"), at_second.at("first.weight")));
}

TEST(Trainer, LearnsTheToyTask) {
  TrainerOptions options;
  options.epochs = 60;
  options.batch_size = 20;
  options.parameters[0].options.learning_rate = 0.02;
  options.stopping.patience = 0;
  const auto network = toy::network(5);
  torch::manual_seed(1);
  Trainer trainer(network, prior_step(), toy::dataset(), validate, options);
  EXPECT_GT(trainer.run().best, 0.9);
}

TEST(Evaluate, RestoresTheModeAndCountsTheLastBatch) {
  const auto network = toy::network(5);
  network.module->train();
  std::int64_t seen = 0;
  for_each_batch(network, toy::dataset(), RandomKey(0), 30, [&](const Batch& batch) {
    EXPECT_FALSE(network.module->is_training());
    EXPECT_FALSE(torch::GradMode::is_enabled());
    seen += batch.size();
  });
  EXPECT_EQ(seen, 100);
  EXPECT_TRUE(network.module->is_training());
}

TrainerOptions with_momentum() {
  TrainerOptions options;
  options.optimizer = [](const torch::nn::Module& module) {
    return to_optimizer(std::make_shared<torch::optim::SGD>(
        module.parameters(), torch::optim::SGDOptions(0.05).momentum(0.9)));
  };
  return options;
}

// Any optimizer of LibTorch: its momentum is in the checkpoint, and a resume gives the same bits.
TEST(Trainer, TakesAnyOptimizerAndResumesItToTheBit) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "trainer-sgd";
  std::filesystem::remove_all(folder);
  const auto train = [&](const std::filesystem::path& place, std::int64_t stop_after) {
    const auto network = toy::network(1);
    torch::manual_seed(4);
    TrainerOptions options = with_momentum();
    options.epochs = 3;
    options.batch_size = 16;
    options.folder = place;
    Trainer trainer(network, make_step({.pairs = false}), toy::dataset(), {}, options);
    trainer.observe_steps([&](std::int64_t steps) {
      if (steps == stop_after) request_stop();
    });
    trainer.resume();
    try {
      trainer.run();
    } catch (const Interrupted&) {
      clear_stop();
    }
    return weights_of(*network.module);
  };
  const auto whole = train(folder / "whole", -1);
  train(folder / "parts", 9);
  const auto resumed = train(folder / "parts", -1);
  for (const auto& [name, tensor] : whole) EXPECT_TRUE(at::equal(tensor, resumed.at(name))) << name;
  TrainerOptions other;  // a checkpoint of SGD's is none of Adam's
  other.folder = folder / "parts";
  other.epochs = 3;
  other.batch_size = 16;
  Trainer adam(toy::network(1), make_step({.pairs = false}), toy::dataset(), {}, other);
  EXPECT_THROW(adam.resume(), InputError);
}

TEST(Trainer, ClipsGradientsAndTakesAScheduleByFunction) {
  const auto distance_moved = [](double clip, double rate) {
    const auto network = toy::network(1);
    const auto start = weights_of(*network.module);
    torch::manual_seed(4);
    TrainerOptions options = with_momentum();
    options.epochs = 1;
    options.batch_size = 50;
    options.clip_norm = clip;
    options.rate = [rate](std::int64_t, std::int64_t, std::int64_t) { return rate; };
    Trainer(network, make_step({.pairs = false}), toy::dataset(), {}, options).run();
    double moved = 0;
    for (const auto& item : network.module->named_parameters()) {
      moved += (item.value() - start.at(item.key())).square().sum().item<double>();
    }
    return std::sqrt(moved);
  };
  EXPECT_EQ(distance_moved(0, 0), 0);
  // Two steps of SGD with momentum 0.9: at most (1 + 1.9) · rate · norm.
  EXPECT_LT(distance_moved(1e-3, 1), 2.9 * 0.05 * 1e-3 * 1.01);
  EXPECT_GT(distance_moved(0, 1), 1e-3);
}

// What LibTorch throws inside a network of one's own arrives as an Error that names the step.
TEST(Trainer, ALibTorchErrorInAStepIsAnError) {
  const Step broken = [](const Network& network, const Batch& batch) {
    Terms terms;
    terms.add("task", at::mm(network.forward(batch.x).output, at::ones({77, 2})).sum());
    return terms;
  };
  Trainer trainer(toy::network(1), broken, toy::dataset(), {}, {});
  try {
    trainer.run();
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("step 1"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("LibTorch says"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace algprior
