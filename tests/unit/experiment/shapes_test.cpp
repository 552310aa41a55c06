// Shapes from procedural bodies to a trained classifier, in seconds.
#include "algprior/data/shapes.hpp"

#include "algprior/action/sphere.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/base/interrupt.hpp"
#include "algprior/base/parallel.hpp"
#include "algprior/experiment/run.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/io/npy.hpp"
#include "algprior/io/safetensors.hpp"
#include "algprior/nn/sphere.hpp"
#include "algprior/nn/weights.hpp"
#include "algprior/toml/read_config.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <torch/types.h>
#include <torch/utils.h>

namespace algprior {
namespace {

namespace fs = std::filesystem;

ShapeSplits few_shapes() {
  mesh::ProceduralOptions shapes;
  shapes.categories = 2;
  shapes.level = 1;
  return make_procedural_shapes(shapes, 2, {.train = 2, .validation = 1, .test = 1});
}

TEST(ShapeMaps, AreDrawnByKeyAndMoveWithTheGroup) {
  const ShapeSplits splits = few_shapes();
  ASSERT_EQ(splits.categories.size(), 2U);
  EXPECT_EQ(splits.train->size(), 4U);
  EXPECT_EQ(splits.validation->size(), 2U);
  const auto grid = mesh::cube_map_grid(4);
  const Action action = sphere_action(make_group("Oh"), grid);
  const RandomKey key(3, "maps test");
  const auto indices = at::arange(12, at::kLong);

  const Dataset all = make_shape_maps("all", splits, splits.train, grid, action, {.maps = 3});
  ASSERT_EQ(all.size, 12);
  const Batch maps = all.get(indices, key);
  EXPECT_EQ(maps.x.sizes(), (at::IntArrayRef{12, 16, 6, 4, 4}));
  EXPECT_LE(maps.x.abs().max().item<double>(), 1.0);
  EXPECT_TRUE(at::equal(maps.gx, action(maps.g, maps.x)));
  EXPECT_FALSE(at::equal(maps.x[0], maps.x[1]));  // two maps of one shape
  EXPECT_EQ(maps.y[0].item<std::int64_t>(), maps.y[2].item<std::int64_t>());

  const Dataset drawn =
      make_shape_maps("drawn", splits, splits.train, grid, action, {.drawn = true, .maps = 3});
  const Batch first = drawn.get(indices, key), again = drawn.get(indices.flip(0), key);
  EXPECT_TRUE(at::equal(first.x, again.x.flip(0)));  // whatever the order
  EXPECT_FALSE(at::equal(first.x, drawn.get(indices, key.at(1)).x));
  // Every drawn map is one of the three of its shape.
  for (std::int64_t n = 0; n < 12; ++n) {
    const auto own = maps.x.narrow(0, 3 * (n % 4), 3);
    EXPECT_EQ((own - first.x[n]).abs().flatten(1).amax(1).min().item<double>(), 0.0) << n;
  }
  const Dataset pairs = make_shape_maps("pairs", splits, splits.train, grid, action,
                                        {.drawn = true, .maps = 3, .partner_maps = true});
  const Batch pair = pairs.get(indices, key);
  EXPECT_EQ(pair.g.max().item<std::int64_t>(), 0);
  EXPECT_FALSE(at::equal(pair.x, pair.gx));
  EXPECT_THROW(make_shape_maps("more", splits, splits.train, grid, action, {.maps = 4}),
               InputError);
}

TEST(DecoderTerm, IsTheTaskOnTheMovedLatent) {
  const Group group = make_group("Oh");
  const auto grid = mesh::cube_map_grid(4);
  nn::SphereAutoencoderOptions options{
      .channels = 2, .grid = {6, 4, 4}, .widths = {4, 4}, .blocks = 1, .latent = 3};
  const Network network = nn::make_sphere_autoencoder(0, options);
  const Action input = sphere_action(group, grid), latent = sphere_action(group, grid, 1);
  Batch batch;
  batch.x = at::sin(at::arange(3 * 2 * 96, at::kFloat).mul(0.3)).view({3, 2, 6, 4, 4});
  batch.g = at::tensor({1, 7, 40}, at::kLong);
  batch.gx = input(batch.g, batch.x);
  StepOptions step;
  step.task = reconstruct_absolute();
  step.fixed.emplace(std::vector<LatentTarget>{{0, latent}}, 0.5);
  step.latent.weight = 0.8;
  const Terms terms = make_step(step)(network, batch);

  const at::NoGradGuard no_gradient;
  const auto z = network.forward(batch.x), zg = network.forward(batch.gx);
  const auto moved = network.decode(latent(batch.g, z.latents[0]), 0);
  const auto expected = 0.5 * (z.output - batch.x).abs().mean() +
                        0.5 * (zg.output - batch.gx).abs().mean() +
                        0.5 * (zg.latents[0] - latent(batch.g, z.latents[0])).square().mean() +
                        0.8 * (moved - batch.gx).abs().mean();
  EXPECT_NEAR(terms.total().item<double>(), expected.item<double>(), 1e-5);
  EXPECT_EQ(terms.all().size(), 4U);
  step.fixed.reset();
  EXPECT_THROW(make_step(step), InputError);
}

class RunShapes : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / fmt::format("run_shapes_{}", test->name());
    fs::remove_all(folder_);
    set_thread_count(1);  // a few milliseconds of work: threads would wait for each other
    torch::set_num_threads(1);
  }
  config::Config config(std::vector<std::string> overrides = {}) const {
    const std::string text =
        "[experiment]\nrecipe = \"shapes\"\n[data]\nsource = \"procedural\"\n"
        "procedural_categories = 2\ndetail = 1\ntrain = 2\nvalidation = 1\ntest = 1\nmaps = 3\n"
        "grid = \"cube-8\"\n[network]\nwidths = [4, 6]\nblocks = 1\nlatent_channels = 4\n"
        "[train]\nepochs = 2\nbatch_size = 4\nlearning_rate = 0.01\nwarmup = 0\n"
        "[head]\nwidth = 8\ngram = 4\nhidden = 8\nepochs = 3\nbatch_size = 4\nwarmup = 0\n";
    return config::parse_config(experiment_schema(), text, "test.toml", overrides);
  }
  RunOptions options(const char* name = "run") const {
    RunOptions result;
    result.folder = folder_ / name;
    result.holder = "test";
    return result;
  }
  fs::path folder_;
};

TEST_F(RunShapes, TrainsBothPhasesAndMeasures) {
  const Result result = run_experiment(config(), options());
  for (const char* file : {"checkpoint.apc", "model.safetensors", "head/checkpoint.apc",
                           "head/model.safetensors", "head/metrics.jsonl", "result.json"}) {
    EXPECT_TRUE(fs::exists(folder_ / "run" / file)) << file;
  }
  for (const char* metric : {"test_accuracy", "augmented_test_accuracy", "test_error",
                             "equivariance_error", "validation_error", "validation_accuracy"}) {
    EXPECT_TRUE(result.metrics.contains(metric)) << metric;
  }
  // The head does not tell a latent from a permuted one.
  const auto orbit = io::read_npz(folder_ / "run/orbit.npz");
  EXPECT_EQ(orbit.at("input").shape, (std::vector<std::int64_t>{48, 24, 32}));
  EXPECT_EQ(orbit.at("decoded").shape, orbit.at("input").shape);
  const Experiment loaded = load_experiment(folder_ / "run");
  ASSERT_EQ(loaded.phases.size(), 1U);
  EXPECT_NEAR(loaded.measure({}).at("test_accuracy"), result.metrics.at("test_accuracy"), 1e-12);
}

// A stop in the second phase is taken up there, with the bits of a run never interrupted.
TEST_F(RunShapes, AStopInTheHeadIsTakenUp) {
  const Result whole = run_experiment(config(), options("whole"));
  RunOptions run = options("stopped");
  int phase = 0;
  run.progress = [&](std::uint64_t done, std::uint64_t) {
    if (done == 0) ++phase;
    if (phase == 2 && done == 4) request_stop();
  };
  EXPECT_THROW(run_experiment(config(), run), Interrupted);
  clear_stop();
  EXPECT_TRUE(fs::exists(folder_ / "stopped/model.safetensors"));
  EXPECT_THROW(load_experiment(folder_ / "stopped"), InputError);
  run.resume = true;
  run.progress = {};
  const Result taken_up = run_experiment(config(), run);
  EXPECT_EQ(read_file(folder_ / "whole/head/model.safetensors"),
            read_file(folder_ / "stopped/head/model.safetensors"));
  EXPECT_EQ(taken_up.metrics.at("test_error"), whole.metrics.at("test_error"));
}

// What the head trains on are copies: the error of the reconstruction is that of the first phase's
// weights, which stand in its file.
TEST_F(RunShapes, TheHeadLeavesTheFirstPhaseAsItWas) {
  const std::vector<std::vector<std::string>> rows = {
      {"prior.method=isometry", "prior.eigenfunctions=8"},
      {"prior.method=fourier", "prior.dimension=4", "prior.copies=2", "head.finetune=true"},
      {"prior.representation=none", "head.finetune=true"}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto overrides = rows[i];
    overrides.insert(overrides.end(), {"head.learning_rate=0.1", "head.epochs=2"});
    const RunOptions run = options(fmt::format("row{}", i).c_str());
    const Result result = run_experiment(config(overrides), run);
    const auto first = io::read_safetensors(run.folder / "model.safetensors");
    const auto second = io::read_safetensors(run.folder / "head/model.safetensors");
    const std::string reader = i == 0 ? "reader." : "autoencoder.";
    const std::string ours = i == 0 ? "isometry." : "";
    std::size_t shared = 0, changed = 0;
    for (const auto& [name, array] : second.tensors) {
      if (!name.starts_with(reader)) continue;
      const auto before = first.tensors.find(ours + name.substr(reader.size()));
      ASSERT_NE(before, first.tensors.end()) << name;
      ++shared;
      changed += before->second.bytes != array.bytes ? 1 : 0;
    }
    EXPECT_GT(shared, 0U) << i;
    EXPECT_GT(changed, 0U) << i;  // the head did train on what it shares

    // The network of the first phase, on which no head was ever trained, has the error of the run.
    auto again = overrides;
    again.insert(again.end(), {"head.learning_rate=1e-12"});
    const Result untouched =
        run_experiment(config(again), options(fmt::format("still{}", i).c_str()));
    EXPECT_EQ(result.metrics.at("test_error"), untouched.metrics.at("test_error")) << i;
    const Experiment loaded = load_experiment(run.folder);
    const auto measured = loaded.measure({});
    EXPECT_EQ(measured.at("test_error"), result.metrics.at("test_error")) << i;
    EXPECT_EQ(measured.at("test_accuracy"), result.metrics.at("test_accuracy")) << i;
  }
}

TEST_F(RunShapes, EveryRowTrains) {
  const std::vector<std::vector<std::string>> rows = {
      {"prior.representation=none", "head.finetune=true"},
      {"prior.reading=flat", "data.grid=12x16-half"},
      {"prior.reading=geometric", "data.grid=8x16-half"},
      {"data.grid=8x16", "network.padding=zero"},
      {"prior.method=isometry", "prior.eigenfunctions=8"},
      {"prior.method=fourier", "prior.dimension=4", "prior.copies=2"},
      {"network.kind=mobius", "network.width=2", "network.nodes=4", "data.grid=8x8-half",
       "train.task=single"}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto overrides = rows[i];
    overrides.insert(overrides.end(), {"train.epochs=1"});
    std::string text =
        "[experiment]\nrecipe = \"shapes\"\n[data]\nsource = \"procedural\"\n"
        "procedural_categories = 2\ndetail = 1\ntrain = 2\nvalidation = 1\ntest = 1\nmaps = 2\n";
    const bool mobius = rows[i][0] == "network.kind=mobius";
    if (!mobius) {
      text +=
          "grid = \"cube-8\"\n[network]\nwidths = [4, 6]\nblocks = 1\nlatent_channels = 4\n"
          "[head]\nwidth = 8\ngram = 4\nhidden = 8\nepochs = 1\nbatch_size = 4\n";
    }
    const auto row = config::parse_config(experiment_schema(), text, "test.toml", overrides);
    const Result result = run_experiment(row, options(fmt::format("row{}", i).c_str()));
    EXPECT_TRUE(result.metrics.contains("test_accuracy")) << rows[i][0];
    EXPECT_EQ(result.metrics.contains("test_error"), !mobius) << rows[i][0];
  }
  EXPECT_THROW(run_experiment(config({"prior.representation=learned"}), options("learned")),
               InputError);
}

}  // namespace
}  // namespace algprior
