#include "algprior/paper/paper_table.hpp"

#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

namespace algprior {
namespace {

Result run(const std::string& experiment, const std::string& row, std::uint64_t seed,
           double accuracy) {
  Result result;
  result.id = make_run_id(experiment, row, seed);
  result.metrics["augmented_test_accuracy"] = accuracy;
  return result;
}

const PaperCell& cell_of(const PaperTable& table, const std::string& row, std::size_t column) {
  for (const PaperTableRow& entry : table.rows) {
    if (entry.row == row) return entry.cells.at(column);
  }
  throw std::out_of_range(row);
}

constexpr std::size_t kD4 = 2;

TEST(PaperTable, StandsOursBesideThePapers) {
  const PaperTable table = make_paper_table(
      "ddmnist", {run("ddmnist-d4", "regular", 0, 0.86), run("ddmnist-d4", "regular", 1, 0.88),
                  run("ddmnist-d4", "cnn", 0, 0.80), run("ddmnist-d4", "cnn", 1, 0.82),
                  run("ddmnist-d4", "trivial", 0, 0.81)});
  const PaperCell& regular = cell_of(table, "regular", kD4);
  EXPECT_EQ(regular.published->mean, 0.868);
  EXPECT_NEAR(regular.ours->mean, 0.87, 1e-12);
  EXPECT_FALSE(regular.effect.has_value());
  EXPECT_NEAR(*cell_of(table, "cnn", kD4).effect, 0.06 / std::sqrt(0.0002), 1e-9);
  EXPECT_FALSE(cell_of(table, "trivial", kD4).effect.has_value()) << "of a single run";
}

TEST(PaperTable, NamesTheCommandThatFillsAMissingRowWhereThereIsOne) {
  const PaperTable table = make_paper_table("ddmnist", {});
  EXPECT_EQ(cell_of(table, "trivial", kD4).command,
            "algprior paper run ddmnist-d4 --rows trivial --seeds 3");
  EXPECT_EQ(cell_of(table, "scnn", kD4).command,
            "algprior paper run ddmnist-d4 --rows scnn --seeds 3");
  EXPECT_EQ(cell_of(table, "defining", 0).command, "");
  EXPECT_NE(to_text(table).find("algprior paper run ddmnist-c4 --rows regular"), std::string::npos);
  EXPECT_NE(to_text(table).find("SCNN (imported)"), std::string::npos);
}

// A result that was committed need not stand in the runs folder: a command that names a finished
// seed would make its run again.
TEST(PaperTable, NamesJustTheSeedsThatAreMissing) {
  const PaperTable table = make_paper_table(
      "ddmnist", {run("ddmnist-d4", "cnn", 0, 0.8), run("ddmnist-d4", "cnn", 2, 0.8),
                  run("ddmnist-d4", "trivial", 1, 0.8), run("ddmnist-d4", "regular", 2, 0.8),
                  run("ddmnist-d4", "regular", 1, 0.8), run("ddmnist-d4", "regular", 0, 0.8),
                  run("ddmnist-d4", "regular@D-5", 0, 0.8)});
  EXPECT_EQ(cell_of(table, "cnn", kD4).command,
            "algprior paper run ddmnist-d4 --rows cnn --seeds 1,");
  EXPECT_EQ(cell_of(table, "trivial", kD4).command,
            "algprior paper run ddmnist-d4 --rows trivial --seeds 0,2");
  EXPECT_EQ(cell_of(table, "regular", kD4).command, "");
  EXPECT_EQ(cell_of(table, "regular@D-5", kD4).command, "");
}

TEST(PaperTable, APredictorWithoutANetworkNeedsOneRun) {
  EXPECT_EQ(cell_of(make_paper_table("smoke", {}), "zero", 0).command,
            "algprior paper run smoke-c4 --rows zero --seeds 1");
  Result zero = run("smoke-c4", "zero", 0, 0.0);
  zero.metrics = {{"future_rmse", 1.2}};
  EXPECT_EQ(cell_of(make_paper_table("smoke", {zero}), "zero", 0).command, "");
}

TEST(PaperTable, ShowsRunsThatThePaperDoesNotHave) {
  const PaperTable table = make_paper_table(
      "ddmnist",
      {run("ddmnist-c4", "regular@D-2", 0, 0.5), run("ddmnist-sensitivity", "lambda-1", 0, 0.5)});
  EXPECT_EQ(cell_of(table, "regular@D-2", 0).ours->mean, 0.5);
  EXPECT_THROW(cell_of(table, "lambda-1", 0), std::out_of_range);
}

TEST(PaperTable, LongSettingsAreSpelledOutBelowWhereTheWidthIsBounded) {
  const std::string setting = "prior.relative=true,prior.weight=0.01,train.fresh_averages=true";
  const PaperTable table =
      make_paper_table("ddmnist", {run("ddmnist-d4", "cnn@" + setting, 0, 0.81),
                                   run("ddmnist-d4", "regular@" + setting, 0, 0.85)});
  const std::string bounded = to_text(table, false, 80);
  EXPECT_NE(bounded.find("cnn, setting 1 "), std::string::npos) << bounded;
  EXPECT_NE(bounded.find("regular, setting 1 "), std::string::npos) << bounded;
  EXPECT_NE(bounded.find("\nsetting 1: " + setting + "\n"), std::string::npos) << bounded;
  EXPECT_EQ(bounded.find("setting 2"), std::string::npos);
  EXPECT_NE(to_text(table, true, 80).find("regular@" + setting), std::string::npos);
}

TEST(PaperTable, SensitivityComparesWithTheOtherExperimentsBaseline) {
  const PaperTable table = make_paper_table(
      "ddmnist-sensitivity",
      {run("ddmnist-d4", "cnn", 0, 0.8), run("ddmnist-sensitivity", "lambda-1", 0, 0.9)});
  EXPECT_EQ(cell_of(table, "cnn", 0).ours->mean, 0.8);
  EXPECT_EQ(cell_of(table, "lambda-1", 0).ours->mean, 0.9);
  EXPECT_EQ(cell_of(table, "lambda-0.5", 0).command,
            "algprior paper run ddmnist-sensitivity --rows lambda-0.5 --seeds 2")
      << "two are wanted where the paper has five";
  EXPECT_EQ(cell_of(table, "cnn", 0).command,
            "algprior paper run ddmnist-d4 --rows cnn --seeds 1,");
}

}  // namespace
}  // namespace algprior
