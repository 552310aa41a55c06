// What recipes refuse, and runs of each kind end to end.
#include "algprior/experiment/recipe.hpp"

#include "algprior/analysis/probes.hpp"
#include "algprior/base/error.hpp"
#include "algprior/data/tensor_data.hpp"
#include "algprior/paper/catalogue.hpp"
#include "algprior/paper/recipe_schema.hpp"
#include "algprior/train/evaluate.hpp"
#include "small_run.hpp"

namespace algprior {
namespace {

namespace fs = std::filesystem;

class Recipes : public RunExperiment {
 protected:
  // The message of the refusal; "" when nothing is refused.
  std::string refusal(const std::vector<std::string>& overrides) const {
    try {
      make_experiment(config(overrides));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
};

void expect_words(const std::string& text, std::initializer_list<const char*> words) {
  for (const char* word : words) {
    EXPECT_NE(text.find(word), std::string::npos) << word << "\n" << text;
  }
}

TEST_F(Recipes, KeysThatAreNotReadAreRefused) {
  expect_words(refusal({"prior.start=identity"}), {"prior.start", "learned"});
  expect_words(refusal({"prior.representation=none", "prior.weight=2"}), {"prior.weight"});
  expect_words(refusal({"data.digits=fonts"}), {"data.digits", "ddmnist"});
  expect_words(refusal({"network.place=first"}), {"network.place", "conv_autoencoder"});
  expect_words(refusal({"prior.representation=learned", "prior.relative=true"}),
               {"prior.relative"});
  expect_words(refusal({"network.kindd=mlp"}), {"network.kind"});
}

// 2026-11: tmnist took any data.group and ignored it.
TEST_F(Recipes, TmnistHasNoGroupToChoose) {
  EXPECT_THROW(
      config::parse_config(experiment_schema(),
                           "[experiment]\nrecipe = \"tmnist\"\n[data]\ngroup = \"C4\"\n", "t.toml"),
      InputError);
}

TEST_F(Recipes, DeparturesThatARecipeDoesNotHonourAreRefused) {
  expect_words(refusal({"experiment.reference=D-8"}), {"experiment.reference", "D-5"});
  EXPECT_EQ(refusal({"experiment.reference=D-5"}), "");
  EXPECT_EQ(to_string(run_id(config({"experiment.reference=D-5"}))), "own-data/regular@D-5/0");
}

// 2026-11: such a run failed after a whole epoch.
TEST_F(Recipes, AMetricToWatchThatTheTaskLacksIsRefused) {
  expect_words(refusal({"train.watch=error"}), {"train.watch", "accuracy", "loss"});
  expect_words(refusal({"network.kind=mlp_autoencoder", "train.watch=accuracy"}), {"error"});
}

// 2026-11-18: the parts of an experiment that were made before its network were freed twice.
TEST_F(Recipes, ANetworkThatCannotBeBuiltIsRefused) {
  const auto digits = config::parse_config(
      experiment_schema(),
      "[experiment]\nrecipe = \"ddmnist\"\n[data]\ngroup = \"C3\"\ndigits = \"fonts\"\n"
      "train_per_class = 1\nvalidation_per_class = 1\ntest_per_class = 1\n"
      "[network]\nkind = \"steerable\"\n[prior]\nrepresentation = \"none\"\n"
      "[train]\ntask = \"single\"\n",
      "c3.toml");
  try {
    make_experiment(digits);
    FAIL();
  } catch (const InputError& error) {
    expect_words(error.what(), {"C3", "C4", "off the grid"});
  }
  expect_words(refusal({"network.kind=cnn", "network.channels=[8,8,8,8,8,8]"}), {"network"});
}

TEST_F(Recipes, TheFileMustNameItsRecipe) {
  try {
    config::parse_config(experiment_schema(), "", "empty.toml");
    FAIL();
  } catch (const InputError& error) {
    expect_words(error.what(), {"experiment.recipe", "empty.toml", "arrays"});
  }
}

TEST_F(Recipes, TheSchemaWithoutLibTorchIsTheirs) {
  EXPECT_EQ(config::to_json(recipe_schema()), config::to_json(experiment_schema()))
      << "configs/recipes.json is stale: run scripts/write_docs.sh";
}

TEST_F(Recipes, EveryKeyHasASentence) {
  for (const config::Key& key : experiment_schema().keys()) {
    EXPECT_GT(key.description.size(), 4U) << key.name;
  }
}

TEST_F(Recipes, EveryMetricOfARunIsInTheGlossary) {
  for (const auto& overrides :
       {std::vector<std::string>{"train.epochs=1", "train.probes=true"},
        std::vector<std::string>{"train.epochs=1", "prior.representation=learned",
                                 "train.task=first", "train.watch=loss"}}) {
    const Result result =
        run_experiment(config(overrides), options(overrides.back().substr(6).c_str()));
    for (const auto& [name, value] : result.metrics) {
      EXPECT_NE(find_metric(name), nullptr) << name;
    }
    for (const std::string& column : result.columns) EXPECT_NE(find_metric(column), nullptr);
  }
}

TEST_F(Recipes, ARowWithoutAPriorHasNoErrorToIt) {
  const Result none =
      run_experiment(config({"prior.representation=none", "train.epochs=1"}), options("none"));
  EXPECT_FALSE(none.metrics.contains("equivariance_error"));
  EXPECT_TRUE(none.metrics.contains("invariance_error"));
  EXPECT_TRUE(none.metrics.contains("equivariance_error_regular"));
  const Result trivial = run_experiment(config({"prior.representation=trivial", "train.epochs=1"}),
                                        options("trivial"));
  EXPECT_EQ(trivial.metrics.at("equivariance_error"), trivial.metrics.at("invariance_error"));
}

// 2026-11: probes were left out of runs with a learned prior.
TEST_F(Recipes, ProbesAreMeasuredWithEveryPrior) {
  for (const char* prior : {"none", "regular", "learned"}) {
    std::size_t seen = 0;
    RunOptions run = options(prior);
    run.sink = [&](const MetricRecord& record) {
      seen += record.metrics.contains("local_probe_accuracy");
    };
    const Result result =
        run_experiment(config({std::string("prior.representation=") + prior, "train.probes=true",
                               "train.epochs=2", "train.watch=loss"}),
                       run);
    EXPECT_EQ(seen, 2U) << prior;
    const double local = result.metrics.at("local_probe_accuracy");
    EXPECT_GE(local, 0.25) << prior;  // chance among the four turns
    EXPECT_LE(local, 1.0);
    EXPECT_TRUE(result.metrics.contains("global_probe_accuracy"));
  }
}

// "invariance_loss" is the mean of MSE(E(gx), E(hx)) over all pairs g ≠ h of an orbit.
TEST_F(Recipes, TheInvarianceLossIsTheMeanOverPairs) {
  const Result result =
      run_experiment(config({"train.probes=true", "train.epochs=1"}), options("probes"));
  const Experiment again = load_experiment(folder_ / "probes");
  const torch::NoGradGuard no_gradient;
  again.network.module->eval();
  const auto batch = again.data->upright_test->get(torch::arange(60), RandomKey(0));
  std::vector<at::Tensor> orbit;
  for (Element g = 0; g < 4; ++g) {
    orbit.push_back(again.network.forward((*again.data->input)(g, batch.x)).latents[0]);
  }
  double sum = 0;
  for (std::size_t g = 0; g < 4; ++g) {
    for (std::size_t h = 0; h < 4; ++h) {
      if (g != h) sum += (orbit[g] - orbit[h]).square().mean().item<double>() / 12;
    }
  }
  EXPECT_NEAR(result.metrics.at("invariance_loss"), sum, 1e-6 * sum + 1e-12);
}

TEST_F(Recipes, AnAutoencoderMayCarryAFixedPrior) {
  const auto settings = config({"network.kind=mlp_autoencoder", "network.latent=8",
                                "prior.relative=true", "prior.weight=0.1", "train.epochs=30"});
  double first = 0;
  RunOptions run = options("autoencoder");
  run.sink = [&](const MetricRecord& record) {
    if (record.split == "validation" && record.epoch == 1) first = record.metrics.at("error");
  };
  const Result result = run_experiment(settings, run);
  EXPECT_LT(result.metrics.at("validation_error"), 0.8 * first);
  EXPECT_TRUE(result.metrics.contains("equivariance_error"));
  EXPECT_NEAR(result.metrics.at("test_error"), result.metrics.at("validation_error"), 0.1);
  // eval --data on an autoencoder looks at images, not at classes.
  const Experiment again = load_experiment(run.folder);
  const Dataset other =
      make_tensor_dataset("other", {torch::rand({5, 1, 3, 3}), torch::zeros({5}, torch::kInt64)});
  EXPECT_THROW(evaluate(again.task, again.network, other, RandomKey(0)), InputError);
}

TEST_F(Recipes, ARunThatDivergedSaysSo) {
  run_experiment(config({"prior.representation=learned", "train.task=first", "train.watch=loss",
                         "train.learning_rate=1e18"}),
                 options("diverged"));
  try {
    load_experiment(folder_ / "diverged");
    FAIL();
  } catch (const InputError& error) {
    expect_words(error.what(), {"diverged", "diverged.txt"});
  }
}

// Departures of the published code end to end, on pairs of drawn digits: each changes what it says
// and nothing else.
TEST_F(Recipes, DeparturesChangeWhatTheySay) {
  std::map<std::string, std::size_t> shifted;  // epochs with a task term of g·x
  const auto run = [&](const std::string& reference) {
    const auto settings = config::parse_config(
        experiment_schema(),
        "[experiment]\nrecipe = \"ddmnist\"\n[data]\ndigits = \"fonts\"\ntrain_per_class = 1\n"
        "validation_per_class = 1\ntest_per_class = 1\n[train]\nepochs = 1\n",
        "t.toml", {"experiment.reference=" + reference});
    RunOptions one = options(("departure" + reference).c_str());
    one.sink = [&](const MetricRecord& record) {
      if (record.split == "train") shifted[reference] += record.terms.contains("task_shifted");
    };
    const Result result = run_experiment(settings, one);
    EXPECT_EQ(result.id.changes, reference);
    return read_file(one.folder / "model.safetensors");
  };
  const std::string paper = run(""), turned = run("D-2"), alone = run("D-5");
  EXPECT_NE(turned, paper);
  EXPECT_NE(alone, paper);
  EXPECT_EQ(shifted[""], 1U);
  EXPECT_EQ(shifted["D-2"], 1U);
  EXPECT_EQ(shifted["D-5"], 0U);
}

// A set with a known answer: chiral figures, their mirror images and achiral ones.
TEST_F(Recipes, VolumesOfShapesTrain) {
  const auto settings = config::parse_config(
      experiment_schema(),
      "[experiment]\nrecipe = \"volumes\"\n[data]\nset = \"shapes\"\n[network]\nkind = \"mlp\"\n"
      "latent = 24\nhidden = [16]\n[train]\nepochs = 2\n",
      "t.toml");
  const Result result = run_experiment(settings, options("shapes"));
  EXPECT_EQ(result.columns.front(), "test_accuracy");
  EXPECT_GE(result.metrics.at("test_auc"), 0.3);
  EXPECT_TRUE(result.metrics.contains("augmented_test_auc"));
  EXPECT_TRUE(result.metrics.contains("equivariance_error_regular"));
}

// All rotations of space, the prior with a finite group of them; no file is needed.
TEST_F(Recipes, SubgroupsOfRotationsTrain) {
  const auto settings = config::parse_config(
      experiment_schema(),
      "[experiment]\nrecipe = \"subgroup\"\n[data]\nset = \"tetracubes\"\ngroup = \"T\"\n"
      "train_count = 32\nvalidation_count = 16\ntest_count = 60\nmotions = 3\n[network]\n"
      "kind = \"mlp\"\nlatent = 24\nhidden = [8]\n[prior]\nrelative = true\nbalance = 1.0\n"
      "[train]\nepochs = 2\nbatch_size = 16\n",
      "t.toml");
  const Result result = run_experiment(settings, options("subgroup"));
  EXPECT_EQ(result.metrics.at("room"), 2);
  EXPECT_GT(result.metrics.at("prior_balance"), 0);
  EXPECT_GT(result.metrics.at("linear_error"), 0);
  EXPECT_GT(result.metrics.at("linear_error_between"), 0);
  const std::string file = read_file(options("subgroup").folder / "motion_error.csv");
  EXPECT_EQ(std::count(file.begin(), file.end(), '\n'), 1 + 11 + 3);
}

// Of figures, whose labels would have to move as well.
TEST_F(Recipes, SubgroupsThatDoNotActSayWhatWould) {
  const auto settings = config::parse_config(
      experiment_schema(),
      "[experiment]\nrecipe = \"subgroup\"\n[data]\nset = \"tetracubes\"\ngroup = \"C4\"\n"
      "train_count = 8\nvalidation_count = 8\ntest_count = 8\n[network]\nkind = \"mlp\"\n"
      "latent = 4\n",
      "c4.toml");
  try {
    make_experiment(settings);
    ADD_FAILURE();
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("C4 does not move points of dimension 3"), std::string::npos) << text;
    EXPECT_NE(text.find("data.group = \"C4\""), std::string::npos) << text;
  }
}

// A text that is no representation of the data's group, a weight beside a balance.
TEST_F(Recipes, PriorsThatDoNotFitSayWhere) {
  const auto refused = [&](std::vector<std::string> overrides, const std::string& word) {
    try {
      make_experiment(config(std::move(overrides)));
      ADD_FAILURE() << word;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  };
  refused({"prior.representation=\"2*regular + tivial\""}, "column 13");
  refused({"prior.representation=\"regular#trivial\""}, "direct products");
  refused({"prior.representation=\"3*regular\""}, "does not fit the latent space");
  refused({"prior.balance=1.0", "prior.weight=0.5"}, "not both");
  refused({"prior.second_pass_every=3"}, "prior.latent_task");
}

// A folder of version 0.1: its keys and its data.kind are understood, its weights give its numbers,
// and what was stopped goes on.
TEST_F(Recipes, AFolderOfAnOlderVersionEvaluatesAndGoesOn) {
  fs::copy(fs::path(ALGPRIOR_TEST_DATA) / "bwc", folder_ / "bwc", fs::copy_options::recursive);
  const fs::path before = fs::current_path();
  fs::current_path(folder_ / "bwc");  // its data file is named without a folder
  const Result finished = read_result("finished/result.json");
  const auto metrics = load_experiment("finished").measure({});
  for (const char* name : {"test_accuracy", "equivariance_error", "latent_spread"}) {
    EXPECT_NEAR(metrics.at(name), finished.metrics.at(name), 1e-5) << name;
  }
  const config::Config config = read_run_config("stopped");
  RunOptions run;
  run.folder = "stopped";
  run.resume = run.allow_other_setting = true;
  run.holder = "test";
  const Result resumed = run_experiment(config, run);
  EXPECT_EQ(resumed.epochs, 60);
  EXPECT_NEAR(resumed.metrics.at("latent_spread"), finished.metrics.at("latent_spread"), 1e-4);
  EXPECT_EQ(run_experiment(config, run).epochs, 60);  // and is not run again
  fs::current_path(before);
}

}  // namespace
}  // namespace algprior
