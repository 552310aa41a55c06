#pragma once

#include "algprior/base/file.hpp"
#include "algprior/experiment/run.hpp"
#include "algprior/io/npy.hpp"
#include "algprior/nn/arrays.hpp"
#include "algprior/toml/read_config.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <torch/types.h>

namespace algprior {

/// 60 images of 4×4 pixels in two classes: bright in the middle, or bright at the rim.
class RunExperiment : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ =
        std::filesystem::path(testing::TempDir()) / fmt::format("run_experiment_{}", test->name());
    std::filesystem::remove_all(folder_);
    make_folder(folder_);
    const at::Tensor y = torch::arange(60) % 2;
    at::Tensor middle = torch::zeros({4, 4});
    middle.slice(0, 1, 3).slice(1, 1, 3).fill_(1);
    const at::Tensor bright = y.to(torch::kFloat32).reshape({60, 1, 1});
    const at::Tensor noise = 0.1 * torch::sin(torch::arange(960, torch::kFloat32)).view({60, 4, 4});
    const at::Tensor x = bright * middle + (1 - bright) * (1 - middle) + noise;
    io::write_npz(folder_ / "data.npz", {{"x", to_array(x.unsqueeze(1))}, {"y", to_array(y)}});
  }

  config::Config config(std::vector<std::string> overrides = {}) const {
    const std::string file = (folder_ / "data.npz").string();
    const std::string text = fmt::format(
        "[experiment]\nrecipe = \"arrays\"\n[data]\ngroup = \"C4\"\ntrain = \"{0}\"\nvalidation = "
        "\"{0}\"\n"
        "test = \"{0}\"\n[network]\nkind = \"mlp\"\nlatent = 9\nhidden = [8]\n"
        "[train]\nepochs = 3\nbatch_size = 16\nlearning_rate = 0.01\n",
        file);
    return config::parse_config(experiment_schema(), text, "test.toml", overrides);
  }

  RunOptions options(const char* name = "run") const {
    RunOptions result;
    result.folder = folder_ / name;
    result.holder = "test";
    return result;
  }

  std::filesystem::path folder_;
};

}  // namespace algprior
