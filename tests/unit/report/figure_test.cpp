#include "algprior/report/figure.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/io/npy.hpp"
#include "small_runs.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace algprior::report {
namespace {

// Three seeds of two rows.
RunSet six_runs(const TemporaryFolder& folder) {
  for (int seed = 0; seed < 3; ++seed) {
    write_small_run(folder.path(), {.row = "cnn", .seed = seed, .accuracy = 0.7 + 0.01 * seed});
    write_small_run(folder.path(), {.row = "regular", .seed = seed, .accuracy = 0.8 + 0.01 * seed});
  }
  return find_runs({folder.path()});
}

bool offers(const RunSet& set, const std::string& name) {
  const auto list = list_figures(set);
  return std::any_of(list.begin(), list.end(), [&](const FigureOffer& offer) {
    return offer.name == name && offer.needs.empty();
  });
}

TEST(Figures, ACurveHasMeanBandAndSeeds) {
  const TemporaryFolder folder;
  const RunSet set = six_runs(folder);
  const Figure figure = make_figure("curve/validation/accuracy", set);
  EXPECT_EQ(count_of_text(figure.body, " st\""), 6u);      // one thin line a seed
  EXPECT_EQ(count_of_text(figure.body, "class=\"b"), 2u);  // a band a row
  EXPECT_EQ(count_of_text(figure.body, "data-s="), 2u);
  ASSERT_EQ(figure.numbers.rows.size(), 5u);
  EXPECT_EQ(figure.numbers.columns, (std::vector<std::string>{"epoch", "cnn", "regular"}));
  EXPECT_EQ(figure.numbers.rows.back()[1], "0.71 ± 0.01");
  EXPECT_NE(figure.description.find("sample standard deviation, up to 3 runs"), std::string::npos);
  EXPECT_TRUE(figure.cursor);
}

TEST(Figures, TheSameRunsGiveTheSameBytes) {
  const TemporaryFolder folder, other;
  const RunSet set = six_runs(folder), again = six_runs(other);
  for (const FigureOffer& offer : list_figures(set)) {
    if (!offer.needs.empty()) continue;
    EXPECT_EQ(to_svg(make_figure(offer.name, set)), to_svg(make_figure(offer.name, again)))
        << offer.name;
  }
  const Figure figure = make_figure("curves", set);
  EXPECT_NE(to_svg(figure, Theme::kLight), to_svg(figure, Theme::kDark));
}

TEST(Figures, GapsAndNothingFinite) {
  const TemporaryFolder folder;
  const auto place = write_small_run(folder.path(), {.finished = false});
  write_file(place / "metrics.jsonl",
             R"({"step":1,"epoch":1,"split":"train","terms":{"a":1,"b":null},"metrics":{}})"
             "\n"
             R"({"step":2,"epoch":2,"split":"train","terms":{"a":null,"b":null},"metrics":{}})"
             "\n"
             R"({"step":3,"epoch":3,"split":"train","terms":{"a":3,"b":null},"metrics":{}})"
             "\n");
  const RunSet set = find_runs({folder.path()});
  EXPECT_TRUE(offers(set, "curve/train/a"));
  EXPECT_FALSE(offers(set, "curve/train/b"));
  const Figure figure = make_figure("curve/train/a", set);
  EXPECT_EQ(count_of_text(figure.body, "h0"), 2u);  // two dots, no line across the gap
  EXPECT_EQ(figure.numbers.rows[1][1], "–");
}

TEST(Figures, SaysWhatIsMissing) {
  const TemporaryFolder folder;
  const RunSet set = six_runs(folder);
  EXPECT_THROW(make_figure("eigenvalues", set), InputError);
  try {
    make_figure("curve/validation/acuracy", set);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(error.failure().next.find("curve/validation/accuracy"), std::string::npos);
  }
  const auto list = list_figures(RunSet{});
  EXPECT_TRUE(
      std::all_of(list.begin(), list.end(), [](const FigureOffer& o) { return !o.needs.empty(); }));
}

TEST(Figures, TableBesideThePaper) {
  const TemporaryFolder folder;
  const RunSet set = six_runs(folder);
  const Figure figure = make_figure("table/ddmnist", set);
  const auto row = std::find_if(figure.numbers.rows.begin(), figure.numbers.rows.end(),
                                [](const auto& r) { return r[0] == "CNN" && r[1] == "d4"; });
  ASSERT_NE(row, figure.numbers.rows.end());
  EXPECT_EQ((*row)[2], "0.800 ± 0.001");
  EXPECT_EQ((*row)[3], "0.710 ± 0.010");
  EXPECT_EQ((*row)[5], "10.0***");
}

TEST(Figures, LambdaWithWhiskers) {
  const TemporaryFolder folder;
  for (const char* row : {"lambda-0", "lambda-0.5", "lambda-2"}) {
    for (int seed = 0; seed < 2; ++seed) {
      write_small_run(folder.path(), {.experiment = "ddmnist-sensitivity",
                                      .row = row,
                                      .seed = seed,
                                      .accuracy = 0.5 + 0.1 * seed});
    }
  }
  const Figure figure = make_figure("lambda", find_runs({folder.path()}));
  ASSERT_EQ(figure.numbers.rows.size(), 3u);
  EXPECT_EQ(figure.numbers.rows[1][0], "0.5");
  EXPECT_EQ(figure.numbers.rows[1][4], "2");
  EXPECT_EQ(count_of_text(figure.body, "class=\"wk\""), 3u);
}

TEST(Figures, EigenvaluesAtChosenSteps) {
  const TemporaryFolder folder;
  const auto place =
      write_small_run(folder.path(), {.experiment = "mnist-d3", .row = "learned", .group = "D3"});
  std::string csv = "step,generator,real,imaginary,nearest_root\n";
  for (int step = 0; step <= 1000; step += 100) {
    for (int k = 0; k < 6; ++k)
      csv += fmt::format("{},{},{},{},{}\n", step, 0, 0.1 * k, 0.2, k % 3);
    for (int k = 0; k < 6; ++k)
      csv += fmt::format("{},{},{},{},{}\n", step, 1, k % 2 == 0 ? 1 : -1, 0, k % 2);
  }
  write_file(place / "eigenvalues.csv", csv);
  const RunSet set = find_runs({folder.path()});
  const Figure plane = make_figure("eigenvalues", set);
  EXPECT_EQ(count_of_text(plane.body, " ev\""), 4u * 2 * 6);
  EXPECT_EQ(count_of_text(plane.body, "class=\"wk\""), 4u * (3 + 2));
  const Figure counts = make_figure("eigenvalue-counts", set);
  EXPECT_EQ(counts.numbers.rows.size(), 8u);
  EXPECT_EQ(counts.numbers.rows[0], (std::vector<std::string>{"r", "0", "2", "2", "2"}));
  EXPECT_EQ(counts.numbers.rows[4], (std::vector<std::string>{"s", "0", "3", "3", "–"}));
  write_file(place / "eigenvalues.csv", "step,generator,real,imaginary,nearest_root\n-1,0,1,0,0\n");
  EXPECT_THROW(make_figure("eigenvalues", set), FileError);
}

TEST(Figures, MultiplicitiesBesideRegularAndNull) {
  const TemporaryFolder folder;
  Result result;
  result.id = make_run_id("mnist-d3", "learned", 0);
  result.parameters = 5;
  result.metrics = {{"multiplicity_by_eigenvalues/r:-1 s:0", 6.5},
                    {"multiplicity_by_eigenvalues/r:1 s:-1", 2.5},
                    {"multiplicity_by_eigenvalues/r:1 s:1", 3}};
  write_result(folder / "a.json", result);
  result.id = make_run_id("null-d3", "normal", 0);
  result.parameters = 0;
  result.metrics["seeds"] = 10;
  write_result(folder / "b.json", result);
  result.id = make_run_id("null-c2", "normal", 0);
  result.metrics = {{"seeds", 10}, {"multiplicity_by_eigenvalues/r:1", 1}};
  write_result(folder / "c.json", result);
  const Figure figure = make_figure("multiplicities", find_runs({folder.path()}));
  EXPECT_EQ(figure.numbers.columns.size(), 5u);
  EXPECT_EQ(figure.numbers.rows[0], (std::vector<std::string>{"r:-1 s:0", "6.5", "1", "6", "6.5"}));
  EXPECT_EQ(figure.numbers.rows[2], (std::vector<std::string>{"r:1 s:1", "3", "1", "3", "3"}));
}

TEST(Figures, ErrorsByElementInCayleyOrder) {
  const TemporaryFolder folder;
  const auto place = write_small_run(folder.path(), {});
  write_file(
      place / "element_error.csv",
      "epoch,element,error\n1,0,9\n2,0,0\n2,1,0.1\n2,2,0.2\n2,3,0.3\n2,4,0.4\n2,5,0.5\n2,6,0.6\n");
  const Figure figure = make_figure("elements", find_runs({folder.path()}));
  ASSERT_EQ(figure.numbers.rows.size(), 8u);
  EXPECT_EQ(figure.numbers.rows[0], (std::vector<std::string>{"e", "0"}));
  EXPECT_EQ(figure.numbers.rows[2], (std::vector<std::string>{"r²", "0.2"}));
  EXPECT_EQ(figure.numbers.rows[4], (std::vector<std::string>{"s", "0.4"}));
  const auto missing = std::count_if(figure.numbers.rows.begin(), figure.numbers.rows.end(),
                                     [](const auto& row) { return row[1] == "–"; });
  EXPECT_EQ(missing, 1);  // the file has no line for element 7
  EXPECT_EQ(count_of_text(figure.body, "class=\"cell\""), 8u);
}

TEST(Figures, ErrorsByRotationAtTheElementsAndBetween) {
  const TemporaryFolder folder;
  const auto place = write_small_run(folder.path(), {});
  write_file(place / "motion_error.csv",
             "element,degrees,determinant,linear_error\n1,90,1,0.1\n2,180,1,0.3\n4,0,-1,9\n"
             "-1,45,1,0.5\n-1,22.5,1,0.7\n");
  const RunSet set = find_runs({folder.path()});
  const Figure figure = make_figure("motions", set);
  ASSERT_EQ(figure.numbers.rows.size(), 1u);
  EXPECT_EQ(figure.numbers.rows[0][1], "0.2");  // the reflection has no angle
  EXPECT_EQ(figure.numbers.rows[0][2], "0.6");
  // A rotation and its inverse are one point of the line.
  const auto points_of_line = [&](const char* rows) {
    write_file(place / "motion_error.csv",
               std::string("element,degrees,determinant,linear_error\n") + rows);
    const std::string body = make_figure("motions", set).body;
    const std::size_t begin = body.find("d=\"M", body.find("data-s=\"0\"")) + 3;
    const std::string line = body.substr(begin, body.find('"', begin) - begin);
    return std::count(line.begin(), line.end(), ',');
  };
  EXPECT_EQ(points_of_line("-1,45,1,0.5\n-1,90,1,0.7\n-1,45,1,0.3\n-1,30,1,0.6\n"), 3);
  EXPECT_EQ(points_of_line("-1,45,1,0.5\n-1,90,1,0.7\n-1,46,1,0.3\n-1,30,1,0.6\n"), 4);
  write_file(place / "motion_error.csv", "element,degrees,determinant,linear_error\na,b,c,d\n");
  EXPECT_THROW(make_figure("motions", set), FileError);
}

// D4 on each of two digits: 64 elements, of which the settings name only the factor.
TEST(Figures, ErrorsByElementOfAProduct) {
  const TemporaryFolder folder;
  const auto place = write_small_run(folder.path(), {.group = "C2"});
  write_file(place / "element_error.csv",
             "element,word,error\n0,\"e\",0\n1,\"b\",0.1\n2,\"a\",0.2\n3,\"a*b\",0.3\n");
  const Figure figure = make_figure("elements", find_runs({folder.path()}));
  ASSERT_EQ(figure.numbers.rows.size(), 4u);
  EXPECT_EQ(figure.numbers.rows[3][0], "a*b");
  EXPECT_EQ(figure.numbers.rows[3][1], "0.3");
}

TEST(Figures, ProbesByEpochWithTheirBand) {
  const TemporaryFolder folder;
  EXPECT_FALSE(offers(six_runs(folder), "probes"));
  const TemporaryFolder probed;
  for (int seed = 0; seed < 2; ++seed) {
    const auto place =
        write_small_run(probed.path(), {.experiment = "persistence-c4", .seed = seed});
    std::string lines;
    for (int epoch = 1; epoch <= 3; ++epoch) {
      lines += fmt::format(
          R"({{"step":{0},"epoch":{0},"split":"validation","terms":{{}},"metrics":{{)"
          R"("local_probe_accuracy":1,"global_probe_accuracy":{1},"invariance_loss":{2}}}}})"
          "\n",
          epoch, 0.25 + 0.1 * epoch + 0.02 * seed, 0.1 / epoch);
    }
    write_file(place / "metrics.jsonl", lines);
  }
  const RunSet set = find_runs({probed.path()});
  ASSERT_TRUE(offers(set, "probes"));
  const Figure figure = make_figure("probes", set);
  EXPECT_EQ(count_of_text(figure.body, "data-s="), 3u);  // two accuracies, one loss
  EXPECT_EQ(count_of_text(figure.body, " st\""), 6u);    // each with both seeds
  ASSERT_EQ(figure.numbers.rows.size(), 3u);
  EXPECT_EQ(figure.numbers.rows[0][0], "1");
  EXPECT_EQ(figure.numbers.rows[0][1], "1");
  EXPECT_EQ(figure.numbers.rows[0][2], "0.36");  // the mean of 0.35 and 0.37
  EXPECT_EQ(figure.numbers.rows[1][3], "0.05");
}

TEST(Figures, OrbitAndRolloutFromArrays) {
  const TemporaryFolder folder;
  const auto place = write_small_run(folder.path(), {});
  std::vector<float> values(8 * 4 * 4);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 7);
  const io::Array images = io::make_array({8, 4, 4}, values);
  io::write_npz(place / "orbit.npz", {{"input", images}, {"decoded", images}});
  io::write_npz(place / "rollout.npz", {{"truth", images}, {"prediction", images}});
  const RunSet set = find_runs({folder.path()});
  const Figure orbit = make_figure("orbit", set);
  EXPECT_EQ(count_of_text(orbit.body, "<image "), 16u);
  EXPECT_EQ(orbit.numbers.rows.size(), 8u);
  EXPECT_EQ(orbit.numbers.rows[3][1], "0");
  const Figure rollout = make_figure("rollout", set);
  EXPECT_EQ(count_of_text(rollout.body, "<image "), 18u);
  io::write_npz(place / "orbit.npz",
                {{"input", images}, {"decoded", io::make_array({2, 8, 8}, values)}});
  EXPECT_THROW(make_figure("orbit", set), FileError);
  io::write_npz(place / "orbit.npz", {{"input", images}});
  EXPECT_THROW(make_figure("orbit", set), FileError);
  write_file(place / "rollout.npz", "no archive");
  EXPECT_THROW(make_figure("rollout", set), FileError);
}

}  // namespace
}  // namespace algprior::report
