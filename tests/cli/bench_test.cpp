// `algprior bench` as a person or a script runs it. Nothing here depends on how fast the machine
// is.
#include "run_program.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace algprior {
namespace {

using Json = nlohmann::ordered_json;

TEST(BenchCommand, JsonHasExactlyTheseKeys) {
  const Outcome outcome =
      run_algprior({"bench", "--cases", "latent action", "--repetitions", "1", "--json"});
  if (!kHasTorch) {
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(contains(outcome.err, "LibTorch")) << outcome.err;
    return;
  }
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json rows = Json::parse(outcome.out);
  ASSERT_EQ(rows.size(), 1U);
  std::vector<std::string> keys;
  for (const auto& [key, value] : rows[0].items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"case", "peer", "ours_ms", "peer_ms", "ratio", "gflops",
                                            "peak_share", "agree"}));
  EXPECT_EQ(rows[0]["agree"], true);
  EXPECT_GT(rows[0]["ours_ms"].get<double>(), 0.0);
  EXPECT_DOUBLE_EQ(rows[0]["ratio"].get<double>(),
                   rows[0]["peer_ms"].get<double>() / rows[0]["ours_ms"].get<double>());
}

TEST(BenchCommand, TheTableNamesPeerAndPeak) {
  if (!kHasTorch) GTEST_SKIP() << "built without LibTorch";
  const Outcome outcome =
      run_algprior({"bench", "--cases", "layer 6,latent", "--repetitions", "1"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  // What 80 columns cannot hold is named below the table.
  for (const char* part : {"FMA peak", "peer's", "layer 6", "GFLOPS", "of peak", "left out"})
    EXPECT_TRUE(contains(outcome.out, part)) << part << "\n" << outcome.out;
  EXPECT_FALSE(contains(outcome.out, "layer 1")) << outcome.out;
}

TEST(BenchCommand, ListsItsCases) {
  if (!kHasTorch) GTEST_SKIP() << "built without LibTorch";
  const Outcome outcome = run_algprior({"bench", "--list", "--scaling", "--threads", "2"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const char* part :
       {"training step, 256 pairs", "training step of C4 scnn", "peak memory", "python",
        "forward\n", "backward\n", "medmnist3d training step, 32 volumes",
        "augmentation of 32 volumes", "smoke training step, rollout of 6",
        "smoke training step, peak memory", "medmnist3d network", "smoke network",
        "1024 pairs, 1 thread\n", "32 pairs, 2 threads\n"})
    EXPECT_TRUE(contains(outcome.out, part)) << part << "\n" << outcome.out;
  const Outcome wrong = run_algprior({"bench", "--cases", "nothing"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.err, "--list")) << wrong.err;
}

}  // namespace
}  // namespace algprior
