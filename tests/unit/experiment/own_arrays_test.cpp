// Arrays of any shape under groups that the configuration gives; longer runs; where files are
// looked for.
#include "algprior/action/symmetry.hpp"
#include "algprior/base/error.hpp"
#include "algprior/io/safetensors.hpp"
#include "small_run.hpp"

#include <cmath>

namespace algprior {
namespace {

namespace fs = std::filesystem;

class OwnArrays : public RunExperiment {
 protected:
  // Settings on a file of arrays of this shape, two classes.
  config::Config on(const std::vector<std::int64_t>& shape,
                    const std::vector<std::string>& settings) {
    std::vector<std::int64_t> whole{24};
    whole.insert(whole.end(), shape.begin(), shape.end());
    torch::manual_seed(3);
    io::write_npz(folder_ / "own.npz",
                  {{"x", to_array(torch::randn(whole))}, {"y", to_array(torch::arange(24) % 2)}});
    const std::string text = fmt::format(
        "[experiment]\nrecipe = \"arrays\"\n[data]\ntrain = \"{0}\"\nvalidation = \"{0}\"\ntest = "
        "\"{0}\"\n[train]\nepochs = 2\nbatch_size = 8\n",
        (folder_ / "own.npz").string());
    return config::parse_config(experiment_schema(), text, "own.toml", settings);
  }

  std::string refusal(const config::Config& config) {
    try {
      make_experiment(config);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(OwnArrays, SignalsWhoseChannelsAGroupPermutes) {
  const auto settings =
      on({3, 20}, {"data.group=S3", "data.action=axis", "data.axis=0", "network.kind=cnn",
                   "network.channels=[4]", "network.latent=12"});
  const Experiment experiment = make_experiment(settings);
  EXPECT_EQ(experiment.data->group.order(), 6U);
  const auto x = torch::randn({4, 3, 20});
  EXPECT_EQ(action_defect(*experiment.data->input, x), 0.0);
  EXPECT_GT(opposite_defect(*experiment.data->input, x), 0.1);
  const Result result = run_experiment(settings, options());
  EXPECT_TRUE(result.metrics.contains("equivariance_error"));
}

TEST_F(OwnArrays, VolumesUnderTheCubeAndVectorsUnderGivenPermutationsAndMatrices) {
  const auto cube =
      make_experiment(on({1, 4, 4, 4}, {"data.group=cube", "data.action=space", "network.kind=cnn",
                                        "network.channels=[3]", "network.latent=24"}));
  EXPECT_EQ(cube.data->group.order(), 24U);
  const auto four = make_experiment(
      on({4}, {"data.group=C4", "data.action=axis", "data.representation=permutations",
               "data.permutations=[\"(1,3,2,4)\"]", "network.latent=8"}));
  const auto x = torch::arange(4).to(torch::kFloat32).view({1, 4});
  const auto moved = (*four.data->input)(four.data->group.generators()[0], x);
  // Point 1 goes to 3, 3 to 2, 2 to 4, 4 to 1.
  EXPECT_TRUE(torch::equal(moved, torch::tensor({{3.0F, 2.0F, 0.0F, 1.0F}}))) << moved;
  const auto turned = make_experiment(
      on({5, 2}, {"data.group=C4", "data.action=axis", "data.axis=1",
                  "data.representation=matrices", "data.matrices=[0,-1,1,0]", "network.latent=8"}));
  const auto y = (*turned.data->input)(turned.data->group.generators()[0],
                                       torch::tensor({{{1.0F, 0.0F}, {0.0F, 2.0F}}}));
  EXPECT_TRUE(torch::allclose(y, torch::tensor({{{0.0F, 1.0F}, {-2.0F, 0.0F}}}))) << y;
}

TEST_F(OwnArrays, WhatDoesNotFitIsSaid) {
  const auto expect = [&](const std::vector<std::int64_t>& shape,
                          const std::vector<std::string>& settings, const char* words) {
    const std::string text = refusal(on(shape, settings));
    EXPECT_NE(text.find(words), std::string::npos) << words << " in\n" << text;
  };
  expect({4}, {}, "the inputs are no images");
  expect({4, 4, 4}, {"data.action=space", "data.group=cube"}, "the inputs are no volumes");
  expect({4}, {"data.action=axis", "data.group=C4", "data.representation=matrices"},
         "data.matrices");
  expect({4},
         {"data.action=axis", "data.group=D4", "data.representation=permutations",
          "data.permutations=[\"(1,2,3,4)\"]"},
         "generators r, s");
  // A matrix of order 2 where the generator has order 4 is fine; one of order 3 is not.
  expect({2},
         {"data.action=axis", "data.group=C2", "data.representation=matrices",
          "data.matrices=[0,-1,1,0]"},
         "r^2");
}

// A third of a turn and a flip in a basis of their own, saved in every format.
TEST_F(OwnArrays, MatricesComeFromFiles) {
  const double half = std::sqrt(0.75);
  const auto turn = torch::tensor({{-0.5, -half}, {half, -0.5}}, torch::kFloat64);
  const auto flip = torch::tensor({{-1.0, 0.0}, {0.0, 1.0}}, torch::kFloat64);
  const auto expected = (*make_experiment(on({2}, {"data.group=D3", "data.action=axis",
                                                   "data.representation=matrices",
                                                   fmt::format("data.matrices=[-0.5,{0},{1},-0.5,"
                                                               "-1,0,0,1]",
                                                               -half, half),
                                                   "network.latent=6"}))
                              .data->input)(Element{4}, torch::tensor({{1.0F, 2.0F}}));
  io::write_npz(folder_ / "m.npz", {{"r", to_array(turn)}, {"s", to_array(flip)}});
  io::write_safetensors(
      folder_ / "m.safetensors",
      {{{"r", to_array(turn.to(torch::kFloat32))}, {"s", to_array(flip.to(torch::kFloat32))}}, {}});
  io::write_npy(folder_ / "m.npy", to_array(torch::stack({turn, flip})));
  for (const char* name : {"m.npz", "m.safetensors", "m.npy"}) {
    const std::string file = (folder_ / name).string();
    const Experiment experiment = make_experiment(
        on({2}, {"data.group=D3", "data.action=axis", "data.representation=matrices",
                 "data.matrices_file=" + file, "network.latent=6", "prior.representation=matrices",
                 "prior.matrices_file=" + file}));
    const auto moved = (*experiment.data->input)(Element{4}, torch::tensor({{1.0F, 2.0F}}));
    EXPECT_TRUE(torch::allclose(moved, expected, 1e-5, 1e-6)) << name << moved;
    // Three copies on Z.
    const auto z = torch::tensor({{1.0F, 2.0F, 0.0F, 0.0F, 0.0F, 0.0F}});
    const auto on_z = experiment.latents.at(0).action(Element{4}, z);
    EXPECT_TRUE(torch::allclose(on_z.narrow(1, 0, 2), expected, 1e-5, 1e-6)) << name << on_z;
  }
}

TEST_F(OwnArrays, MatricesInFilesThatDoNotFitAreNamed) {
  const auto expect = [&](const char* name, const io::NamedArrays& arrays, const char* group,
                          const std::vector<const char*>& words) {
    io::write_npz(folder_ / name, arrays);
    const std::vector<std::string> settings = {fmt::format("data.group={}", group),
                                               "data.action=axis", "data.representation=matrices",
                                               "data.matrices_file=" + (folder_ / name).string()};
    const std::string text = refusal(on({2}, settings));
    EXPECT_NE(text.find(name), std::string::npos) << text;
    for (const char* word : words) EXPECT_NE(text.find(word), std::string::npos) << word << text;
  };
  const auto quarter = torch::tensor({{0.0, -1.0}, {1.0, 0.0}});
  expect("relator.npz", {{"r", to_array(quarter)}}, "C2", {"data.matrices_file", "r^2"});
  expect("absent.npz", {{"q", to_array(quarter)}}, "C4", {"generator r", "q"});
  expect("shape.npz", {{"r", to_array(torch::ones({2, 3}))}}, "C4", {"generator r", "[2, 3]"});
  expect("nan.npz", {{"r", to_array(quarter / 0)}}, "C4", {"r[0, 0]", "finite"});
  expect("sizes.npz", {{"r", to_array(quarter)}, {"s", to_array(torch::eye(3))}}, "D4",
         {"different sizes", ": s is 3 x 3"});
  // On Z there is no such file.
  const std::string none = refusal(on({1, 4, 4}, {"prior.representation=matrices"}));
  EXPECT_NE(none.find("prior.matrices_file"), std::string::npos) << none;
  io::write_npz(folder_ / "fine.npz", {{"r", to_array(quarter)}});
  const std::string twice = refusal(on(
      {2}, {"data.group=C4", "data.action=axis", "data.representation=matrices",
            "data.matrices=[0,-1,1,0]", "data.matrices_file=" + (folder_ / "fine.npz").string()}));
  EXPECT_NE(twice.find("given twice"), std::string::npos) << twice;
}

// As if it had had all epochs from the start, and a cosine could not.
TEST_F(OwnArrays, AFinishedRunTakesMoreEpochs) {
  const Result whole = run_experiment(config({"train.epochs=5"}), options("whole"));
  run_experiment(config(), options("longer"));
  RunOptions longer = options("longer");
  EXPECT_THROW(run_experiment(config({"train.epochs=5"}), longer), InputError);
  longer.resume = true;
  EXPECT_THROW(run_experiment(config({"train.epochs=2"}), longer), InputError);
  EXPECT_THROW(run_experiment(config({"train.epochs=5", "train.batch_size=8"}), longer),
               InputError);
  const Result result = run_experiment(config({"train.epochs=5"}), longer);
  EXPECT_EQ(result.epochs, 5);
  EXPECT_EQ(result.metrics, whole.metrics);
  for (const char* file : {"model.safetensors", "metrics.jsonl", "config.toml"}) {
    EXPECT_EQ(read_file(folder_ / "whole" / file), read_file(folder_ / "longer" / file)) << file;
  }
  EXPECT_EQ(run_experiment(config({"train.epochs=5"}), options("longer")).epochs, 5);
  run_experiment(config({"train.schedule=cosine"}), options("cosine"));
  RunOptions cosine = options("cosine");
  cosine.resume = true;
  EXPECT_THROW(run_experiment(config({"train.schedule=cosine", "train.epochs=5"}), cosine),
               InputError);
}

TEST_F(OwnArrays, FilesAreLookedForBesideTheFileThatNamesThem) {
  make_folder(folder_ / "sub");
  fs::copy_file(folder_ / "data.npz", folder_ / "sub/near.npz");
  write_file(folder_ / "sub/own.toml",
             "[experiment]\nrecipe = \"arrays\"\n[data]\ngroup = \"C4\"\ntrain = "
             "\"near.npz\"\nvalidation = "
             "\"../data.npz\"\n[network]\nlatent = 9\nhidden = [8]\n");
  const auto settings = config::read_config(experiment_schema(), folder_ / "sub/own.toml",
                                            {"data.test=" + (folder_ / "data.npz").string()});
  EXPECT_EQ(settings.get<std::string>("data.train"), (folder_ / "sub/near.npz").string());
  EXPECT_EQ(settings.get<std::string>("data.validation"), (folder_ / "data.npz").string());
  EXPECT_EQ(make_experiment(settings).data->train.size, 60);
  const auto given =
      config::read_config(experiment_schema(), folder_ / "sub/own.toml", {"data.test=x.npz"});
  EXPECT_EQ(given.get<std::string>("data.test"), (fs::current_path() / "x.npz").string());
}

}  // namespace
}  // namespace algprior
