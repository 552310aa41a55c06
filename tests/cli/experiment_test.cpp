// `algprior train` and `algprior paper` as a person runs them.
#include "../unit/base/temporary_folder.hpp"
#include "run_program.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace algprior {
namespace {

using Json = nlohmann::ordered_json;

TEST(ExperimentCommands, ListTheRows) {
  const Outcome outcome = run_algprior({"paper", "list", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  bool found = false;
  for (const Json& entry : Json::parse(outcome.out)) found |= entry["experiment"] == "ddmnist-d4";
  EXPECT_TRUE(found);
}

// Answers without LibTorch.
TEST(ExperimentCommands, AStarterFileHasTheKeysOfItsRecipeAlone) {
  const Outcome null = run_algprior({"train", "--new", "null"});
  ASSERT_EQ(null.code, 0) << null.err;
  EXPECT_TRUE(contains(null.out, "steps = 4000")) << null.out;
  EXPECT_FALSE(contains(null.out, "patience")) << null.out;
  const Outcome learned =
      run_algprior({"train", "--new", "mnist", "--set", "prior.representation=learned"});
  EXPECT_TRUE(contains(learned.out, "latent_to_output")) << learned.out;
  const Outcome wrong = run_algprior({"train", "--new", "ddmnst"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.err, "ddmnist")) << wrong.err;
}

TEST(ExperimentCommands, AStarterFileIsAWholeConfiguration) {
  if (!kHasTorch) GTEST_SKIP() << "built without LibTorch";
  const Outcome starter = run_algprior({"train", "--new"});
  ASSERT_EQ(starter.code, 0) << starter.err;
  EXPECT_TRUE(contains(starter.out, "[prior]"));
  EXPECT_TRUE(contains(starter.out, "\nrelative = true\n")) << starter.out;
  EXPECT_TRUE(contains(starter.out, "\nbalance = 10.0\n")) << starter.out;
  const auto file = std::filesystem::path(::testing::TempDir()) / "starter.toml";
  std::ofstream(file) << starter.out;
  const Outcome wrong = run_algprior({"train", file.string(), "--set", "prior.wieght=2"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.err, "prior.weight")) << wrong.err;
}

TEST(ExperimentCommands, WhatTrainsSaysThatLibTorchIsAbsent) {
  if (kHasTorch) GTEST_SKIP() << "built with LibTorch";
  const Outcome outcome = run_algprior({"paper", "run", "ddmnist-d4"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.err, "LibTorch")) << outcome.err;
}

TEST(ExperimentCommands, EvalMeasuresARunAgain) {
  if (!kHasTorch) GTEST_SKIP() << "built without LibTorch";
  const TemporaryFolder folder;
  std::ofstream(folder / "small.toml")
      << "[experiment]\nrecipe = \"ddmnist\"\n[data]\ndigits = \"fonts\"\ntrain_per_class = "
         "2\nvalidation_per_class = 1\n"
         "test_per_class = 1\n[train]\nepochs = 1\n";
  const std::string run = (folder / "run").string();
  const auto train = [&](std::vector<std::string> more) {
    more.insert(more.begin(),
                {"train", (folder / "small.toml").string(), "--threads", "1", "--json"});
    const Outcome outcome = run_algprior(more);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out)["metrics"];
  };
  const Json before = train({"--out", run});
  const Outcome finished =
      run_algprior({"train", (folder / "small.toml").string(), "--threads", "1", "--out", run});
  EXPECT_EQ(finished.code, 0);
  EXPECT_TRUE(contains(finished.err, "not run again")) << finished.err;
  const auto eval = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"eval", run, "--threads", "1", "--json"});
    const Outcome outcome = run_algprior(more);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out)["metrics"];
  };
  const Json again = eval({});
  ASSERT_TRUE(again.contains("augmented_test_accuracy")) << again;
  for (const auto& [name, value] : again.items()) EXPECT_EQ(value, before[name]) << name;
  // A single step leaves averages that are hardly those of the data.
  EXPECT_GT(eval({"--fresh-averages"})["latent_spread"], again["latent_spread"]);
  const Json fresh =
      train({"--out", (folder / "fresh").string(), "--set", "train.fresh_averages=true"});
  EXPECT_GT(fresh["latent_spread"], again["latent_spread"]);
}

TEST(ExperimentCommands, EvalTakesDataAndKnowsRunsWithoutANetwork) {
  if (!kHasTorch) GTEST_SKIP() << "built without LibTorch";
  const TemporaryFolder folder;
  const std::string data = ALGPRIOR_TEST_DATA "/bwc/data.npz";
  std::ofstream(folder / "run.toml")
      << "[experiment]\nrecipe = \"arrays\"\n[data]\ngroup = \"C4\"\ntrain = \"" << data
      << "\"\nvalidation = \"" << data << "\"\ntest = \"" << data
      << "\"\n[network]\nlatent = 5\nhidden = [4]\n[train]\nepochs = 1\nbatch_size = 6\n";
  const std::string run = (folder / "run").string();
  ASSERT_EQ(run_algprior({"train", (folder / "run.toml").string(), "--out", run}).code, 0);
  const Outcome given = run_algprior({"eval", run, "--data", data, "--json"});
  ASSERT_EQ(given.code, 0) << given.err;
  const Json metrics = Json::parse(given.out)["metrics"];
  const Json own = Json::parse(run_algprior({"eval", run, "--json"}).out)["metrics"];
  EXPECT_EQ(metrics["accuracy"], own["test_accuracy"]);
  std::ofstream(folder / "null.toml")
      << "[experiment]\nrecipe = \"null\"\n[train]\nseeds = 2\nsteps = 3\n";
  const std::string null = (folder / "null").string();
  ASSERT_EQ(run_algprior({"train", (folder / "null.toml").string(), "--out", null}).code, 0);
  const Outcome nothing = run_algprior({"eval", null});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_TRUE(contains(nothing.err, "no network")) << nothing.err;
}

TEST(ExperimentCommands, LongChangesGiveEverySeedTheSameRow) {
  if (!kHasTorch) GTEST_SKIP() << "built without LibTorch";
  const TemporaryFolder folder;
  const Outcome outcome =
      run_program(kAlgprior, {{"paper", "run", "null-d3", "--rows", "normal", "--seeds", "2",
                               "--jobs", "1", "--set", "train.seeds=2", "--set", "train.steps=3",
                               "--set", "train.learning_rate=0.00123456789012345", "--set",
                               "network.latent=4", "--set", "prior.damping=0.123456789012345"},
                              {{"ALGPRIOR_RUNS", folder.path().string()}}});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  std::size_t rows = 0;
  for (const auto& row : std::filesystem::directory_iterator(folder / "null-d3")) {
    ++rows;
    EXPECT_TRUE(std::filesystem::exists(row.path() / "1/result.json")) << row.path();
  }
  EXPECT_EQ(rows, 1U);
}

TEST(ExperimentCommands, WrongWordsSayWhatWasMeant) {
  if (!kHasTorch) GTEST_SKIP() << "built without LibTorch";
  EXPECT_EQ(run_algprior({"train"}).code, 2);
  EXPECT_EQ(run_algprior({"train", "no-such-file.toml"}).code, 1);
  const Outcome row = run_algprior({"paper", "run", "ddmnist-d4", "--rows", "regluar"});
  EXPECT_EQ(row.code, 2);
  EXPECT_TRUE(contains(row.err, "regular")) << row.err;
  EXPECT_EQ(run_algprior({"paper", "run", "ddmnist-d4", "--seeds", "x"}).code, 2);
  EXPECT_EQ(run_algprior({"paper", "table", "nothing"}).code, 2);
  const TemporaryFolder folder;
  const Outcome nothing = run_algprior({"eval", folder.path().string()});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_TRUE(contains(nothing.err, "no run folder")) << nothing.err;
  std::ofstream(folder / "config.toml")
      << "[experiment]\nrecipe = \"ddmnist\"\n[data]\ndigits = \"fonts\"\n";
  const Outcome unfinished = run_algprior({"eval", folder.path().string()});
  EXPECT_EQ(unfinished.code, 2);
  EXPECT_TRUE(contains(unfinished.err, "not finished")) << unfinished.err;
  const std::string file = (folder / "config.toml").string();
  const Outcome device = run_algprior({"train", file, "--dry-run", "--device", "cuda:77"});
  EXPECT_EQ(device.code, 2);
  EXPECT_TRUE(contains(device.err, "cuda:77")) << device.err;
}

TEST(ExperimentCommands, RunsSideBySideLeaveTheirResultsAndPassOnWhatTheySay) {
  if (!kHasTorch) GTEST_SKIP() << "built without LibTorch";
  const auto runs = std::filesystem::path(::testing::TempDir()) / "side-by-side";
  std::filesystem::remove_all(runs);
  const Start start{{"paper", "run", "null-c2", "--seeds", "0,0", "--jobs", "2", "--set",
                     "train.seeds=2", "--set", "train.steps=3"},
                    {{"ALGPRIOR_RUNS", runs.string()}}};
  const auto result_of = [&](const std::string& row) {
    return runs / "null-c2" / (row + "@train.seeds=2,train.steps=3") / "0" / "result.json";
  };
  const Outcome first = run_program(kAlgprior, start);
  ASSERT_EQ(first.code, 0) << first.err;
  for (const char* row : {"normal", "uniform", "identity"}) {
    EXPECT_TRUE(contains(first.out, row)) << first.out;
    EXPECT_TRUE(std::filesystem::exists(result_of(row))) << first.err;
  }
  EXPECT_TRUE(contains(first.err, "3 of 3 done: null-c2")) << first.err;
  std::ifstream result(result_of("normal"));
  EXPECT_EQ(Json::parse(result).at("threads"), 1);
  std::ofstream(result_of("uniform")) << "no JSON";
  const Outcome second = run_program(kAlgprior, start);
  EXPECT_EQ(second.code, 1);
  EXPECT_TRUE(contains(second.err, "cannot read a result")) << second.err;
  EXPECT_TRUE(contains(second.err, "some runs failed")) << second.err;
}

// A trial of few epochs would else be averaged into the row.
TEST(ExperimentCommands, RunsUnderOtherSettingsAreRowsOfTheirOwn) {
  const auto results = std::filesystem::path(::testing::TempDir()) / "other-settings";
  std::filesystem::create_directories(results);
  const auto file = [&](const char* row, double accuracy) {
    const Json result = {{"experiment", "ddmnist-d4"},
                         {"row", row},
                         {"seed", 0},
                         {"reference", Json::array()},
                         {"epochs", 1},
                         {"parameters", 1},
                         {"metrics", {{"augmented_test_accuracy", accuracy}}},
                         {"seconds", 1},
                         {"threads", 1},
                         {"kernels", "auto"},
                         {"commit", ""},
                         {"machine", Json::object()},
                         {"config_hash", ""}};
    std::ofstream(results / (std::string(row) + "-0.json")) << result;
  };
  file("cnn", 0.75);
  file("cnn@train.epochs=2", 0.25);
  const Outcome table =
      run_program(kAlgprior, {{"paper", "table", "ddmnist", "--results", results.string()},
                              {{"ALGPRIOR_RUNS", (results / "no-runs").string()}}});
  EXPECT_TRUE(contains(table.out, "0.750 ×1")) << table.out;
  EXPECT_TRUE(contains(table.out, "cnn@train.epochs=2")) << table.out;
}

TEST(ExperimentCommands, TheTableNamesWhatFillsIt) {
  const auto empty = std::filesystem::path(::testing::TempDir()) / "no-results";
  const Outcome table = run_algprior({"paper", "table", "ddmnist", "--results", empty.string()});
  ASSERT_EQ(table.code, 0) << table.err;
  EXPECT_TRUE(contains(table.out, "0.868 (0.002)")) << table.out;
}

}  // namespace
}  // namespace algprior
