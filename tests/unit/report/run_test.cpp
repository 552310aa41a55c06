#include "algprior/report/run.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/base/lock.hpp"
#include "small_runs.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace algprior::report {
namespace {

TEST(Run, ReadsAFinishedRun) {
  const TemporaryFolder folder;
  const auto place = write_small_run(folder.path(), {});
  const report::Run run = read_run(place);
  EXPECT_EQ(run.name(), "ddmnist-d4/regular/0");
  EXPECT_EQ(run.state, RunState::kFinished);
  EXPECT_EQ(run.setting("train.epochs"), "5");
  EXPECT_EQ(run.metric("augmented_test_accuracy"), 0.8);
  EXPECT_EQ(run.metrics.curves().size(), 2u);
  EXPECT_TRUE(run.problems.empty());
}

TEST(Run, NumbersThatWereChangedAfterwardsAreToldOf) {
  const TemporaryFolder folder;
  const auto place = write_small_run(folder.path(), {});
  Result result = read_result(place / "result.json");
  result.files = checksums_of(place);
  ASSERT_TRUE(result.files.contains("metrics.jsonl"));
  write_result(place / "result.json", result);
  EXPECT_TRUE(read_run(place).problems.empty());
  write_file(place / "metrics.jsonl", metrics_text(5, 0.9));
  const auto problems = read_run(place).problems;
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(problems[0].find("metrics.jsonl"), std::string::npos) << problems[0];
}

// A living process holds the folder: running. The lock is gone: stopped, whatever the files say.
TEST(Run, ALockTellsTheLivingFromTheDead) {
  const TemporaryFolder folder;
  const auto place = write_small_run(folder.path(), {.finished = false});
  {
    const FolderLock lock(place, "algprior train x.toml");
    EXPECT_EQ(read_run(place).state, RunState::kRunning);
  }
  EXPECT_TRUE(std::filesystem::exists(place / ".lock"));
  EXPECT_EQ(read_run(place).state, RunState::kStopped);
}

// Looking must not take the lock away from a run that is about to start.
TEST(Run, LookingDoesNotTakeTheLock) {
  const TemporaryFolder folder;
  const auto place = write_small_run(folder.path(), {.finished = false});
  const FolderLock lock(place, "first");
  EXPECT_TRUE(is_held(place));
  EXPECT_THROW(FolderLock(place, "second"), FileError);
}

TEST(Run, AHolderElsewhereIsKnownByItsFiles) {
  const TemporaryFolder folder;
  const auto place = write_small_run(folder.path(), {.finished = false});
  write_file(place / ".lock",
             "process 1 on another-machine since 2026-01-01 00:00:00: algprior train\n");
  EXPECT_EQ(read_run(place).state, RunState::kRunning);
  const auto old = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  for (const auto& entry : std::filesystem::directory_iterator(place)) {
    std::filesystem::last_write_time(entry.path(), old);
  }
  EXPECT_EQ(read_run(place).state, RunState::kStopped);
}

TEST(Run, HalfWrittenFoldersAreShownWithWhatIsMissing) {
  const TemporaryFolder folder;
  make_folder(folder / "a");
  write_file(folder / "a/metrics.jsonl", metrics_text(2, 0.5) + "{\"step\":3");
  const report::Run half = read_run(folder / "a");
  EXPECT_EQ(half.state, RunState::kStopped);
  EXPECT_EQ(half.problems.size(), 2u);  // no settings, a torn line
  make_folder(folder / "b");
  write_file(folder / "b/result.json", "{\"experiment\": ");
  write_file(folder / "b/config.toml", "[train\nepochs = 3");
  const report::Run damaged = read_run(folder / "b");
  EXPECT_EQ(damaged.state, RunState::kDamaged);
  ASSERT_EQ(damaged.problems.size(), 2u);
  EXPECT_NE(damaged.problems[0].find("config.toml:1"), std::string::npos) << damaged.problems[0];
}

TEST(FindRuns, OrdersAndCountsOnce) {
  const TemporaryFolder folder;
  for (const char* row : {"lambda-1", "lambda-0.5", "lambda-10"}) {
    write_small_run(folder / "runs", {.experiment = "ddmnist-sensitivity", .row = row});
  }
  make_folder(folder / "results");
  const report::Run run = read_run(folder / "runs/ddmnist-sensitivity/lambda-1/0");
  write_result(folder / "results/lambda-1-0.json", *run.result);
  write_file(folder / "results/package.json", "{\"name\": \"no result\"}");
  write_file(folder / "results/damaged.json", "{\"experiment\": 3}");
  const RunSet set = find_runs({folder / "runs", folder / "results", folder / "runs"});
  ASSERT_EQ(set.runs.size(), 3u);
  EXPECT_EQ(set.runs[0].row, "lambda-0.5");
  EXPECT_EQ(set.runs[1].row, "lambda-1");
  EXPECT_FALSE(set.runs[1].folder.empty());
  EXPECT_EQ(set.runs[2].row, "lambda-10");
  ASSERT_EQ(set.problems.size(), 1u);
  EXPECT_NE(set.problems[0].find("damaged.json"), std::string::npos);
}

TEST(FindRuns, EmptyAndAbsent) {
  const TemporaryFolder folder;
  EXPECT_TRUE(find_runs({folder.path()}).runs.empty());
  EXPECT_THROW(find_runs({folder / "absent"}), InputError);
}

TEST(Run, SettingsOfAResultAloneComeFromThePaper) {
  report::Run run;
  run.experiment = "mnist-d3";
  run.row = "learned@train.epochs=2";
  EXPECT_EQ(run.setting("data.group"), "D3");
  EXPECT_EQ(run.setting("network.latent"), "18");
  EXPECT_EQ(run.setting("no.such"), "");
}

TEST(Run, SettingsAreFlat) {
  const auto settings =
      parse_settings("a = 1\n[b]\nc = [1, 2.5, \"x\"]\nd = true\n[b.e]\nf = \"g\"", "x");
  EXPECT_EQ(settings, (std::map<std::string, std::string>{
                          {"a", "1"}, {"b.c", "[1, 2.5, x]"}, {"b.d", "true"}, {"b.e.f", "g"}}));
}

}  // namespace
}  // namespace algprior::report
