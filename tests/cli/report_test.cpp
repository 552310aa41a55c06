#include "../unit/base/temporary_folder.hpp"
#include "algprior/base/file.hpp"
#include "run_program.hpp"

#include <csignal>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace algprior {
namespace {

// Two seeds that the program trained once; see tests/browser/page.test.mjs.
const std::string kRealRuns = ALGPRIOR_TEST_DATA "/runs";

TEST(ReportCommand, WritesOnePage) {
  const TemporaryFolder folder;
  const std::string file = (folder / "report.html").string();
  const Outcome outcome = run_algprior({"report", kRealRuns, "-o", file, "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto answer = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(answer["runs"], 2);
  EXPECT_EQ(answer["states"]["finished"], 2);
  const std::string html = read_file(file);
  EXPECT_EQ(answer["bytes"], html.size());
  EXPECT_TRUE(contains(html, "tmnist-c2/learned@train.epochs=8/1"));
  const Outcome again = run_algprior({"report", kRealRuns, "-o", file});
  EXPECT_EQ(again.code, 0);
  EXPECT_EQ(read_file(file), html);
  EXPECT_EQ(folder.names().size(), 1u);
}

TEST(ReportCommand, AnEmptyFolderIsAPageAndAnAbsentOneAnError) {
  const TemporaryFolder folder;
  EXPECT_EQ(
      run_algprior({"report", folder.path().string(), "-o", (folder / "r.html").string()}).code, 0);
  const Outcome absent =
      run_algprior({"report", (folder / "absent").string(), "-o", (folder / "r.html").string()});
  EXPECT_EQ(absent.code, 2);
  EXPECT_TRUE(contains(absent.err, "absent"));
}

TEST(PlotCommand, ListsAndDraws) {
  const TemporaryFolder folder;
  const Outcome list = run_algprior({"plot", kRealRuns, "--list", "--json"});
  ASSERT_EQ(list.code, 0) << list.err;
  std::size_t available = 0;
  for (const auto& entry : nlohmann::json::parse(list.out))
    available += entry["available"].get<bool>();
  EXPECT_GT(available, 10u);
  const std::string file = (folder / "fig.svg").string();
  ASSERT_EQ(run_algprior({"plot", kRealRuns, "--figure", "eigenvalues", "-o", file}).code, 0);
  EXPECT_TRUE(read_file(file).starts_with("<svg xmlns"));
  const std::string png = (folder / "fig.png").string();
  const Outcome drawn =
      run_algprior({"plot", kRealRuns, "--figure", "curves", "-o", png, "--theme", "dark"});
  if (drawn.code == 0) {
    EXPECT_TRUE(read_file(png).starts_with("\x89PNG"));
  } else {
    EXPECT_TRUE(contains(drawn.err, "librsvg2-2")) << drawn.err;
  }
}

TEST(PlotCommand, SaysWhatWouldHaveBeenRight) {
  const Outcome name = run_algprior({"plot", kRealRuns, "--figure", "eigenvalue", "-o", "x.svg"});
  EXPECT_EQ(name.code, 2);
  EXPECT_TRUE(contains(name.err, "eigenvalues")) << name.err;
  const Outcome kind = run_algprior({"plot", kRealRuns, "--figure", "curves", "-o", "x.gif"});
  EXPECT_EQ(kind.code, 2);
  EXPECT_TRUE(contains(kind.err, ".svg or .png"));
  const Outcome missing = run_algprior({"plot", kRealRuns, "--figure", "rollout", "-o", "x.svg"});
  EXPECT_EQ(missing.code, 2);
  EXPECT_TRUE(contains(missing.err, "rollout.npz"));
}

TEST(GroupCommand, DrawsFigures) {
  const TemporaryFolder folder;
  for (const char* figure : {"cayley", "characters"}) {
    const std::string file = (folder / (std::string(figure) + ".svg")).string();
    ASSERT_EQ(run_algprior({"group", "D4", "--figure", figure, "-o", file}).code, 0);
    EXPECT_TRUE(contains(read_file(file), "D4"));
  }
  EXPECT_EQ(run_algprior({"group", "D4", "--figure", "cayley"}).code, 2);
}

TEST(WatchCommand, ServesUntilItIsStopped) {
  RunningProgram watch(kAlgprior, {{"watch", kRealRuns}});
  ASSERT_TRUE(watch.wait_for("http://127.0.0.1:"));
  watch.send(SIGINT);
  EXPECT_EQ(watch.wait().code, 130);
}

}  // namespace
}  // namespace algprior
