#include "algprior/paper/study_table.hpp"

#include "algprior/base/error.hpp"
#include "algprior/paper/catalogue.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace algprior {
namespace {

Result study_result(const std::string& row, std::uint64_t seed, double accuracy) {
  Result result;
  result.id = make_run_id("room-d4", row, seed);
  result.metrics = {{"augmented_test_accuracy", accuracy}, {"room", 3}};
  result.epochs = 50;
  result.seconds = 100;
  return result;
}

const StudyRow& row_of(const StudyTable& table, const std::string& row) {
  return *std::find_if(table.rows.begin(), table.rows.end(),
                       [&](const StudyRow& one) { return one.row == row; });
}

TEST(StudyTable, DifferencesAreTakenSeedBySeed) {
  const std::vector<Result> results = {
      study_result("z66-free", 0, 0.80), study_result("z66-free", 1, 0.70),
      study_result("z66-start", 0, 0.81), study_result("z66-start", 1, 0.73),
      study_result("z66-start", 2, 0.99)};  // without a partner
  const StudyTable table = make_study_table("room", results);
  const StudyRow& row = row_of(table, "z66-start");
  ASSERT_TRUE(row.difference.has_value());
  EXPECT_EQ(row.difference->count, 2U);
  EXPECT_NEAR(row.difference->mean, 0.02, 1e-12);
  // t of one degree of freedom, 12.706, on a deviation of 0.01·√2 over √2.
  EXPECT_NEAR(row.difference->half_width.value(), 0.12706, 1e-4);
  EXPECT_EQ(row.values.at(0)->count, 3U);
  EXPECT_EQ(row.values.back()->mean, 3);
  EXPECT_EQ(row.epoch_seconds->mean, 2);
  EXPECT_EQ(row.command, "");
  EXPECT_FALSE(row_of(table, "z66-free").difference.has_value());
  EXPECT_EQ(row_of(table, "z642-start").command,
            "algprior paper run room-d4 --rows z642-start --seeds 2");
  const std::string text = to_text(table);
  EXPECT_NE(text.find("+0.020 ± 0.127"), std::string::npos) << text;
  EXPECT_NE(to_json(table).find("\"half_width\": 0.127"), std::string::npos);
  EXPECT_EQ(to_text(table, true).find("Missing"), std::string::npos);
}

TEST(StudyTable, ASinglePairHasNoInterval) {
  const StudyTable table = make_study_table(
      "room", {study_result("z66-free", 0, 0.80), study_result("z66-start", 0, 0.81)});
  EXPECT_FALSE(row_of(table, "z66-start").difference->half_width.has_value());
  EXPECT_THROW(make_study_table("nothing", {}), InputError);
  EXPECT_THROW(paired_difference({}), InputError);
}

// Every row of a study is one that can be run, and so is what it is compared with.
TEST(StudyTable, RowsAreOfTheCatalogue) {
  for (const std::string& name : study_names()) {
    for (const StudyRow& row : make_study_table(name, {}).rows) {
      const auto known = rows_of(name + "-" + row.variant);
      EXPECT_TRUE(std::any_of(known.begin(), known.end(),
                              [&](const PaperRow& one) { return one.row == row.row; }))
          << name << " " << row.row;
    }
  }
}

}  // namespace
}  // namespace algprior
