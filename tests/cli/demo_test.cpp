// `algprior demo`, made small.
#include "run_program.hpp"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace algprior {
namespace {

namespace fs = std::filesystem;
/// A machine without MNIST: no folder of data, an empty cache.
Start small_demo(const fs::path& runs, std::vector<std::string> more = {}) {
  Start start{{"demo", "--set", "train.epochs=1", "--set", "data.train_per_class=1", "--set",
               "data.validation_per_class=1", "--set", "data.test_per_class=1"}};
  start.arguments.insert(start.arguments.end(), more.begin(), more.end());
  start.environment = {{"ALGPRIOR_RUNS", runs.string()},
                       {"ALGPRIOR_DATA", ""},
                       {"XDG_CACHE_HOME", (runs / "no cache").string()}};
  return start;
}

TEST(Demo, WithoutMnistDigitsAreDrawnAndTheTableEndsIt) {
  if (!kHasTorch) GTEST_SKIP() << "built without LibTorch";
  const fs::path runs = fs::path(::testing::TempDir()) / "demo-runs";
  fs::remove_all(runs);
  const Outcome first = run_program(kAlgprior, small_demo(runs));
  if (contains(first.err, "there is no font")) GTEST_SKIP() << first.err;
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_TRUE(contains(first.err, "MNIST is not here: digits are drawn from fonts")) << first.err;
  EXPECT_TRUE(contains(first.out, "without a prior")) << first.out;
  EXPECT_TRUE(contains(first.out, "with the prior")) << first.out;
  for (const char* row : {"free", "prior"}) {
    const fs::path folder = runs / "demo-fonts" / row / "0";
    EXPECT_TRUE(contains(first.out, "run folder: " + folder.string())) << first.out;
    EXPECT_TRUE(fs::exists(folder / "model.safetensors"));
  }
  // What is finished is not run again.
  const Outcome second = run_program(kAlgprior, small_demo(runs, {"--json"}));
  ASSERT_EQ(second.code, 0) << second.err;
  EXPECT_TRUE(contains(second.err, "not run again")) << second.err;
  const auto document = nlohmann::json::parse(second.out);
  EXPECT_EQ(document["runs"].size(), 2U);
  ASSERT_EQ(document["table"]["rows"].size(), 2U);
  EXPECT_TRUE(document["table"]["rows"][1]["paired_difference"].is_object()) << second.out;
}

}  // namespace
}  // namespace algprior
