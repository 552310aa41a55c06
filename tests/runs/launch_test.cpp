// The real program with several ranks: a run that is killed goes on, and sweeps of runs.
#include "algprior/base/file.hpp"
#include "small_run.hpp"

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>

namespace algprior {
namespace {

namespace fs = std::filesystem;

Start launched(const SmallRun& run, const std::string& name, int ranks) {
  Start start = run.start(name);
  start.arguments.pop_back();  // --threads 2: of all ranks together here
  start.arguments.pop_back();
  start.arguments.insert(start.arguments.begin(),
                         {"launch", "-n", std::to_string(ranks), "--threads", "2"});
  return start;
}

// A process that a process started, by its rank.
pid_t child_of_rank(pid_t parent, const std::string& rank) {
  std::ifstream list("/proc/" + std::to_string(parent) + "/task/" + std::to_string(parent) +
                     "/children");
  for (pid_t child; list >> child;) {
    std::ifstream file("/proc/" + std::to_string(child) + "/environ", std::ios::binary);
    for (std::string entry; std::getline(file, entry, '\0');) {
      if (entry == "RANK=" + rank) return child;
    }
  }
  return 0;
}

TEST(LaunchedRun, AKilledRankEndsAllIsNamedAndTheRunGoesOn) {
  const SmallRun run(4);
  const Outcome whole = run_program(kAlgprior, launched(run, "whole", 2));
  ASSERT_EQ(whole.code, 0) << whole.err;
  EXPECT_TRUE(contains(whole.out, "own-data")) << whole.out;  // said once
  EXPECT_TRUE(contains(read_file(run.folder("whole") / "result.json"), "\"ranks\": \"2\""));
  {
    RunningProgram program(kAlgprior, launched(run, "killed", 2));
    for (int i = 0; i < 3000 && count_lines(run.folder("killed") / "metrics.jsonl") < 3; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    const pid_t victim = child_of_rank(program.process(), "1");
    ASSERT_GT(victim, 0);
    kill(victim, SIGKILL);
    const Outcome outcome = program.wait();
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "rank 1 of 2 was killed by signal 9")) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "rank 1 on ")) << outcome.err;  // as rank 0 found out
  }
  const Outcome rest = run_program(kAlgprior, launched(run, "killed", 2));
  ASSERT_EQ(rest.code, 0) << rest.err;
  run.expect_same("killed", "whole");
}

TEST(LaunchedRun, AFullDiskOfRank0EndsAllIsNamedAndWithSpaceTheRunGoesOn) {
  const SmallRun run(4);
  const auto on_disk = [&](const std::string& name, int full_from) {
    Start start = launched(run, name, 2);
    start.environment = {
        {"LD_PRELOAD", ALGPRIOR_FAULT_SHIM},
        // A checkpoint is written aside under this name.
        {"ALGPRIOR_FAULT_FOLDER", (run.folder(name) / ".algprior-checkpoint.apc").string()},
        {"ALGPRIOR_FAULT", "full"},
        {"ALGPRIOR_FAULT_FROM", std::to_string(full_from)},
        {"ALGPRIOR_FAULT_COUNT", run.folder("count").string()}};
    return start;
  };
  const Outcome whole = run_program(kAlgprior, on_disk("whole", 1 << 30));
  ASSERT_EQ(whole.code, 0) << whole.err;
  const int steps = std::stoi(read_file(run.folder("count")));
  ASSERT_GE(steps, 8);  // four checkpoints, each written and synced
  const Outcome full = run_program(kAlgprior, on_disk("full", steps / 2 + 1));
  EXPECT_EQ(full.code, 1) << full.err;
  const std::string file = (run.folder("full") / "checkpoint.apc").string();
  const std::string reason = file + " (No space left on device)";
  const std::string remedy = "free some space in " + run.folder("full").string();
  const std::size_t second = full.err.find("rank 1: ");
  ASSERT_NE(second, std::string::npos) << full.err;
  EXPECT_TRUE(contains(full.err, reason)) << full.err;
  EXPECT_TRUE(contains(full.err, remedy)) << full.err;
  // Rank 1 knows who, which file and what to do, as if it were on another host.
  std::string of_rank_1;
  for (std::size_t begin = second; begin != std::string::npos;
       begin = full.err.find("rank 1: ", begin + 1)) {
    of_rank_1 += full.err.substr(begin, full.err.find('\n', begin) - begin) + "\n";
  }
  EXPECT_TRUE(contains(of_rank_1, "rank 0 on ")) << of_rank_1;
  EXPECT_TRUE(contains(of_rank_1, reason)) << of_rank_1;
  EXPECT_TRUE(contains(of_rank_1, remedy)) << of_rank_1;
  EXPECT_TRUE(contains(of_rank_1, "--resume")) << of_rank_1;
  EXPECT_TRUE(contains(full.err, "ranks 0, 1 of 2 ended with code 1")) << full.err;
  EXPECT_TRUE(fs::exists(file));  // the last good one
  EXPECT_FALSE(fs::exists(run.folder("full") / "result.json"));
  const Outcome rest = run_program(kAlgprior, launched(run, "full", 2));
  ASSERT_EQ(rest.code, 0) << rest.err;
  run.expect_same("full", "whole");
}

TEST(LaunchedRun, ASignalStopsAllRanksWithACheckpoint) {
  const SmallRun run(30);
  {
    RunningProgram program(kAlgprior, launched(run, "stopped", 2));
    for (int i = 0; i < 3000 && count_lines(run.folder("stopped") / "metrics.jsonl") < 3; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    program.send(SIGTERM);
    EXPECT_EQ(program.wait().code, 75);
  }
  EXPECT_TRUE(fs::exists(run.folder("stopped") / "checkpoint.apc"));
  // One process takes it up only when allowed: its sums have other last digits.
  Start alone = run.start("stopped");
  alone.arguments.insert(alone.arguments.end(), {"--set", "train.epochs=30"});
  const Outcome refused = run_program(kAlgprior, alone);
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(contains(refused.err, "ranks = 2")) << refused.err;
  EXPECT_TRUE(contains(refused.err, "--other-setting")) << refused.err;
}

TEST(Sweep, WorksOffWhatIsMissingAndCollects) {
  const SmallRun run(1);
  const fs::path folder = run.folder("");
  const std::map<std::string, std::string> environment{
      {"ALGPRIOR_RUNS", (folder / "runs").string()}};
  std::ofstream(folder / "sweep.toml")
      << "[sweep]\nname = \"rates\"\nfile = \"run.toml\"\nseeds = 2\n[grid]\n"
         "\"train.learning_rate\" = [0.001, 0.01]\n";
  const auto sweep = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "sweep");
    return run_program(kAlgprior, {std::move(words), environment});
  };
  // A folder in the way of one run makes it fail, twice.
  const fs::path rows = folder / "runs" / "own-data";
  const fs::path blocked = rows / "regular@train.learning_rate=0.01" / "0";
  fs::create_directories(blocked / "metrics.jsonl");
  const Outcome first = sweep({"submit", (folder / "sweep.toml").string(), "--retries", "1"});
  EXPECT_EQ(first.code, 1);
  EXPECT_TRUE(contains(first.err, "some runs failed: own-data/regular@train.learning_rate=0.01/0"))
      << first.err;
  EXPECT_TRUE(contains(first.err, "again: own-data")) << first.err;
  const Outcome status = sweep({"status", "rates"});
  EXPECT_TRUE(contains(status.out, "1 failed, 3 finished")) << status.out;
  const Outcome part = sweep({"collect", "rates"});
  EXPECT_EQ(part.code, 0);
  EXPECT_TRUE(contains(part.out, "1 of 4 runs have no result")) << part.out;
  EXPECT_TRUE(contains(part.out, "metrics.jsonl")) << part.out;  // the end of its log
  EXPECT_TRUE(contains(part.out, " ± ")) << part.out;
  fs::remove_all(blocked / "metrics.jsonl");
  const Outcome rest = sweep({"resume", "rates"});
  ASSERT_EQ(rest.code, 0) << rest.err;
  EXPECT_TRUE(contains(rest.err, "1 of 1 done: own-data/regular@train.learning_rate=0.01/0"))
      << rest.err;
  EXPECT_TRUE(contains(sweep({"resume", "rates"}).err, "nothing is missing"));
  // Other runs under the same name are refused.
  std::ofstream(folder / "sweep.toml", std::ios::app) << "\"train.batch_size\" = [8]\n";
  std::ofstream(folder / "sweep.toml", std::ios::app) << "\"train.clip\" = [1.0, 2.0]\n";
  const Outcome changed = sweep({"submit", (folder / "sweep.toml").string()});
  EXPECT_EQ(changed.code, 2);
  EXPECT_TRUE(contains(changed.err, "a sweep of this name has other runs")) << changed.err;
}

}  // namespace
}  // namespace algprior
