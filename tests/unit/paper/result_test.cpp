#include "algprior/paper/result.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"

#include <gtest/gtest.h>

namespace algprior {
namespace {

Result sample() {
  return {.id = make_run_id("ddmnist-d4", "regular", 2),
          .reference = {"D-5"},
          .epochs = 83,
          .parameters = 33742,
          .metrics = {{"augmented_test_accuracy", 0.86}, {"equivariance_error", 0.1}},
          .columns = {},
          .seconds = 210.5,
          .threads = 2,
          .kernels = "auto",
          .commit = "abc",
          .machine = {{"cpu", "some CPU"}},
          .config_hash = "00ff"};
}

std::filesystem::path fresh_folder(const char* name) {
  const auto folder = std::filesystem::path(testing::TempDir()) / name;
  std::filesystem::remove_all(folder);
  make_folder(folder);
  return folder;
}

TEST(Result, ReadsBackWhatItWrote) {
  const std::string text = to_json(sample());
  EXPECT_EQ(to_json(parse_result(text, "here")), text);
}

TEST(Result, NamesFileAndKeyOfDamage) {
  std::string text = to_json(sample());
  text.replace(text.find("\"parameters\""), 12, "\"parametres\"");
  try {
    parse_result(text, "runs/x/result.json");
    FAIL();
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("runs/x/result.json"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("parameters"), std::string::npos);
  }
  EXPECT_THROW(parse_result("{", "x"), FileError);
  EXPECT_THROW(parse_result("[]", "x"), FileError);
}

TEST(FindResults, CountsARunOnceAndTheEarlierFolderWins) {
  const auto kept = fresh_folder("find_results_kept"), runs = fresh_folder("find_results_runs");
  Result result = sample();
  write_result(kept / "regular-2.json", result);
  result.seconds = 1;
  make_folder(runs / "ddmnist-d4/regular/2");
  write_result(runs / "ddmnist-d4/regular/2/result.json", result);
  result.id.seed = 0;
  make_folder(runs / "ddmnist-d4/regular/0");
  write_result(runs / "ddmnist-d4/regular/0/result.json", result);
  write_file(runs / "ddmnist-d4/regular/0/config.toml", "");
  write_file(runs / "ddmnist-d4/regular/0/representation.json", "{}");  // a run's, but no result
  const auto found = find_results({kept, runs, kept / "absent"});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].id.seed, 0U);
  EXPECT_EQ(found[1].seconds, 210.5);
}

}  // namespace
}  // namespace algprior
