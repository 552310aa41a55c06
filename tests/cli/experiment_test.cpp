// `algprior train` and `algprior paper` as a person runs them.
#include "run_program.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace algprior {
namespace {

using Json = nlohmann::ordered_json;

TEST(ExperimentCommands, ListTheRowsOrSayThatLibTorchIsAbsent) {
  const Outcome outcome = run_algprior({"paper", "list", "--json"});
  if (!kHasTorch) {
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(contains(outcome.err, "LibTorch")) << outcome.err;
    return;
  }
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  bool found = false;
  for (const Json& entry : Json::parse(outcome.out)) found |= entry["experiment"] == "ddmnist-d4";
  EXPECT_TRUE(found);
}

TEST(ExperimentCommands, AStarterFileIsAWholeConfiguration) {
  if (!kHasTorch) GTEST_SKIP() << "built without LibTorch";
  const Outcome starter = run_algprior({"train", "--new"});
  ASSERT_EQ(starter.code, 0) << starter.err;
  EXPECT_TRUE(contains(starter.out, "[prior]"));
  const auto file = std::filesystem::path(::testing::TempDir()) / "starter.toml";
  std::ofstream(file) << starter.out;
  const Outcome wrong = run_algprior({"train", file.string(), "--set", "prior.wieght=2"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.err, "prior.weight")) << wrong.err;
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
}

TEST(ExperimentCommands, RunsSideBySideLeaveTheirResultsAndPassOnWhatTheySay) {
  if (!kHasTorch) GTEST_SKIP() << "built without LibTorch";
  const auto runs = std::filesystem::path(::testing::TempDir()) / "side-by-side";
  std::filesystem::remove_all(runs);
  const auto run = [&](const std::string& steps) {
    return run_program(kAlgprior, {{"paper", "run", "null-c2", "--seeds", "1", "--jobs", "2",
                                    "--set", "train.seeds=2", "--set", "train.steps=" + steps},
                                   {{"ALGPRIOR_RUNS", runs.string()}}});
  };
  const Outcome first = run("3");
  ASSERT_EQ(first.code, 0) << first.err;
  for (const char* row : {"normal", "uniform", "identity"}) {
    EXPECT_TRUE(contains(first.out, row)) << first.out;
    EXPECT_TRUE(std::filesystem::exists(runs / "null-c2" / row / "0" / "result.json")) << row;
  }
  EXPECT_TRUE(contains(first.err, "3 of 3 done: algprior paper run null-c2")) << first.err;
  EXPECT_TRUE(contains(first.err, "--threads 1 ")) << first.err;
  const Outcome second = run("4");  // other settings in the same folders
  EXPECT_EQ(second.code, 1);
  EXPECT_TRUE(contains(second.err, "belongs to another configuration")) << second.err;
  EXPECT_TRUE(contains(second.err, "some runs failed")) << second.err;
}

TEST(ExperimentCommands, TheTableNamesWhatFillsIt) {
  if (!kHasTorch) GTEST_SKIP() << "built without LibTorch";
  const auto empty = std::filesystem::path(::testing::TempDir()) / "no-results";
  const Outcome table = run_algprior({"paper", "table", "ddmnist", "--results", empty.string()});
  ASSERT_EQ(table.code, 0) << table.err;
  EXPECT_TRUE(contains(table.out, "0.868 (0.002)")) << table.out;
}

}  // namespace
}  // namespace algprior
