// A fault at each write, fsync and rename of a run.
#include "algprior/base/detail/file_fault.hpp"
#include "algprior/base/error.hpp"
#include "algprior/train/checkpoint.hpp"
#include "small_run.hpp"

#include <cerrno>

namespace algprior {
namespace {

/// Fails the n-th step (from 1) of those that write files; counts them all.
class FaultAt {
 public:
  FaultAt(int n, int reason) {
    set_file_fault([this, n, reason](FileStep) { return ++count_ == n ? reason : 0; });
  }
  ~FaultAt() { set_file_fault({}); }
  int count() const { return count_; }

 private:
  int count_ = 0;
};

class FaultyRun : public RunExperiment {
 protected:
  config::Config short_config() const { return config({"train.epochs=2"}); }
};

TEST_F(FaultyRun, EveryFaultLeavesACheckpointThatGoesOn) {
  const Result whole = run_experiment(short_config(), options("whole"));
  int steps = 0;
  {
    const FaultAt counter(0, 0);
    run_experiment(short_config(), options("counted"));
    steps = counter.count();
  }
  ASSERT_GT(steps, 30);
  for (int n = 1; n <= steps; ++n) {
    SCOPED_TRACE(fmt::format("fault at step {} of {}", n, steps));
    RunOptions run = options(fmt::format("fault{}", n).c_str());
    std::string message;
    try {
      const FaultAt fault(n, n % 2 == 0 ? ENOSPC : EIO);
      run_experiment(short_config(), run);
    } catch (const FileError& error) {
      message = error.what();
    }
    EXPECT_NE(message.find(run.folder.string()), std::string::npos) << message;
    if (n % 2 == 0) {
      EXPECT_NE(message.find("free some space"), std::string::npos) << message;
    }
    const auto checkpoint = run.folder / "checkpoint.apc";
    if (std::filesystem::exists(checkpoint)) {
      EXPECT_NO_THROW(read_checkpoint(checkpoint));
    }

    run.resume = true;
    EXPECT_EQ(run_experiment(short_config(), run).metrics, whole.metrics);
    for (const char* file : {"model.safetensors", "metrics.jsonl", "config.toml"}) {
      EXPECT_EQ(read_file(run.folder / file), read_file(folder_ / "whole" / file)) << file;
    }
    for (const auto& entry : std::filesystem::directory_iterator(run.folder)) {
      EXPECT_NE(entry.path().extension(), ".part") << entry.path();
    }
  }
}

}  // namespace
}  // namespace algprior
