#include "algprior/report/metric_log.hpp"

#include "small_runs.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace algprior::report {
namespace {

TEST(MetricLine, ReadsWhatTheTrainerWrites) {
  MetricLine line;
  ASSERT_TRUE(parse_metric_line(
      R"({"step":20,"epoch":2,"split":"train","terms":{"task":0.5,"\"a\\/\u00e9":null},"metrics":{}})",
      line));
  EXPECT_EQ(line.step, 20);
  EXPECT_EQ(line.epoch, 2);
  EXPECT_EQ(line.split, "train");
  ASSERT_EQ(line.terms.size(), 2u);
  EXPECT_EQ(line.terms[0], (std::pair<std::string, double>("task", 0.5)));
  EXPECT_EQ(line.terms[1].first, "\"a\\/é");
  EXPECT_TRUE(std::isnan(line.terms[1].second));
}

TEST(MetricLine, PassesOverWhatLaterVersionsMayAdd) {
  MetricLine line;
  ASSERT_TRUE(parse_metric_line(
      R"( { "new" : {"a":[1,{"b":"}"}],"c":true} , "metrics":{"x": -1e-3 }, "step": 7 } )", line));
  EXPECT_EQ(line.step, 7);
  ASSERT_EQ(line.metrics.size(), 1u);
  EXPECT_EQ(line.metrics[0].second, -1e-3);
}

TEST(MetricLine, RefusesWhatIsNoRecord) {
  MetricLine line;
  for (const char* text :
       {"", "{", "{}", "[]", "null", "{\"step\":1", "{\"step\":}", "{\"step\":1}x", "{\"epoch\":1}",
        "{\"step\":\"1\"}", "{\"step\":1,}", "{\"step\":1,\"terms\":[]}", "{\"step\":1e300}",
        "{\"step\":1,\"split\":\"a}", "{\"step\":1,\"split\":\"\\q\"}",
        "{\"step\":1,\"split\":\"\\u12\"}"}) {
    EXPECT_FALSE(parse_metric_line(text, line)) << text;
  }
  EXPECT_FALSE(parse_metric_line(R"({"step":1,"deep":)" + std::string(100, '['), line));
}

// However the bytes arrive, the curves are the same.
TEST(MetricLog, PiecesDoNotMatter) {
  const std::string text = metrics_text(6, 0.9);
  MetricLog whole;
  whole.append(text);
  for (const std::size_t size : {1u, 7u, 64u, 1000u}) {
    MetricLog log;
    for (std::size_t at = 0; at < text.size(); at += size)
      log.append(std::string_view(text).substr(at, size));
    ASSERT_EQ(log.curves().size(), whole.curves().size());
    for (const auto& [name, curve] : whole.curves()) {
      EXPECT_EQ(log.curves().at(name).values, curve.values);
      EXPECT_EQ(log.curves().at(name).steps, curve.steps);
    }
    EXPECT_EQ(log.bytes(), text.size());
    EXPECT_EQ(log.pending(), 0u);
  }
  EXPECT_EQ(whole.curves().at("validation/accuracy").values.size(), 6u);
  EXPECT_TRUE(whole.curves().at("train/task").term);
  EXPECT_EQ(whole.last_epoch(), 6);
}

TEST(MetricLog, CountsBadLinesAndKeepsATornOne) {
  MetricLog log;
  log.append("no json\n" + metrics_text(1, 0.5) + "{\"step\":");
  EXPECT_EQ(log.bad_lines(), 1u);
  EXPECT_EQ(log.pending(), 8u);
  EXPECT_EQ(log.curves().at("validation/accuracy").values, std::vector<double>{0.5});
}

// A run resumed from an older checkpoint does some steps again: they stand once, with the later
// values.
TEST(MetricLog, StepsDoneAgainReplaceTheOld) {
  MetricLog log;
  log.append(metrics_text(3, 0.9));
  log.append(R"({"step":20,"epoch":2,"split":"validation","terms":{},"metrics":{"accuracy":0.1}})"
             "\n");
  const Curve& curve = log.curves().at("validation/accuracy");
  EXPECT_EQ(curve.steps, (std::vector<std::int64_t>{10, 20}));
  EXPECT_EQ(curve.values.back(), 0.1);
}

}  // namespace
}  // namespace algprior::report
