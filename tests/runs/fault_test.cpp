// The real program on a full disk, and killed at the steps that write files.
#include "algprior/base/file.hpp"
#include "small_run.hpp"

#include <string>

#include <gtest/gtest.h>

namespace algprior {
namespace {

constexpr bool kExtreme = ALGPRIOR_KILLS > 5;

class FaultyProgram : public testing::Test {
 protected:
  Start faulty(const std::string& name, const char* fault, int from) const {
    Start start = run_.start(name);
    start.environment = {{"LD_PRELOAD", ALGPRIOR_FAULT_SHIM},
                         {"ALGPRIOR_FAULT_FOLDER", run_.folder(name).string() + "/"},
                         {"ALGPRIOR_FAULT", fault},
                         {"ALGPRIOR_FAULT_FROM", std::to_string(from)},
                         {"ALGPRIOR_FAULT_COUNT", run_.folder("count").string()}};
    return start;
  }

  void SetUp() override {
    const Outcome whole = run_program(kAlgprior, faulty("whole", "kill", 1 << 30));
    ASSERT_EQ(whole.code, 0) << whole.err;
    steps_ = std::stoi(read_file(run_.folder("count")));
    ASSERT_GT(steps_, 20);
  }

  void expect_goes_on(const std::string& name) const {
    const Outcome rest = run_program(kAlgprior, run_.start(name));
    ASSERT_EQ(rest.code, 0) << rest.err;
    run_.expect_same(name, "whole");
  }

  SmallRun run_{2};
  int steps_ = 0;
};

TEST_F(FaultyProgram, AFullDiskIsSaidAndWithSpaceTheRunGoesOn) {
  for (const int from : {1, steps_ - 3}) {
    SCOPED_TRACE(from);
    const std::string name = "full" + std::to_string(from);
    const Outcome outcome = run_program(kAlgprior, faulty(name, "full", from));
    EXPECT_EQ(outcome.code, 1);
    EXPECT_NE(outcome.err.find("No space left on device"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("free some space in " + run_.folder(name).string()),
              std::string::npos)
        << outcome.err;
    expect_goes_on(name);
  }
}

TEST_F(FaultyProgram, KilledAtAWriteFsyncOrRenameItGoesOn) {
  const int stride = kExtreme ? 1 : std::max(1, steps_ / 4);
  for (int from = kExtreme ? 1 : stride / 2; from <= steps_; from += stride) {
    SCOPED_TRACE(from);
    const std::string name = "killed" + std::to_string(from);
    EXPECT_EQ(run_program(kAlgprior, faulty(name, "kill", from)).code, 128 + 9);
    expect_goes_on(name);
  }
}

}  // namespace
}  // namespace algprior
