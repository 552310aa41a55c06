#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/experiment/run.hpp"
#include "algprior/io/npy.hpp"
#include "algprior/nn/arrays.hpp"
#include "algprior/nn/weights.hpp"
#include "algprior/paper/catalogue.hpp"
#include "algprior/paper/exploratory_table.hpp"
#include "algprior/toml/read_config.hpp"

#include <cstdlib>
#include <optional>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <torch/types.h>
#include <torch/utils.h>

namespace algprior {
namespace {

namespace fs = std::filesystem;

fs::path empty_folder() {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  const fs::path folder = fs::path(testing::TempDir()) / fmt::format("learned_{}", test->name());
  fs::remove_all(folder);
  make_folder(folder);
  return folder;
}

config::Config parse(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return config::parse_config(experiment_schema(), text, "test.toml", overrides);
}

RunOptions into(const fs::path& folder) {
  RunOptions options;
  options.folder = folder;
  options.resume = true;
  options.holder = "test";
  return options;
}

// Random 4×4 images under quarter turns, a small classifier and a learned ρ̂ on its 8 latents.
std::string learned_text(const fs::path& folder) {
  const at::Tensor x =
      torch::sin(torch::arange(40 * 16, torch::kFloat32) * 1.7).view({40, 1, 4, 4});
  io::write_npz(folder / "data.npz", {{"x", to_array(x)}, {"y", to_array(torch::arange(40) % 2)}});
  return fmt::format(
      "[experiment]\nrecipe = \"arrays\"\n[data]\ngroup = \"C4\"\ntrain = \"{0}\"\nvalidation = "
      "\"{0}\"\n"
      "test = \"{0}\"\n[network]\nkind = \"mlp\"\nlatent = 8\nhidden = [8]\n"
      "[prior]\nrepresentation = \"learned\"\nstart = \"identity\"\nnoise = 0.1\n"
      "regulariser = \"inverse\"\n"
      "[train]\ntask = \"first\"\nepochs = 3\nbatch_size = 16\nlearning_rate = 0.01\n"
      "watch = \"loss\"\n",
      (folder / "data.npz").string());
}

// `algprior eval` of such a run.
TEST(LearnedRun, IsMeasuredAgainFromItsWeights) {
  const fs::path folder = empty_folder();
  const config::Config config = parse(learned_text(folder));
  const Result result = run_experiment(config, into(folder / "run"));
  const Experiment again = load_experiment(folder / "run");
  const auto metrics = again.measure({});
  EXPECT_TRUE(metrics.contains("algebra_loss"));
  for (const auto& [name, value] : metrics) EXPECT_EQ(value, result.metrics.at(name)) << name;
}

TEST(LearnedRun, SaysWhichRepresentationWasLearned) {
  const fs::path folder = empty_folder();
  const Result result = run_experiment(parse(learned_text(folder)), into(folder / "run"));
  for (const char* file : {"eigenvalues.csv", "representation.json", "representation.safetensors",
                           "theorem.csv", "model.safetensors", "result.json"}) {
    EXPECT_TRUE(fs::exists(folder / "run" / file)) << file;
  }
  double eigenvalues = 0;
  for (int k = 0; k < 4; ++k) {
    eigenvalues += result.metrics.at(fmt::format("eigenvalues/r/{}", k));
  }
  EXPECT_EQ(eigenvalues, 8);
  for (const char* name : {"algebra_loss", "equivariance_loss", "independent_orbits",
                           "validation_loss", "augmented_test_accuracy"}) {
    EXPECT_TRUE(result.metrics.count(name)) << name;
  }
  const Result again = run_experiment(parse(learned_text(folder)), into(folder / "again"));
  EXPECT_EQ(result.metrics, again.metrics);
}

TEST(LearnedRun, SmallLayersTrainOnOneThreadAndLargeOnesOnAll) {
  const fs::path folder = empty_folder();
  const int before = torch::get_num_threads();
  torch::set_num_threads(2);
  const auto small = parse(learned_text(folder), {"train.epochs=1"});
  const auto large = parse(learned_text(folder), {"train.epochs=1", "network.hidden=[2600, 2600]"});
  EXPECT_EQ(run_experiment(small, into(folder / "small")).threads, 1);
  EXPECT_EQ(run_experiment(large, into(folder / "large")).threads, 2);
  EXPECT_EQ(torch::get_num_threads(), 2);
  torch::set_num_threads(before);
}

TEST(LearnedRun, OneThatDivergesIsMarkedAndKept) {
  const fs::path folder = empty_folder();
  const auto config = parse(learned_text(folder), {"train.learning_rate=1e18"});
  const Result result = run_experiment(config, into(folder / "run"));
  EXPECT_EQ(result.metrics.at("diverged"), 1);
  EXPECT_EQ(result.metrics.at("converged"), 0);
  EXPECT_FALSE(read_file(folder / "run" / "diverged.txt").empty());
  EXPECT_TRUE(fs::exists(folder / "run" / "result.json"));
}

TEST(NullRun, CountsEverySeed) {
  const fs::path folder = empty_folder();
  const auto config = parse(
      "[experiment]\nrecipe = \"null\"\n[data]\ngroup = \"C2\"\n[network]\nlatent = 4\n[prior]\n"
      "regulariser = \"inverse\"\n[train]\nlearning_rate = 0.003\nsteps = 40\nseeds = "
      "12\n");
  const Result result = run_experiment(config, into(folder / "run"));
  double shares = 0;
  for (const auto& [name, share] : result.metrics) {
    if (name.starts_with("share/r/0/")) shares += share;
  }
  EXPECT_NEAR(shares, 1, 1e-9);
  EXPECT_EQ(result.metrics.at("seeds"), 12);
  EXPECT_NEAR(result.metrics.at("eigenvalues/r/0") + result.metrics.at("eigenvalues/r/1"), 4, 1e-9);
  EXPECT_TRUE(fs::exists(folder / "run" / "null.csv"));
}

// Trap 22: the algebra terms rule the total loss at first, so it is watched with a margin.
TEST(PaperConfigs, ExploratoryRunsWatchTheTotalLoss) {
  for (const char* name : {"tmnist", "mnist", "cifar"}) {
    for (const PaperRow& row : rows_of(name)) {
      const auto config =
          config::parse_config(experiment_schema(), std::string(row.toml), std::string(row.row));
      EXPECT_EQ(config.get<std::string>("train.watch"), "loss") << row.experiment();
      EXPECT_EQ(config.get<double>("train.min_delta"), 1e-3) << row.experiment();
      EXPECT_EQ(config.get<std::int64_t>("train.patience"), 10) << row.experiment();
      EXPECT_EQ(config.get<std::int64_t>("train.batch_size"), 64) << row.experiment();
    }
  }
}

// CIFAR files whose training images all carry label 1 and test images label 2: black, but for a red
// row at the top. Images are moved by the whole group before their partner is made.
class CifarFiles {
 public:
  CifarFiles() : folder_(empty_folder()) {
    make_folder(folder_ / "cifar10");
    for (const auto& [file, label] :
         {std::pair{"data_batch_1.bin", '\1'}, {"test_batch.bin", '\2'}}) {
      std::string bytes(30'730'000, '\0');
      for (std::size_t record = 0; record < 10'000; ++record) {
        bytes[record * 3073] = label;
        bytes.replace(record * 3073 + 1, 32, 32, '\xff');
      }
      write_file(folder_ / "cifar10" / file, bytes);
    }
    if (const char* before = std::getenv("ALGPRIOR_DATA")) before_ = before;
    ::setenv("ALGPRIOR_DATA", folder_.c_str(), 1);
  }
  ~CifarFiles() {
    before_ ? ::setenv("ALGPRIOR_DATA", before_->c_str(), 1) : ::unsetenv("ALGPRIOR_DATA");
    fs::remove_all(folder_);
  }

 private:
  fs::path folder_;
  std::optional<std::string> before_;
};

ExperimentData small_cifar(const std::string& data =
                               "group = \"C4\"\naugment = \"group\"\n"
                               "partner = \"others\"\n") {
  const CifarFiles files;
  return make_experiment(parse("[experiment]\nrecipe = \"cifar10\"\n[data]\n" + data)).data.value();
}

// Trap 26: the published code tests on its training images.
TEST(CifarData, TheTestSetIsTheTestSplit) {
  const auto data = small_cifar();
  EXPECT_EQ(data.train.size, 9000);
  EXPECT_EQ(data.validation.size, 1000);
  const Dataset& test = data.tests.at(0).data;
  EXPECT_EQ(test.size, 10'000);  // all of it, not a quarter
  const auto numbers = torch::arange(50) * 200;
  EXPECT_TRUE(test.get(numbers, RandomKey(0)).y.eq(2).all().item<bool>());
  EXPECT_TRUE(data.train.get(numbers.slice(0, 0, 40), RandomKey(0)).y.eq(1).all().item<bool>());
  const at::Tensor green = test.get(numbers, RandomKey(0)).x.select(1, 1);
  EXPECT_FLOAT_EQ(green.max().item<float>(), -1);  // black
}

// An orbit of an image that was moved first says nothing of g: probes must begin at upright images,
// or they see chance whatever the encoder does.
TEST(CifarData, ProbesBeginAtUprightImages) {
  const auto data = small_cifar();
  const auto numbers = torch::arange(50);
  const auto top = [&](const Dataset& images) {  // the red row at the top
    return images.get(numbers, RandomKey(0)).x.select(1, 0).select(1, 0).min().item<float>();
  };
  EXPECT_FLOAT_EQ(top(*data.upright_train), 1);
  EXPECT_FLOAT_EQ(top(*data.upright_test), 1);
  EXPECT_FLOAT_EQ(top(data.train), -1);
  EXPECT_FLOAT_EQ(top(data.tests.at(0).data), -1);
}

// The paper's partners for D3, here for D4: half are flipped, half turned, none is both.
TEST(CifarData, PartnersByGeneratorsAreAFlipOrATurn) {
  const auto data = small_cifar("group = \"D4\"\naugment = \"none\"\npartner = \"generators\"\n");
  const at::Tensor g = data.train.get(torch::arange(4000), RandomKey(5)).g;
  const auto count = [&](std::int64_t element) {
    return static_cast<double>(g.eq(element).sum().item<std::int64_t>());
  };
  EXPECT_EQ(count(0), 0);
  EXPECT_NEAR(count(4), 2000, 150);  // s, the one flip
  for (std::int64_t turn = 1; turn < 4; ++turn) EXPECT_NEAR(count(turn), 2000.0 / 3, 110) << turn;
  for (std::int64_t other = 5; other < 8; ++other) EXPECT_EQ(count(other), 0) << other;
  EXPECT_THROW(small_cifar("group = \"C4\"\npartner = \"generators\"\n"), InputError);
}

TEST(CifarData, AugmentationByFlipsTurnsNothing) {
  const auto data = small_cifar("group = \"D4\"\naugment = \"flip\"\npartner = \"uniform\"\n");
  const at::Tensor x = data.train.get(torch::arange(200), RandomKey(5)).x;
  EXPECT_FLOAT_EQ(x.select(1, 0).select(1, 0).min().item<float>(),
                  1);  // the red row stays at the top
  EXPECT_THROW(small_cifar("group = \"C4\"\naugment = \"flip\"\n"), InputError);
}

TEST(ExploratoryTable, MarksRunsAndNamesWhatIsMissing) {
  Result good;
  good.id = make_run_id("tmnist-c2", "learned", 0);
  good.metrics = {{"eigenvalues/r/1", 3},      {"eigenvalues/r/0", 5},    {"algebra_loss", 2e-9},
                  {"equivariance_loss", 1e-3}, {"independent_orbits", 3}, {"converged", 1}};
  Result diverged = good;
  diverged.id.seed = 1;
  diverged.metrics = {{"diverged", 1}, {"converged", 0}};
  Result null;
  null.id = make_run_id("null-c2", "normal", 0);
  null.metrics = {{"seeds", 200},           {"unconverged", 11},   {"eigenvalues/r/1", 4.1},
                  {"eigenvalues/r/0", 3.9}, {"share/r/1/4", 0.51}, {"median_algebra_loss", 1e-12}};
  const auto tables = make_exploratory_tables({good, diverged, null});
  ASSERT_EQ(tables.at(0).experiment, "tmnist-c2");
  EXPECT_EQ(tables[0].published.size(), 5);
  ASSERT_EQ(tables[0].ours.size(), 2);
  EXPECT_EQ(tables[0].ours[0].values.at(0), 3);
  EXPECT_FALSE(tables[0].ours[1].converged);
  EXPECT_FALSE(tables[0].ours[1].values.at(0).has_value());
  const std::string text = to_text(tables);
  EXPECT_NE(text.find("not converged"), std::string::npos);
  EXPECT_NE(text.find("4 in 51 %"), std::string::npos);
  EXPECT_NE(text.find("5.5 % of the seeds did not converge"), std::string::npos);
  EXPECT_NE(text.find("algprior paper run mnist-d3 --seeds 5"), std::string::npos);
  EXPECT_NE(to_json(tables).find("\"experiment\": \"persistence-c4\""), std::string::npos);
}

}  // namespace
}  // namespace algprior
