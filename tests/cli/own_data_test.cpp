// Data of one's own as a person uses it: predictions, runs that go on, files where they are named.
#include "../unit/base/temporary_folder.hpp"
#include "algprior/io/npy.hpp"
#include "algprior/io/safetensors.hpp"
#include "run_program.hpp"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace algprior {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

const std::string kOwnData = ALGPRIOR_TEST_DATA "/bwc/data.npz";

class OwnData : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!kHasTorch) GTEST_SKIP() << "built without LibTorch";
    fs::copy_file(kOwnData, folder_ / "data.npz");
    // The files are beside this one, wherever the program is started.
    std::ofstream(folder_ / "own.toml")
        << "[experiment]\nrecipe = \"arrays\"\n[data]\ngroup = \"C4\"\ntrain = "
           "\"data.npz\"\nvalidation = "
           "\"data.npz\"\ntest = \"data.npz\"\n[network]\nlatent = 5\nhidden = [4]\n"
           "[train]\nepochs = 2\nbatch_size = 6\npatience = 0\n";
  }

  std::string path(const char* name) const { return (folder_ / name).string(); }
  Outcome train(std::vector<std::string> more = {}) const {
    more.insert(more.begin(),
                {"train", path("own.toml"), "--out", path("run"), "--threads", "1", "--json"});
    return run_algprior(more);
  }

  TemporaryFolder folder_;
};

TEST_F(OwnData, PredictWritesOutputsLatentsAndLabels) {
  const Outcome trained = train();
  ASSERT_EQ(trained.code, 0) << trained.err;
  for (const char* name : {"out.npz", "out.safetensors"}) {
    const Outcome outcome =
        run_algprior({"predict", path("run"), "--data", kOwnData, "-o", path(name)});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(contains(outcome.out, "output")) << outcome.out;
  }
  const io::NamedArrays arrays = io::read_npz(path("out.npz"));
  EXPECT_EQ(io::read_safetensors(path("out.safetensors")).tensors, arrays);
  const auto labels = io::to_doubles(io::read_npz(kOwnData).at("y"));
  const auto samples = static_cast<std::int64_t>(labels.size());
  EXPECT_EQ(arrays.at("z").shape, (std::vector<std::int64_t>{samples, 5}));
  const auto outputs = io::to_doubles(arrays.at("output"));
  const auto classes = static_cast<std::size_t>(arrays.at("output").shape.at(1));
  const auto predicted = io::to_doubles(arrays.at("label"));
  double right = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto* row = outputs.data() + i * classes;
    EXPECT_EQ(predicted[i], std::max_element(row, row + classes) - row);
    right += predicted[i] == labels[i];
  }
  const Json eval =
      Json::parse(run_algprior({"eval", path("run"), "--data", kOwnData, "--json"}).out);
  EXPECT_NEAR(eval["metrics"]["accuracy"].get<double>(), right / static_cast<double>(samples),
              1e-12);
  // Before an hour of work, not after it.
  EXPECT_EQ(run_algprior({"predict", path("run"), "--data", kOwnData, "-o", path("out.csv")}).code,
            2);
  const Outcome absent = run_algprior(
      {"predict", path("run"), "--data", kOwnData, "-o", path("o.npz"), "--inputs", "z"});
  EXPECT_EQ(absent.code, 1);
  EXPECT_TRUE(contains(absent.err, "x, y")) << absent.err;
}

// On another machine there is the run's folder and nothing else.
TEST_F(OwnData, PredictNeedsTheRunFolderAlone) {
  for (const char* prior : {"regular", "learned"}) {
    const std::string run = path(prior);
    const Outcome trained = run_algprior({"train", path("own.toml"), "--out", run, "--threads", "1",
                                          "--set", std::string("prior.representation=") + prior});
    ASSERT_EQ(trained.code, 0) << trained.err;
    const auto predict = [&](const std::string& folder, const char* output) {
      return run_algprior(
          {"predict", folder, "--data", kOwnData, "-o", path(output), "--threads", "1"});
    };
    ASSERT_EQ(predict(run, "before.npz").code, 0);
    const std::string moved = path("moved") + prior;
    fs::rename(run, moved);
    fs::rename(path("data.npz"), path("gone.npz"));
    const Outcome alone = predict(moved, "after.npz");
    EXPECT_EQ(alone.code, 0) << alone.err;
    EXPECT_EQ(io::read_npz(path("after.npz")), io::read_npz(path("before.npz"))) << prior;
    // What is measured on the run's own data still asks for it.
    EXPECT_EQ(run_algprior({"eval", moved}).code, 1);
    // A folder whose network.json was changed is not trusted.
    std::ofstream(moved + "/network.json") << "{}";
    const Outcome damaged = predict(moved, "damaged.npz");
    EXPECT_EQ(damaged.code, 1);
    EXPECT_TRUE(contains(damaged.err, "network.json")) << damaged.err;
    fs::remove(moved + "/network.json");
    EXPECT_EQ(predict(moved, "missing.npz").code, 1);  // as runs of older versions
    fs::rename(path("gone.npz"), path("data.npz"));
    EXPECT_EQ(predict(moved, "missing.npz").code, 0);
  }
}

TEST_F(OwnData, MatricesAreLookedForBesideTheFileThatNamesThem) {
  io::write_npz(folder_ / "turn.npz",
                {{"r", io::make_array({2, 2}, std::vector<double>{0, -1, 1, 0})}});
  io::write_npz(folder_ / "points.npz",
                {{"x", io::make_array({4, 2}, std::vector<double>{1, 0, 0, 1, -1, 0, 0, -1})},
                 {"y", io::make_array({4}, std::vector<std::int64_t>{0, 1, 0, 1})}});
  std::ofstream(folder_ / "turn.toml")
      << "[experiment]\nrecipe = \"arrays\"\n[data]\ngroup = \"C4\"\ntrain = \"points.npz\"\n"
         "validation = \"points.npz\"\ntest = \"points.npz\"\naction = \"axis\"\n"
         "representation = \"matrices\"\nmatrices_file = \"turn.npz\"\n[network]\nlatent = 4\n"
         "hidden = [4]\n[prior]\nrepresentation = \"matrices\"\nmatrices_file = \"turn.npz\"\n"
         "[train]\nepochs = 1\nbatch_size = 2\n";
  const Outcome outcome =
      run_algprior({"train", path("turn.toml"), "--out", path("turn"), "--threads", "1"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  io::write_npz(folder_ / "turn.npz",
                {{"r", io::make_array({2, 2}, std::vector<double>{0, -1, 1, 1})}});
  const Outcome refused = run_algprior({"train", path("turn.toml"), "--dry-run"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(contains(refused.err, "turn.npz") && contains(refused.err, "r^4")) << refused.err;
}

TEST_F(OwnData, AFolderGoesOnAndTakesMoreEpochs) {
  ASSERT_EQ(train().code, 0);
  const Outcome again = run_algprior({"train", path("run"), "--resume", "--threads", "1"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_TRUE(contains(again.err, "is finished")) << again.err;
  const Outcome more = run_algprior(
      {"train", path("run"), "--resume", "--threads", "1", "--json", "--set", "train.epochs=4"});
  ASSERT_EQ(more.code, 0) << more.err;
  EXPECT_EQ(Json::parse(more.out)["epochs"], 4);
  const Outcome other =
      run_algprior({"train", path("run"), "--resume", "--set", "train.learning_rate=1"});
  EXPECT_EQ(other.code, 2);
  EXPECT_TRUE(contains(other.err, "more epochs")) << other.err;
  EXPECT_EQ(run_algprior({"train", folder_.path().string(), "--resume"}).code, 2);  // no run
}

// A bound on the size of files is an error that names the file, not a death by signal. Dated
// 2026-11-18.
TEST_F(OwnData, AFileThatMayNotGrowIsNamed) {
  const Outcome outcome =
      run_program("/bin/sh", {{"-c", "ulimit -f 8; exec \"$0\" \"$@\"", kAlgprior, "train",
                               path("own.toml"), "--out", path("run"), "--threads", "1"}});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "File too large") && contains(outcome.err, path("run")))
      << outcome.err;
}

TEST_F(OwnData, CtrlCPrintsTheLineThatGoesOn) {
  RunningProgram program(kAlgprior, {{"train", path("own.toml"), "--out", path("a run"),
                                      "--threads", "1", "--set", "train.epochs=1000000"}});
  const auto begun = [&] {
    return fs::exists(folder_ / "a run/metrics.jsonl") &&
           fs::file_size(folder_ / "a run/metrics.jsonl") > 0;
  };
  for (int i = 0; i < 1200 && !begun(); ++i) usleep(50'000);
  ASSERT_TRUE(begun());
  program.send(SIGINT);
  const Outcome stopped = program.wait();
  EXPECT_EQ(stopped.code, 130);
  EXPECT_TRUE(contains(stopped.err, "algprior train '" + path("a run") + "' --resume"))
      << stopped.err;
}

TEST_F(OwnData, TheStandardInputIsAFileToo) {
  const std::string command = "cd '" + folder_.path().string() + "' && '" + kAlgprior +
                              "' train - --threads 1 --json --dry-run < own.toml";
  const Outcome outcome = run_program("/bin/sh", {{"-c", command}});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(Json::parse(outcome.out)["epochs"], 2);
}

TEST_F(OwnData, ADryRunFindsWhatIsWrongWithTheTestData) {
  auto arrays = io::read_npz(kOwnData);
  auto values = io::to_doubles(arrays.at("x"));
  values.at(5) = std::numeric_limits<double>::quiet_NaN();
  arrays["x"] = io::make_array(arrays.at("x").shape, values);
  io::write_npz(path("bad.npz"), arrays);
  const Outcome outcome = run_algprior(
      {"train", path("own.toml"), "--dry-run", "--set", "data.test=" + path("bad.npz")});
  EXPECT_EQ(outcome.code, 2);
  for (const char* part : {"data.test", "bad.npz", "sample 0", "nan"}) {
    EXPECT_TRUE(contains(outcome.err, part)) << part << " in " << outcome.err;
  }
}

TEST_F(OwnData, CostsAndCountsThatNobodyMeantAreRefused) {
  const Outcome latent = run_algprior(
      {"train", path("own.toml"), "--dry-run", "--set", "network.latent=1000000000000"});
  EXPECT_EQ(latent.code, 1);
  EXPECT_TRUE(contains(latent.err, "memory")) << latent.err;
  EXPECT_FALSE(contains(latent.err, "backtrace")) << latent.err;
  const Outcome seeds = run_algprior({"paper", "run", "null-c2", "--seeds", "100000000000"});
  EXPECT_EQ(seeds.code, 1);
  EXPECT_TRUE(contains(seeds.err, "too many seeds")) << seeds.err;
}

// At the width of a terminal that says nothing, 80.
TEST(Tables, FitEightyColumns) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"data", "list"}, {"paper", "list"}}) {
    const Outcome outcome = run_algprior(words);
    std::istringstream lines(outcome.out);
    for (std::string line; std::getline(lines, line);) {
      const auto columns =
          std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; });
      // A path is one word, to be copied; nothing else is longer.
      if (columns > 80) {
        EXPECT_TRUE(contains(line, "/")) << line;
      }
    }
  }
}

}  // namespace
}  // namespace algprior
