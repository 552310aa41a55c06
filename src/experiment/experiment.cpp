#include "algprior/experiment/experiment.hpp"

#include "algprior/action/latent.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/random.hpp"
#include "algprior/nn/ddmnist.hpp"
#include "algprior/nn/mlp.hpp"
#include "algprior/prior/fixed_prior.hpp"
#include "algprior/rep/constructions.hpp"

#include <algorithm>

#include <torch/types.h>

namespace algprior {
namespace {

using config::Config;

Network make_experiment_network(const Config& config, const ExperimentData& data) {
  const auto seed = static_cast<std::uint64_t>(config.get<std::int64_t>("experiment.seed"));
  const std::int64_t latent = config.get<std::int64_t>("network.latent");
  if (config.get<std::string>("network.kind") == "ddmnist") {
    return nn::make_ddmnist_network(seed, {.latent = latent, .classes = data.classes});
  }
  const Batch sample = data.train.get(torch::zeros({1}, torch::kInt64), RandomKey(seed));
  return nn::make_mlp_network(seed,
                              {.inputs = sample.x.numel(),
                               .hidden = config.get<std::vector<std::int64_t>>("network.hidden"),
                               .latent = latent,
                               .classes = data.classes});
}

TrainerOptions make_training(const Config& config) {
  AdamOptions adam;
  adam.learning_rate = config.get<double>("train.learning_rate");
  adam.weight_decay = config.get<double>("train.weight_decay");
  adam.decoupled = config.get<std::string>("train.optimizer") == "adamw";
  TrainerOptions options;
  options.epochs = config.get<std::int64_t>("train.epochs");
  options.batch_size = config.get<std::int64_t>("train.batch_size");
  options.seed = static_cast<std::uint64_t>(config.get<std::int64_t>("experiment.seed"));
  options.parameters = {{"", adam}};
  options.schedule.shape = to_schedule_shape(config.get<std::string>("train.schedule"));
  options.schedule.gamma = config.get<double>("train.schedule_factor");
  options.schedule.every = config.get<std::int64_t>("train.schedule_step");
  options.schedule.warmup_steps = config.get<std::int64_t>("train.warmup");
  options.stopping.patience = config.get<std::int64_t>("train.patience");
  options.config = config::to_toml(config);
  return options;
}

Step make_step(const Config& config, const Action& latent) {
  if (config.get<std::string>("train.task") == "single") return make_classify_step();
  const auto& reference = config.get<std::vector<std::string>>("experiment.reference");
  const bool on_x_alone = std::find(reference.begin(), reference.end(), "D-5") != reference.end();
  const double weight = config.get<std::string>("prior.representation") == "none"
                            ? 0.0
                            : config.get<double>("prior.weight");
  return make_classify_step(FixedPrior({{0, latent}}, weight),
                            on_x_alone ? kReferencePairWeights : PairWeights{});
}

}  // namespace

Experiment make_experiment(const Config& config) {
  const auto& prior = config.get<std::string>("prior.representation");
  if (prior != "none" && config.get<std::string>("train.task") == "single") {
    throw InputError({"a prior needs pairs", "prior.representation = \"" + prior + "\"",
                      "train.task = \"pair\", or prior.representation = \"none\"",
                      "set train.task = \"pair\""});
  }
  ExperimentData data = make_experiment_data(config);
  const std::int64_t dimension = config.get<std::int64_t>("network.latent");
  const bool regular_fits = data.group.order() <= static_cast<std::size_t>(dimension);
  const Action regular = regular_fits ? latent_action(regular_representation(data.group), dimension)
                                      : trivial_action(data.group);
  const Action latent = prior == "none"
                            ? trivial_action(data.group)
                            : latent_action(make_representation(data.group, prior), dimension);
  Network network = make_experiment_network(config, data);
  return {.config = config,
          .data = std::move(data),
          .network = std::move(network),
          .latent = latent,
          .regular = regular,
          .regular_fits = regular_fits,
          .step = make_step(config, latent),
          .training = make_training(config)};
}

std::string run_name(const Config& config) {
  std::string row = config.get<std::string>("experiment.row");
  std::string mark = "@";
  for (const std::string& departure :
       config.get<std::vector<std::string>>("experiment.reference")) {
    row += mark + departure;
    mark = "+";
  }
  return config.get<std::string>("experiment.family") + "-" +
         config.get<std::string>("experiment.variant") + "/" + row + "/" +
         std::to_string(config.get<std::int64_t>("experiment.seed"));
}

}  // namespace algprior
