// An experiment of your own: data, network and task in one file, settings in
// 050-own-experiment.toml. The data are images of a bright spot, the task is the vector from the
// centre to it: turn the image, and the vector turns with it.
// Run: example_050 050-own-experiment.toml run-050, four seconds. Ends with a table: test error
// 1e-5, equivariance error 0.01 to two copies of the regular representation of C4.
#include <cstdio>

#include <torch/torch.h>

#include <algprior/lab.hpp>

using namespace algprior;

struct SpotSettings {
  std::int64_t samples = 512;
  PriorSettings prior{.weight = 0.1, .relative = true};
  TrainSettings train;

  void bind(config::Fields& fields) {  // each key once: its default, its meaning, its bounds
    fields.integer("data.samples", samples, "images to draw").at_least(10);
    prior.bind(fields);
    train.bind(fields, metrics::kError);
  }
};

TensorData draw_spots(std::int64_t count, std::uint64_t seed) {
  RandomStream random(RandomKey(seed, "spots"));
  const auto y = torch::empty({count, 2});
  for (float* value = y.data_ptr<float>(); value != y.data_ptr<float>() + y.numel(); ++value) {
    *value = 2 * random.uniform_float() - 1;
  }
  const auto place = torch::linspace(-7.5, 7.5, 16);  // u to the right, v downwards
  const auto du = place.view({1, 1, 16}) - 5 * y.select(1, 0).view({-1, 1, 1});
  const auto dv = place.view({1, 16, 1}) - 5 * y.select(1, 1).view({-1, 1, 1});
  return {torch::exp(-(du.square() + dv.square()) / 8).unsqueeze(1), y};
}

Network make_spot_network(std::uint64_t seed) {
  torch::manual_seed(seed);
  torch::nn::Sequential encoder(torch::nn::Flatten(), torch::nn::Linear(256, 32), torch::nn::Tanh(),
                                torch::nn::Linear(32, 8));
  torch::nn::Linear head(8, 2);
  const auto both = std::make_shared<torch::nn::Module>();
  both->register_module("encoder", encoder.ptr());
  both->register_module("head", head.ptr());
  return make_network({.module = both,
                       .forward =
                           [=](const at::Tensor& x) mutable {
                             const auto z = encoder->forward(x);
                             return Encoded{head->forward(z), {z}};
                           },
                       .latent_shapes = {{8}}});
}

Experiment make_spots(const RunId& run, const SpotSettings& settings) {
  const Group group = make_group("C4");
  const Action input = planar_action(group);
  // C4 turns vectors as it turns the plane.
  const auto plane = matrix_representation(group, {orthogonal_matrices(group)->at(1)});
  const Action output = latent_action(plane, 2);
  const auto part = [&](const char* name, std::int64_t count, std::uint64_t salt) {
    const auto data = draw_spots(count, 3 * run.seed + salt);
    return make_tensor_dataset(name, data, input, output, true);
  };
  const Network network = make_spot_network(run.seed);
  return assemble({.run = run,
                   .data = {.group = group,
                            .outputs = 2,
                            .train = part("train", settings.samples, 0),
                            .validation = part("validation", settings.samples / 4, 1),
                            .tests = {{"test", part("test", settings.samples / 2, 2)}},
                            .input = input},
                   .network = network,
                   .task = regress(),
                   .prior = settings.prior,
                   .train = settings.train});
}

int main(int argc, char** argv) try {
  const std::vector recipes{make_recipe("spots", "where is the bright spot?", make_spots)};
  const auto config = config::read_config(schema_of(recipes), argc > 1 ? argv[1] : "spots.toml");
  const RunOptions options{.folder = argc > 2 ? argv[2] : "run", .resume = true};
  std::puts(to_text(std::vector{run_experiment(config, options, recipes)}).c_str());
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
