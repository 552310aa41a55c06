#include "../base/temporary_folder.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/sweep/collect.hpp"
#include "algprior/sweep/plan.hpp"

#include <cstdlib>
#include <set>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace algprior::sweep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSweep = R"([sweep]
name = "weights"
paper = ["null-c2"]
rows = ["normal", "uniform"]
seeds = 2
set = ["train.steps=3"]
[grid]
"train.seeds" = [2, 3]
)";

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string refusal(const std::string& toml) {
  try {
    parse_sweep(toml, "my.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

class Sweep : public testing::Test {
 protected:
  void SetUp() override { setenv("ALGPRIOR_RUNS", folder_.path().c_str(), 1); }
  void TearDown() override { unsetenv("ALGPRIOR_RUNS"); }

  Result result_of(const Task& task, double value) const {
    Result result;
    result.id = parse_run_id(task.name);
    result.columns = {"algebra_loss"};
    result.metrics["algebra_loss"] = value;
    return result;
  }

  TemporaryFolder folder_;
};

TEST_F(Sweep, IsEveryCombinationOnceSeedsOutermost) {
  const Manifest manifest = parse_sweep(kSweep, "my.toml");
  ASSERT_EQ(manifest.tasks.size(), 8U);
  std::set<std::string> names, configs;
  for (const Task& task : manifest.tasks) {
    names.insert(task.name);
    configs.insert(task.config);
    EXPECT_EQ(task.folder, folder_.path() / task.name);
  }
  EXPECT_EQ(names.size(), 8U);
  EXPECT_EQ(configs.size(), 8U);
  EXPECT_EQ(manifest.tasks[0].name, "null-c2/normal@train.seeds=2,train.steps=3/0");
  EXPECT_EQ(manifest.tasks[1].name, "null-c2/normal@train.seeds=3,train.steps=3/0");
  EXPECT_EQ(manifest.tasks[7].name, "null-c2/uniform@train.seeds=3,train.steps=3/1");
  EXPECT_TRUE(has(manifest.tasks[7].config, "seeds = 3")) << manifest.tasks[7].config;
}

TEST_F(Sweep, OverAnExperimentFileAndAListOfRuns) {
  write_file(folder_.path() / "my.toml",
             "[experiment]\nrecipe = \"null\"\nvariant = \"mine\"\n[train]\nsteps = 3\n");
  const Manifest manifest = parse_sweep(
      "[sweep]\nfile = \"my.toml\"\n[[runs]]\n[[runs]]\ntrain.steps = 4\n[grid]\n\"train.seeds\" = "
      "[1, 2]\n[slurm]\npartition = \"main\"\nwarning = 5\n",
      folder_.path() / "mysweep.toml");
  EXPECT_EQ(manifest.name, "mysweep");
  EXPECT_EQ(manifest.tasks.size(), 4U);
  EXPECT_EQ(manifest.policy.slurm.partition, "main");
  EXPECT_EQ(manifest.policy.slurm.warning, 5);
}

TEST_F(Sweep, SaysWhereTheFileIsWrong) {
  EXPECT_TRUE(has(refusal("[sweep]\npaper = [\"null-c2\"]\nsedes = 3\n"), "my.toml:3:"));
  EXPECT_TRUE(has(refusal("[sweep]\npaper = [\"null-c2\"]\nsedes = 3\n"), "seeds"));
  EXPECT_TRUE(has(refusal("[sweep]\npaper = \"null-c2\"\n"), "a list of texts"));
  EXPECT_TRUE(has(refusal("[sweep]\nname = \"x\"\n"), "sweep.file"));
  EXPECT_TRUE(has(refusal("[sweep\n"), "my.toml:1:"));
  EXPECT_TRUE(has(refusal("[sweep]\npaper = [\"null-c2\"]\n[grid]\n\"train.steps\" = 3\n"),
                  "grid.train.steps"));
  EXPECT_TRUE(has(refusal("[sweep]\npaper = [\"null-c2\"]\n[grid]\n\"train.stepps\" = [3]\n"),
                  "train.stepps"));
  EXPECT_TRUE(has(refusal("[grid]\n"), "[sweep]"));
  EXPECT_THROW(sweep_folder("../x"), InputError);
}

TEST_F(Sweep, AManifestIsFrozenAndVouchedFor) {
  const Manifest manifest = parse_sweep(kSweep, "my.toml");
  const fs::path sweep = sweep_folder(manifest.name);
  freeze(manifest, sweep);
  freeze(manifest, sweep);  // the same again
  EXPECT_EQ(to_text(read_manifest(sweep)), to_text(manifest));
  Manifest other = manifest;
  other.tasks.pop_back();
  try {
    freeze(other, sweep);
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_TRUE(has(error.what(), manifest.tasks.back().name)) << error.what();
  }
  std::string text = read_file(sweep / "manifest");
  text.replace(text.find("steps = 3"), 9, "steps = 4");
  write_file(sweep / "manifest", text);
  EXPECT_THROW(read_manifest(sweep), FileError);
  EXPECT_THROW(read_manifest(sweep_folder("none")), InputError);
}

TEST_F(Sweep, StatesAreReadFromTheRunFolders) {
  const Manifest manifest = parse_sweep(kSweep, "my.toml");
  const Task& task = manifest.tasks[0];
  EXPECT_EQ(status_of(task).state, TaskState::waiting);
  {
    Heartbeat heartbeat(task);
    EXPECT_EQ(status_of(task).state, TaskState::running);
    EXPECT_EQ(status_of(task).process, getpid());
    heartbeat.end(TaskState::failed, "no space left");
  }
  EXPECT_EQ(status_of(task).state, TaskState::failed);
  EXPECT_EQ(status_of(task).message, "no space left");
  const pid_t child = fork();
  if (child == 0) {
    const Heartbeat heartbeat(task);
    _exit(0);  // without a word
  }
  waitpid(child, nullptr, 0);
  EXPECT_EQ(status_of(task).state, TaskState::lost);
  // Another host, whose processes cannot be asked: by its clock.
  write_file(task.folder / "heartbeat",
             "{\"host\":\"far\",\"process\":1,\"job\":\"7_0\",\"time\":1000,\"state\":\"running\","
             "\"message\":\"\"}");
  EXPECT_EQ(status_of(task).state, TaskState::lost);
  EXPECT_EQ(status_of(task).job, "7_0");
  // This host, after a restart: the number is another process's now.
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  write_file(task.folder / "heartbeat",
             "{\"host\":\"" + std::string(host) + "\",\"process\":" + std::to_string(getpid()) +
                 ",\"job\":\"\",\"time\":1000,\"state\":\"running\",\"message\":\"\"}");
  EXPECT_EQ(status_of(task).state, TaskState::lost);
  write_file(task.folder / "heartbeat", "no JSON");
  EXPECT_EQ(status_of(task).state, TaskState::lost);
  write_result(task.folder / "result.json", result_of(task, 1.0));
  EXPECT_EQ(status_of(task).state, TaskState::finished);
}

TEST_F(Sweep, CollectsWhatThereIsAndTellsTheRest) {
  const Manifest manifest = parse_sweep(kSweep, "my.toml");
  const fs::path sweep = sweep_folder(manifest.name);
  make_folder(sweep / "logs");
  // Rows 0 and 2 of both seeds: tasks 0, 2 and 4, 6.
  const double values[] = {1.0, 3.0, 1.2, 3.4};
  for (int i = 0; i < 4; ++i) {
    const Task& task = manifest.tasks[static_cast<std::size_t>(2 * i)];
    make_folder(task.folder);
    write_result(task.folder / "result.json", result_of(task, values[i]));
  }
  {
    Heartbeat heartbeat(manifest.tasks[1]);
    heartbeat.end(TaskState::failed, "it broke");
  }
  std::string log;
  for (int line = 0; line < 30; ++line) log += "line " + std::to_string(line) + "\n";
  write_file(log_file(sweep, 1), log);
  make_folder(manifest.tasks[3].folder);
  write_file(manifest.tasks[3].folder / "result.json", "no JSON");
  const Collection collection = collect(manifest, sweep);
  EXPECT_EQ(collection.results.size(), 4U);
  ASSERT_EQ(collection.unfinished.size(), 4U);
  const std::string summary = summary_text(collection.results);
  EXPECT_TRUE(has(summary, "1.1 ± 0.14")) << summary;
  EXPECT_TRUE(has(summary, "3.2 ± 0.28 ***")) << summary;
  const std::string rest = unfinished_text(collection.unfinished);
  EXPECT_TRUE(has(rest, "it broke")) << rest;
  EXPECT_TRUE(has(rest, "line 29") && has(rest, "line 22")) << rest;
  EXPECT_FALSE(has(rest, "line 21\n")) << rest;
  EXPECT_TRUE(has(rest, "waiting") && has(rest, "failed")) << rest;
}

TEST(Seeds, AreACountOrAList) {
  EXPECT_EQ(parse_seeds("3"), (std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_EQ(parse_seeds("4,7,4"), (std::vector<std::int64_t>{4, 7}));
  EXPECT_EQ(parse_seeds("4,"), (std::vector<std::int64_t>{4}));
  EXPECT_THROW(parse_seeds("x"), InputError);
  EXPECT_THROW(parse_seeds("0"), InputError);
}

}  // namespace
}  // namespace algprior::sweep
