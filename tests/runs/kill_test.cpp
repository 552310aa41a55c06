// The real program, killed and stopped at random moments and taken up again.
#include "algprior/base/random.hpp"
#include "small_run.hpp"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include <gtest/gtest.h>

namespace algprior {
namespace {

constexpr int kEpochs = 3 * ALGPRIOR_KILLS;
constexpr int kTimeOut = 300;  // seconds for one start of the program; else it hangs

/// Sends the signal some moments after the run has written `line` lines of metrics; the exit code.
int stop_after(const SmallRun& run, const std::string& name, int line, double moments, int signal) {
  RunningProgram program(kAlgprior, run.start(name));
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(kTimeOut);
  while (count_lines(run.folder(name) / "metrics.jsonl") < line) {
    if (std::chrono::steady_clock::now() > deadline) {
      ADD_FAILURE() << "no line " << line << " after " << kTimeOut << " s";
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  std::this_thread::sleep_for(std::chrono::duration<double>(moments));
  program.send(signal);
  const Outcome outcome = program.wait();
  if (outcome.code != 128 + signal && outcome.code != 0) ADD_FAILURE() << outcome.err;
  return outcome.code;
}

/// Stops a run at `stops` random moments, the i-th within the i-th part of its course, lets it end,
/// and compares.
void expect_survives(const SmallRun& run, const std::string& name, int stops, int signal) {
  RandomStream random(RandomKey(static_cast<std::uint64_t>(signal), "moments of a stop"));
  int stopped = 0;
  for (int i = 0; i < stops; ++i) {
    const double part = (i + random.uniform()) / stops;
    const int line = static_cast<int>(part * run.metric_lines());
    // A step of the small run takes some 10 ms: the moment falls anywhere within an epoch, into the
    // writing of a checkpoint, or after the last epoch into that of the results.
    stopped += stop_after(run, name, line, 0.1 * random.uniform(), signal) != 0;
  }
  EXPECT_GE(stopped, stops - 1);
  const Outcome last = run_program(kAlgprior, run.start(name));
  ASSERT_EQ(last.code, 0) << last.err;
  run.expect_same(name, "whole");
}

class KilledRun : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    run_ = std::make_unique<SmallRun>(kEpochs);
    const Outcome whole = run_program(kAlgprior, run_->start("whole"));
    ASSERT_EQ(whole.code, 0) << whole.err;
    ASSERT_EQ(count_lines(run_->folder("whole") / "metrics.jsonl"), run_->metric_lines());
  }
  static void TearDownTestSuite() { run_.reset(); }
  static std::unique_ptr<SmallRun> run_;
};
std::unique_ptr<SmallRun> KilledRun::run_;

TEST_F(KilledRun, KillsLeaveTheBitsOfARunNeverInterrupted) {
  expect_survives(*run_, "killed", ALGPRIOR_KILLS, SIGKILL);
}

TEST_F(KilledRun, CtrlCLeavesTheBitsOfARunNeverInterrupted) {
  expect_survives(*run_, "stopped", ALGPRIOR_KILLS / 2, SIGINT);
}

// The events of a run that was killed, several files of them, by a reader that shares no code.
TEST_F(KilledRun, EventFilesHoldTheMetrics) {
  if (std::system("python3 -c '' 2>/dev/null") != 0) GTEST_SKIP() << "no python3";
  for (const char* name : {"whole", "killed", "stopped"}) {
    if (!std::filesystem::exists(run_->folder(name))) continue;
    const std::string command =
        "python3 " ALGPRIOR_ORACLES "/check_events.py " + run_->folder(name).string();
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
  }
}

}  // namespace
}  // namespace algprior
