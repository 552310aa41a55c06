#include "algprior/paper/run_id.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/metric.hpp"

#include <gtest/gtest.h>

namespace algprior {
namespace {

TEST(RunId, IsWrittenAndReadBack) {
  const RunId plain = make_run_id("ddmnist-d4", "regular", 3);
  EXPECT_EQ(to_string(plain), "ddmnist-d4/regular/3");
  const RunId changed = make_run_id("tmnist-c2-first", "learned@train.epochs=2@D-5", 0);
  EXPECT_EQ(changed.family, "tmnist");
  EXPECT_EQ(changed.variant, "c2-first");
  EXPECT_EQ(changed.row, "learned");
  EXPECT_EQ(changed.changes, "train.epochs=2@D-5");
  for (const RunId& id : {plain, changed}) EXPECT_EQ(parse_run_id(to_string(id)), id);
}

// 2026-11: a row of this name wrote outside the runs folder.
TEST(RunId, CannotLeaveItsFolder) {
  for (const char* row : {"../../evil", "..", ".", "", "a/b", "a\nb", "x@../y"}) {
    EXPECT_THROW(make_run_id("own-data", row, 0), InputError) << row;
  }
  EXPECT_THROW(make_run_id("own-..", "row", 0), InputError);
  EXPECT_THROW(make_run_id("own", "row", 0), InputError);
  for (const char* text : {"", "a-b/c", "a-b/c/", "a-b/c/x", "a-b/c/1x", "a-b/c/-1"}) {
    EXPECT_THROW(parse_run_id(text), InputError) << text;
  }
}

TEST(Metric, NamesAreUniqueAndFamiliesAreFound) {
  for (const Metric& metric : all_metrics()) {
    EXPECT_EQ(find_metric(metric.name)->meaning, metric.meaning) << metric.name;
    EXPECT_FALSE(metric.meaning.empty()) << metric.name;
  }
  EXPECT_EQ(find_metric("multiplicity_by_elements/r:1")->name, "multiplicity_by_elements/");
  EXPECT_EQ(find_metric("validation_accuracy")->name, "validation_");
  EXPECT_EQ(find_metric("accurasy"), nullptr);
}

}  // namespace
}  // namespace algprior
