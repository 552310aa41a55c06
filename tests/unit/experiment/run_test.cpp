#include "algprior/experiment/run.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/interrupt.hpp"
#include "algprior/nn/network.hpp"
#include "small_run.hpp"

namespace algprior {
namespace {

namespace fs = std::filesystem;

TEST_F(RunExperiment, LeavesAWholeRunFolder) {
  const Result result = run_experiment(config(), options());
  for (const char* file :
       {"config.toml", "metrics.jsonl", "checkpoint.apc", "model.safetensors", "result.json"}) {
    EXPECT_TRUE(fs::exists(folder_ / "run" / file)) << file;
  }
  EXPECT_EQ(result.id.experiment(), "own-data");
  EXPECT_EQ(result.epochs, 3);
  EXPECT_EQ(result.parameters, 16 * 8 + 8 + 8 * 9 + 9 + 9 * 2 + 2);
  EXPECT_GT(result.metrics.at("augmented_test_accuracy"), 0.6);  // chance is 0.5
  EXPECT_TRUE(result.metrics.contains("equivariance_error"));
  EXPECT_EQ(result.metrics.at("equivariance_error"),
            result.metrics.at("equivariance_error_regular"));
  EXPECT_EQ(to_json(read_result(folder_ / "run/result.json")), to_json(result));
}

// While it trains, one sees whether the prior acts.
TEST_F(RunExperiment, ValidationTellsTheEquivarianceErrorOfAPrior) {
  std::vector<double> errors;
  RunOptions run = options();
  run.sink = [&](const MetricRecord& record) {
    if (record.metrics.contains("equivariance_error")) {
      errors.push_back(record.metrics.at("equivariance_error"));
    }
  };
  run_experiment(config({"prior.weight=0", "train.epochs=20"}), run);
  ASSERT_EQ(errors.size(), 20U);
  const double without = errors.back();
  run.folder = folder_ / "strong";
  run_experiment(config({"prior.weight=10", "prior.relative=true", "train.epochs=20"}), run);
  ASSERT_EQ(errors.size(), 40U);
  EXPECT_LT(errors.back(), 0.8 * without);
  run.folder = folder_ / "none";
  run_experiment(config({"prior.representation=none", "train.epochs=2"}), run);
  EXPECT_EQ(errors.size(), 40U);
}

TEST_F(RunExperiment, IsNotRunAgainAndRefusesOtherSettings) {
  const Result first = run_experiment(config(), options());
  EXPECT_EQ(to_json(run_experiment(config(), options())), to_json(first));
  try {
    run_experiment(config({"train.learning_rate=0.02"}), options());
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("train.learning_rate"), std::string::npos);
  }
}

TEST_F(RunExperiment, AnAttemptThatFailedDoesNotHoldTheFolder) {
  EXPECT_THROW(run_experiment(config({"network.kind=ddmnist"}), options()), InputError);
  EXPECT_EQ(run_experiment(config(), options()).epochs, 3);
}

// A bar that began at 0 after a resume would promise an end far too soon.
TEST_F(RunExperiment, ReportsStepsAndTakesThemUpAfterAStop) {
  std::vector<std::uint64_t> seen;
  RunOptions run = options();
  run.progress = [&](std::uint64_t done, std::uint64_t total) {
    EXPECT_EQ(total, 12U);
    seen.push_back(done);
    if (done == 3) request_stop();
  };
  EXPECT_THROW(run_experiment(config(), run), Interrupted);
  clear_stop();
  EXPECT_EQ(seen, (std::vector<std::uint64_t>{0, 1, 2, 3}));
  seen.clear();
  run.resume = true;
  run.progress = [&](std::uint64_t done, std::uint64_t) { seen.push_back(done); };
  run_experiment(config(), run);
  EXPECT_EQ(seen.front(), 3U);
  EXPECT_EQ(seen.back(), 12U);
}

TEST_F(RunExperiment, WarmUpIsCountedInEpochs) {
  const Experiment experiment = make_experiment(config({"train.warmup=2"}));
  EXPECT_EQ(experiment.training->options.schedule.warmup_steps, 2 * 4);
}

TEST_F(RunExperiment, ReadsNpyFilesAndNamedArrays) {
  const auto arrays = io::read_npz(folder_ / "data.npz");
  io::write_npy(folder_ / "x.npy", arrays.at("x"));
  io::write_npy(folder_ / "y.npy", arrays.at("y"));
  io::write_npz(folder_ / "named.npz", {{"images", arrays.at("x")}, {"classes", arrays.at("y")}});
  std::vector<std::string> npy, named{"data.inputs=images", "data.labels=classes"};
  for (const char* part : {"train", "validation", "test"}) {
    npy.push_back(fmt::format("data.{}={}", part, (folder_ / "x.npy").string()));
    npy.push_back(fmt::format("data.{}_labels={}", part, (folder_ / "y.npy").string()));
    named.push_back(fmt::format("data.{}={}", part, (folder_ / "named.npz").string()));
  }
  const Result plain = run_experiment(config(), options("plain"));
  EXPECT_EQ(run_experiment(config(npy), options("npy")).metrics, plain.metrics);
  EXPECT_EQ(run_experiment(config(named), options("named")).metrics, plain.metrics);
  npy.pop_back();
  EXPECT_THROW(run_experiment(config(npy), options("no labels")), InputError);
}

TEST_F(RunExperiment, RefusesDataThatIsNoClassification) {
  const auto refusal = [&](const char* name, const at::Tensor& x, const at::Tensor& y) {
    io::write_npz(folder_ / name, {{"x", to_array(x)}, {"y", to_array(y)}});
    const std::string file = (folder_ / name).string();
    try {
      run_experiment(config({"data.train=" + file}), options("refused"));
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(file), std::string::npos) << error.what();
      return std::string(error.failure().what);
    }
    return std::string();
  };
  const auto x = torch::zeros({6, 1, 4, 4}), y = torch::arange(6) % 2;
  EXPECT_EQ(refusal("flat.npz", x.flatten(1), y), "the inputs are no images");
  EXPECT_EQ(refusal("none.npz", torch::zeros({0, 1, 4, 4}), torch::zeros({0}, torch::kInt64)),
            "there are no samples");
  EXPECT_EQ(refusal("real.npz", x, y.to(torch::kFloat32)), "the labels are no classes");
  EXPECT_EQ(refusal("negative.npz", x, y - 1), "a label is no class");
}

TEST_F(RunExperiment, MeasuresItsPriorAgainstTheSpreadWhenAsked) {
  const auto first_loss = [&](const char* name, const std::vector<std::string>& overrides) {
    double loss = 0;
    RunOptions run = options(name);
    run.sink = [&](const MetricRecord& record) {
      if (record.split == "train" && record.epoch == 1) loss = record.terms.at("equivariance");
    };
    run_experiment(config(overrides), run);
    return loss;
  };
  // The latents of this network are small: the plain loss is far below 1 from the first epoch on.
  EXPECT_LT(first_loss("plain", {"train.epochs=1"}), 0.5);
  const double relative = first_loss("relative", {"train.epochs=1", "prior.relative=true"});
  EXPECT_GT(relative, 0.5);
  EXPECT_LT(relative, 4);
}

TEST_F(RunExperiment, OneSeedOneResult) {
  const Result a = run_experiment(config(), options("a")),
               b = run_experiment(config(), options("b"));
  const Result c = run_experiment(config({"experiment.seed=1"}), options("c"));
  EXPECT_EQ(a.metrics, b.metrics);
  EXPECT_EQ(read_file(folder_ / "a/model.safetensors"), read_file(folder_ / "b/model.safetensors"));
  EXPECT_NE(read_file(folder_ / "a/model.safetensors"), read_file(folder_ / "c/model.safetensors"));
}

TEST_F(RunExperiment, RefusesWhatDoesNotFit) {
  try {
    run_experiment(config({"network.latent=3"}), options("small"));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("4"), std::string::npos);
  }
  EXPECT_THROW(run_experiment(config({"train.task=single"}), options("single")), InputError);
  EXPECT_THROW(run_experiment(config({"data.group=D3"}), options("grid")), InputError);
  EXPECT_THROW(run_experiment(config({"data.train="}), options("none")), InputError);
  EXPECT_THROW(run_experiment(config({"train.fresh_averages=true"}), options("norm")), InputError);
  EXPECT_THROW(run_experiment(config({"network.kind=ddmnist"}), options("size")), InputError);
}

TEST_F(RunExperiment, EstimatesItsCostWithoutTraining) {
  const CostEstimate cost = estimate_cost(make_experiment(config()));
  EXPECT_EQ(cost.steps_per_epoch, 4);
  EXPECT_EQ(cost.epochs, 3);
  EXPECT_GT(cost.seconds_per_step, 0);
  ASSERT_EQ(cost.pulls.size(), 3U);
  EXPECT_EQ(cost.pulls[2].name, "equivariance");
  const CostEstimate twice = estimate_cost(make_experiment(config({"prior.weight=2"})));
  EXPECT_NEAR(twice.pulls[2].norm, 2 * cost.pulls[2].norm, 1e-6);
}

}  // namespace
}  // namespace algprior
