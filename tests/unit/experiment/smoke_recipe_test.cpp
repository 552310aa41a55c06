// The smoke recipe on short simulations that the solver makes here.
#include "algprior/fluid/smoke.hpp"
#include "algprior/paper/result.hpp"
#include "small_run.hpp"

#include <fstream>

namespace algprior {
namespace {

class SmokeRecipe : public RunExperiment {
 protected:
  static void SetUpTestSuite() {
    simulations() = std::filesystem::path(testing::TempDir()) / "short_smoke";
    std::filesystem::remove_all(simulations());
    fluid::make_smoke(simulations(), {}, 3, 46);
  }
  static std::filesystem::path& simulations() {
    static std::filesystem::path folder;
    return folder;
  }

  // Windows from offset t end at frame t + 12 + 6 in training and t + 12 + 20 in the tests.
  Result run(const char* name, const std::vector<std::string>& overrides,
             const char* rest = kNetwork) const {
    const std::string text = fmt::format(
        "[experiment]\nrecipe = \"smoke\"\n[data]\nfolder = \"{}\"\nframes = 46\ntraining = [1, "
        "2]\ndomain = [3]\nends = [8, 12, 14, 4]\nstride = 4\n{}",
        simulations().string(), rest);
    return run_experiment(config::parse_config(experiment_schema(), text, "smoke.toml", overrides),
                          options(name));
  }

  static constexpr const char* kNetwork =
      "[network]\nhidden_channels = 4\n[train]\nepochs = 2\nbatch_size = 2\nlearning_rate = 0.01\n";
};

TEST_F(SmokeRecipe, LeavesErrorsPicturesAndBothWeights) {
  const Result result = run("regular", {});
  for (const char* name :
       {"future_rmse", "domain_rmse", "rmse_by_samples/future", "best_weights/future_rmse",
        "best_weights/domain_rmse", "equivariance_error"}) {
    ASSERT_TRUE(result.metrics.contains(name)) << name;
    EXPECT_TRUE(std::isfinite(result.metrics.at(name))) << name;
  }
  const auto folder = folder_ / "regular";
  std::ifstream csv(folder / "rollout.csv");
  std::string line;
  int lines = 0;
  while (std::getline(csv, line)) ++lines;
  EXPECT_EQ(lines, 21);
  const auto arrays = io::read_npz(folder / "rollout.npz");
  EXPECT_EQ(arrays.at("truth").shape, (std::vector<std::int64_t>{20, 64, 64}));
  EXPECT_EQ(arrays.at("prediction").shape, arrays.at("truth").shape);
  // Simulation 1 enters from below and rises: with y upwards, most of its speed is in the lower
  // half.
  const at::Tensor speed = to_tensor(arrays.at("truth"))[0];
  EXPECT_GT(speed.narrow(0, 32, 32).sum().item<double>(),
            speed.narrow(0, 0, 32).sum().item<double>());
  for (const char* name : {"rollout_speed.png", "rollout_vorticity.png"}) {
    EXPECT_EQ(read_file(folder / name).substr(1, 3), "PNG") << name;
  }
  // The numbers of the best weights are those of the last when the best epoch is the last one.
  if (result.metrics.at("best_epoch") == 2) {
    EXPECT_EQ(result.metrics.at("best_weights/future_rmse"), result.metrics.at("future_rmse"));
  }
}

// A rate so small that nothing is learned, and one that spoils the second epoch: then the best
// epoch is the first, and its weights give other numbers than the last ones.
TEST_F(SmokeRecipe, TheBestWeightsAreMeasuredBesideTheLast) {
  const Result result = run("spoiled", {"train.learning_rate=0.001", "train.schedule_factor=2000",
                                        "prior.representation=none"});
  ASSERT_EQ(result.metrics.at("best_epoch"), 1);
  EXPECT_LT(result.metrics.at("best_weights/domain_rmse"), result.metrics.at("domain_rmse"));
}

TEST_F(SmokeRecipe, PredictorsAndDepartures) {
  const Result zero = run("zero", {}, "predictor = \"zero\"\n");
  EXPECT_GT(zero.metrics.at("future_rmse"), 0);
  EXPECT_FALSE(zero.metrics.contains("best_weights/future_rmse"));
  // D-4 asks the same of Z as long as a batch has one sample, and something else otherwise.
  const auto loss = [&](const char* name, std::vector<std::string> overrides) {
    overrides.insert(overrides.end(), {"train.epochs=1", "prior.weight=1"});
    return run(name, overrides).metrics.at("future_rmse");
  };
  EXPECT_EQ(loss("single", {"train.batch_size=1"}),
            loss("single_d4", {"train.batch_size=1", "experiment.reference=D-4"}));
  EXPECT_NE(loss("batch", {}), loss("batch_d4", {"experiment.reference=D-4"}));
  EXPECT_THROW(run("relative", {"experiment.reference=D-4", "prior.relative=true"}), InputError);
  EXPECT_THROW(run("ends", {"data.ends=[8, 12, 14]"}), InputError);
  EXPECT_THROW(run("long", {"data.ends=[8, 12, 40, 4]"}), InputError);
}

}  // namespace
}  // namespace algprior
