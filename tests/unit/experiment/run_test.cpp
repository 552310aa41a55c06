#include "algprior/experiment/run.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/data/arrays.hpp"
#include "algprior/experiment/schema.hpp"
#include "algprior/io/npy.hpp"
#include "algprior/nn/network.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <torch/types.h>

namespace algprior {
namespace {

namespace fs = std::filesystem;

/// 60 images of 4×4 pixels in two classes: bright in the middle, or bright at the rim.
class RunExperiment : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / fmt::format("run_experiment_{}", test->name());
    fs::remove_all(folder_);
    make_folder(folder_);
    const at::Tensor y = torch::arange(60) % 2;
    at::Tensor middle = torch::zeros({4, 4});
    middle.slice(0, 1, 3).slice(1, 1, 3).fill_(1);
    const at::Tensor bright = y.to(torch::kFloat32).reshape({60, 1, 1});
    const at::Tensor noise = 0.1 * torch::sin(torch::arange(960, torch::kFloat32)).view({60, 4, 4});
    const at::Tensor x = bright * middle + (1 - bright) * (1 - middle) + noise;
    io::write_npz(folder_ / "data.npz", {{"x", to_array(x.unsqueeze(1))}, {"y", to_array(y)}});
  }

  config::Config config(std::vector<std::string> overrides = {}) const {
    const std::string file = (folder_ / "data.npz").string();
    const std::string text = fmt::format(
        "[data]\nkind = \"arrays\"\ngroup = \"C4\"\ntrain = \"{0}\"\nvalidation = \"{0}\"\n"
        "test = \"{0}\"\n[network]\nkind = \"mlp\"\nlatent = 9\nhidden = [8]\n"
        "[train]\nepochs = 3\nbatch_size = 16\nlearning_rate = 0.01\n",
        file);
    return config::parse_config(experiment_schema(), text, "test.toml", overrides);
  }

  RunOptions options(const char* name = "run") const {
    RunOptions result;
    result.folder = folder_ / name;
    result.holder = "test";
    return result;
  }

  fs::path folder_;
};

TEST_F(RunExperiment, LeavesAWholeRunFolder) {
  const Result result = run_experiment(config(), options());
  for (const char* file :
       {"config.toml", "metrics.jsonl", "checkpoint.apc", "model.safetensors", "result.json"}) {
    EXPECT_TRUE(fs::exists(folder_ / "run" / file)) << file;
  }
  EXPECT_EQ(result.experiment, "own-data");
  EXPECT_EQ(result.epochs, 3);
  EXPECT_EQ(result.parameters, 16 * 8 + 8 + 8 * 9 + 9 + 9 * 2 + 2);
  EXPECT_GT(result.metrics.at("augmented_test_accuracy"), 0.4);
  EXPECT_TRUE(result.metrics.contains("equivariance_error"));
  EXPECT_EQ(result.metrics.at("equivariance_error"),
            result.metrics.at("equivariance_error_regular"));
  EXPECT_EQ(to_json(read_result(folder_ / "run/result.json")), to_json(result));
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
  EXPECT_THROW(run_experiment(config({"network.kind=ddmnist"}), options("size")), InputError);
}

TEST_F(RunExperiment, EstimatesItsCostWithoutTraining) {
  const CostEstimate cost = estimate_cost(make_experiment(config()));
  EXPECT_EQ(cost.steps_per_epoch, 4);
  EXPECT_EQ(cost.epochs, 3);
  EXPECT_GT(cost.seconds_per_step, 0);
}

}  // namespace
}  // namespace algprior
