// What is wrong with data is found before training, and what was trained is not lost to it.
#include "algprior/base/error.hpp"
#include "small_run.hpp"

#include <cmath>

#include <torch/utils.h>

namespace algprior {
namespace {

namespace fs = std::filesystem;

class DataChecks : public RunExperiment {
 protected:
  // A copy of the data with a change, under its own name.
  std::string changed(const char* name,
                      const std::function<void(at::Tensor&, at::Tensor&)>& change) {
    const auto arrays = io::read_npz(folder_ / "data.npz");
    at::Tensor x = to_tensor(arrays.at("x")).clone(), y = to_tensor(arrays.at("y")).clone();
    change(x, y);
    io::write_npz(folder_ / name, {{"x", to_array(x)}, {"y", to_array(y)}});
    return (folder_ / name).string();
  }

  // The refusal of a run and of an estimate, which must be the same; nothing was trained.
  std::string refusal(const std::string& setting) {
    std::string text;
    try {
      run_experiment(config({setting}), options("refused"));
    } catch (const InputError& error) {
      text = error.what();
    }
    EXPECT_FALSE(fs::exists(folder_ / "refused/checkpoint.apc")) << setting;
    try {
      estimate_cost(make_experiment(config({setting})));
      ADD_FAILURE() << setting;
    } catch (const InputError& error) {
      EXPECT_EQ(text, error.what());
    }
    return text;
  }
};

void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  }
}

TEST_F(DataChecks, NumbersThatAreNotFiniteAreNamedWithFileSplitAndPlace) {
  for (const std::string split : {"train", "validation", "test"}) {
    const auto file = changed("nan.npz", [](at::Tensor& x, at::Tensor&) {
      x[7][0][2][1] = std::nan("");
      x[9][0][0][0] = INFINITY;
    });
    expect_parts(refusal(fmt::format("data.{}={}", split, file)),
                 {"data." + split, file, "sample 7 at 0 x 2 x 1", "nan", "2 of 960"});
  }
}

TEST_F(DataChecks, LabelsAndShapesHaveToFitTheTrainingData) {
  const auto label = changed("label.npz", [](at::Tensor&, at::Tensor& y) { y[11] = 5; });
  expect_parts(refusal("data.test=" + label),
               {"data.test", label, "sample 11", "label 5", "0 to 1"});
  const auto negative = changed("minus.npz", [](at::Tensor&, at::Tensor& y) { y[3] = -1; });
  expect_parts(refusal("data.train=" + negative), {"data.train", negative, "sample 3", "label -1"});
  const auto wide = changed("wide.npz", [](at::Tensor& x, at::Tensor&) {
    x = at::zeros({60, 1, 4, 6});
  });
  expect_parts(refusal("data.validation=" + wide),
               {"data.validation", wide, "60 x 1 x 4 x 6", "N x 1 x 4 x 4"});
  // A class that only the test has can be allowed for.
  EXPECT_EQ(make_experiment(config({"data.test=" + label, "data.classes=6"})).data->outputs, 6);
  EXPECT_THROW(make_experiment(config({"data.test=" + label, "data.classes=5"})), InputError);
}

// A test set that went bad after the training began: the training is kept.
TEST_F(DataChecks, ATrainingThatIsDoneIsMeasuredOnceTheDataIsCorrected) {
  const std::string test = changed("test.npz", [](at::Tensor&, at::Tensor&) {});
  const std::string setting = "data.test=" + test;
  const Result whole = run_experiment(config({setting}), options());
  fs::remove(folder_ / "run/result.json");
  changed("test.npz", [](at::Tensor& x, at::Tensor&) { x[0] = std::nan(""); });
  EXPECT_THROW(run_experiment(config({setting}), options()), InputError);
  EXPECT_TRUE(fs::exists(folder_ / "run/checkpoint.apc"));
  changed("test.npz", [](at::Tensor&, at::Tensor&) {});
  const int threads = torch::get_num_threads();
  torch::set_num_threads(threads == 1 ? 2 : 1);  // no reason to train again
  const Result measured = run_experiment(config({setting}), options());
  torch::set_num_threads(threads);
  EXPECT_EQ(measured.epochs, whole.epochs);
  EXPECT_EQ(measured.metrics.at("best_epoch"), whole.metrics.at("best_epoch"));
  EXPECT_EQ(measured.metrics.at("test_accuracy"), whole.metrics.at("test_accuracy"));
}

TEST_F(DataChecks, WeightsThatWereChangedAreNotMeasured) {
  const Result result = run_experiment(config(), options());
  ASSERT_TRUE(result.files.contains("model.safetensors"));
  ASSERT_TRUE(result.files.contains("metrics.jsonl"));
  load_experiment(folder_ / "run");
  std::string weights = read_file(folder_ / "run/model.safetensors");
  weights.back() = static_cast<char>(weights.back() ^ 1);
  write_file(folder_ / "run/model.safetensors", weights);
  try {
    load_experiment(folder_ / "run");
    FAIL();
  } catch (const FileError& error) {
    expect_parts(error.what(), {"model.safetensors", result.files.at("model.safetensors")});
  }
}

// Of epochs with equal accuracy the one with the lower loss: late, not the first that reached it.
TEST_F(DataChecks, TiesGoToTheLowerLossUnlessTheFirstIsAskedFor) {
  const std::vector<std::string> easy{"train.epochs=30", "train.learning_rate=0.03"};
  const auto best_epoch = [&](const char* name, const char* ties) {
    auto settings = easy;
    settings.push_back(std::string("train.ties=") + ties);
    const Result result = run_experiment(config(settings), options(name));
    EXPECT_EQ(result.metrics.at("validation_accuracy"), 1.0);
    return result.metrics.at("best_epoch");
  };
  EXPECT_GT(best_epoch("loss", "loss"), best_epoch("first", "first") + 3);
}

TEST_F(DataChecks, SizesThatCannotFitIntoMemoryAreRefusedWithTheirCost) {
  for (const char* setting : {"network.latent=1000000000000", "network.hidden=[1000000,10000000]",
                              "data.classes=1000000000000"}) {
    try {
      make_experiment(config({setting}));
      ADD_FAILURE() << setting;
    } catch (const LimitError& error) {
      expect_parts(error.what(), {"memory", "weights"});
    }
  }
}

}  // namespace
}  // namespace algprior
