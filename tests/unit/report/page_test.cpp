#include "algprior/report/page.hpp"

#include "algprior/base/file.hpp"
#include "algprior/report/audit_section.hpp"
#include "algprior/report/markup.hpp"
#include "small_runs.hpp"

#include <algorithm>
#include <regex>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace algprior::report {
namespace {

std::string page_of(const std::filesystem::path& folder) {
  return to_html(make_page(find_runs({folder}), "Runs"));
}

TEST(Page, SaysInWordsWhatTheRunsFound) {
  const TemporaryFolder folder;
  for (int seed = 0; seed < 3; ++seed) {
    write_small_run(folder.path(), {.row = "cnn", .seed = seed, .accuracy = 0.7 + 0.01 * seed});
    write_small_run(folder.path(), {.row = "regular", .seed = seed, .accuracy = 0.8 + 0.01 * seed});
  }
  write_small_run(folder.path(), {.row = "regular", .seed = 3, .finished = false});
  const std::string html = page_of(folder.path());
  EXPECT_NE(html.find("7 runs of 1 experiment: 6 finished, 1 stopped before the end."),
            std::string::npos);
  EXPECT_NE(html.find("best regular 0.81 ± 0.01 (3 runs), last cnn 0.71 ± 0.01 (3 runs)"),
            std::string::npos);
  EXPECT_NE(html.find("Cohen&#39;s d 10.0"), std::string::npos);
  EXPECT_NE(html.find("Results beside the paper"), std::string::npos);
  EXPECT_NE(html.find("0123456789ab"), std::string::npos);  // the commit
}

AuditReport small_audit() {
  AuditReport audit;
  audit.subject = "</section><script>x";
  audit.group = "C2";
  audit.order = 2;
  audit.samples = 10;
  audit.dimension = 4;
  audit.effective_rank = 4;
  audit.verdict = Verdict::kSome;
  audit.audited = "fitted";
  audit.errors.invariance = Estimate{0.7, 0.6, 0.8};
  audit.errors.fitted = Estimate{0.1, 0.05, 0.15};
  audit.fitted.rank = 4;
  audit.fitted.multiplicities = {{0, 1, {2.1, 1.9, 2.3}, 2}, {1, 1, {1.9, 1.7, 2.1}, 2}};
  audit.per_element = {{1, "s", 0.1}};
  audit.per_irrep = {{0, 1, 0.5, 0.2}, {1, 1, 0.5, std::nullopt}};
  audit.spectrum = {1.0, 0.5};
  audit.remarks = {"a <b>remark</b>"};
  audit.next = {"nothing"};
  return audit;
}

// audit.json of a run becomes a section with its figures; a damaged one is named, not shown.
TEST(Page, ShowsTheAuditsOfRuns) {
  const TemporaryFolder folder;
  const auto first = write_small_run(folder.path(), {.row = "cnn"});
  const auto second = write_small_run(folder.path(), {.row = "regular"});
  write_file(first / "audit.json", algprior::to_json(small_audit()));
  write_file(second / "audit-output.json", "{\"group\": 3}");
  const std::string html = page_of(folder.path());
  EXPECT_NE(html.find("<section id=\"audit-0\">"), std::string::npos);
  EXPECT_EQ(html.find("<section id=\"audit-1\">"), std::string::npos);
  EXPECT_NE(html.find("Equivariant under C2 to some representation"), std::string::npos);
  EXPECT_NE(html.find("no report of an audit"), std::string::npos);
  EXPECT_EQ(count_of_text(html, "<script"), 1u);
  EXPECT_EQ(html.find("<b>"), std::string::npos);
  const std::vector<Figure> figures = audit_figures(small_audit());
  ASSERT_EQ(figures.size(), 5u);
  for (const Figure& figure : figures) {
    EXPECT_GT(figure.width, 0) << figure.name;
    EXPECT_FALSE(figure.numbers.rows.empty()) << figure.name;
    EXPECT_NE(html.find("audit-0-" + to_slug(figure.name)), std::string::npos) << figure.name;
  }
  EXPECT_EQ(figures[0].numbers.rows.size(), 6u);
  EXPECT_EQ(figures[0].numbers.rows[1][1], "–");  // regular does not apply, and is not 0
  EXPECT_TRUE(audit_figures({}).empty());
}

// Nothing that a run is called, or that its files hold, becomes markup.
TEST(Page, StringsStayInTheirPlaces) {
  const TemporaryFolder folder;
  const std::string evil = "\"><script>alert(1)<";
  const auto place = write_small_run(
      folder.path(),
      {.row = "x",
       .extra_settings = "[evil]\n\"</script><img src=x onerror=y>\" = '</style><b>'\n"});
  write_file(
      place / "metrics.jsonl",
      R"({"step":1,"epoch":1,"split":"</title><script>","terms":{"<img src=x>":1},"metrics":{"'\"><i>":2}})"
      "\n");
  Result result = read_result(place / "result.json");
  result.id.row = evil + "script>";
  result.kernels = "<i>";
  result.metrics["</td><script>"] = 1;
  result.machine["<u>"] = "</table>";
  write_result(place / "result.json", result);
  const std::string html = page_of(folder.path());
  EXPECT_EQ(count_of_text(html, "<script"), 1u);
  EXPECT_EQ(count_of_text(html, "</script"), 1u);
  EXPECT_EQ(count_of_text(html, "</style"), 1u);
  EXPECT_EQ(html.find("<img"), std::string::npos);
  EXPECT_EQ(html.find("<i>"), std::string::npos);
  EXPECT_EQ(html.find("<u>"), std::string::npos);
  EXPECT_EQ(html.find("<b>"), std::string::npos);
}

TEST(Page, AsksForNothing) {
  const TemporaryFolder folder;
  write_small_run(folder.path(), {});
  const std::string html = page_of(folder.path());
  EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(html.find("connect-src"), std::string::npos);
  EXPECT_EQ(html.find("unsafe-inline"), std::string::npos);
  EXPECT_FALSE(std::regex_search(html, std::regex("(src|href)=\"(?!#|data:)")));
  EXPECT_NE(
      to_live_html(make_page(find_runs({folder.path()}), "Runs"), 7).find("connect-src 'self'"),
      std::string::npos);
}

TEST(Page, IdsAreUniqueAndLinksArrive) {
  const TemporaryFolder folder;
  write_small_run(folder.path(), {});
  write_small_run(folder.path(), {.experiment = "mnist-d3", .row = "learned", .group = "D3"});
  const std::string html = page_of(folder.path());
  const std::string body = html.substr(0, html.find("<script>"));
  std::set<std::string> ids;
  const std::regex id("\\sid=\"([^\"]*)\""), link("href=\"#([^\"]*)\"");
  for (auto it = std::sregex_iterator(body.begin(), body.end(), id); it != std::sregex_iterator();
       ++it) {
    EXPECT_TRUE(ids.insert((*it)[1]).second) << (*it)[1];
  }
  for (auto it = std::sregex_iterator(body.begin(), body.end(), link); it != std::sregex_iterator();
       ++it) {
    EXPECT_TRUE(ids.contains((*it)[1])) << (*it)[1];
  }
  EXPECT_GT(ids.size(), 8u);
}

TEST(Page, SameInputSameBytes) {
  const TemporaryFolder folder;
  write_small_run(folder.path(), {});
  write_small_run(folder.path(), {.seed = 1, .finished = false});
  EXPECT_EQ(page_of(folder.path()), page_of(folder.path()));
}

TEST(Page, EmptyFoldersDamagedFilesAndMixedExperiments) {
  const TemporaryFolder folder;
  EXPECT_NE(page_of(folder.path()).find("There is no run here yet"), std::string::npos);
  const auto place = write_small_run(
      folder.path(), {.experiment = "other-thing", .row = "r", .group = "no group"});
  write_file(place / "eigenvalues.csv", "no,such\ncolumns,here\n");
  write_file(place / "orbit.npz", "damaged");
  make_folder(folder / "half");
  write_file(folder / "half/result.json", "{");
  write_small_run(folder.path(), {});
  const std::string html = page_of(folder.path());
  EXPECT_NE(html.find("What could not be read"), std::string::npos);
  EXPECT_NE(html.find("cannot read"), std::string::npos);
  EXPECT_NE(html.find("ddmnist-d4/regular/0"), std::string::npos);
  EXPECT_NE(html.find("state-damaged"), std::string::npos);
}

// The size that is promised: 50 runs of 150 epochs with ten numbers each.
TEST(Page, FiftyRunsStaySmall) {
  const TemporaryFolder folder;
  for (int run = 0; run < 50; ++run) {
    const auto place =
        write_small_run(folder.path(), {.row = "row" + std::to_string(run / 5), .seed = run % 5});
    std::string text;
    for (int epoch = 1; epoch <= 150; ++epoch) {
      for (const char* split : {"train", "validation"}) {
        nlohmann::ordered_json line{{"step", epoch}, {"epoch", epoch}, {"split", split}};
        for (const char* name : {"a", "b", "c", "d", "e"}) {
          line["terms"][name] = 1.0 / epoch + 0.1 * ((epoch * 7919 + run * 104729) % 1000) / 1000.0;
        }
        line["metrics"] = nlohmann::ordered_json::object();
        text += line.dump() + "\n";
      }
    }
    write_file(place / "metrics.jsonl", text);
  }
  EXPECT_LT(page_of(folder.path()).size(), 500'000u);
}

TEST(Page, ChangesAreThePartsThatDiffer) {
  const Page before{"t", {{"a", "<p id=a>1</p>"}, {"b", "<p id=b>2</p>"}, {"d", "x"}}};
  const Page after{"t", {{"a", "<p id=a>1</p>"}, {"c", "new"}, {"b", "<p id=b>3</p>"}}};
  EXPECT_EQ(page_changes(before, before), "");
  EXPECT_EQ(page_changes(before, after),
            "{\"id\":\"c\",\"after\":\"a\",\"html\":\"new\"}\n"
            "{\"id\":\"b\",\"after\":\"c\",\"html\":\"<p id=b>3</p>\"}\n"
            "{\"id\":\"d\"}\n");
}

}  // namespace
}  // namespace algprior::report
