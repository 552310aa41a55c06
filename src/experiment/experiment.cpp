#include "algprior/experiment/experiment.hpp"

#include "algprior/action/latent.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/random.hpp"
#include "algprior/nn/ddmnist.hpp"
#include "algprior/nn/exploratory.hpp"
#include "algprior/nn/learned.hpp"
#include "algprior/nn/mlp.hpp"
#include "algprior/prior/fixed_prior.hpp"
#include "algprior/rep/constructions.hpp"
#include "algprior/train/running_averages.hpp"
#include "learned.hpp"
#include "sources.hpp"

#include <algorithm>

#include <torch/types.h>

namespace algprior {
namespace {

using config::Config;

Network make_experiment_network(const Config& config, const ExperimentData& data) {
  const auto seed = static_cast<std::uint64_t>(config.get<std::int64_t>("experiment.seed"));
  const std::int64_t latent = config.get<std::int64_t>("network.latent");
  const auto& kind = config.get<std::string>("network.kind");
  if (kind == "ddmnist") {
    return nn::make_ddmnist_network(seed, {.latent = latent, .classes = data.classes});
  }
  const auto activation = nn::parse_activation(config.get<std::string>("network.activation"));
  if (kind == "cifar") {
    return nn::make_cifar_network(
        seed, {.latent = latent, .classes = data.classes, .activation = activation});
  }
  if (kind == "conv_autoencoder") {
    const auto place = nn::parse_latent_place(config.get<std::string>("network.place"));
    return nn::make_conv_autoencoder(seed,
                                     {.latent = latent, .activation = activation, .place = place});
  }
  const auto& hidden = config.get<std::vector<std::int64_t>>("network.hidden");
  const Batch sample = data.train.get(torch::zeros({1}, torch::kInt64), RandomKey(seed));
  if (kind == "mlp_autoencoder") {
    return nn::make_mlp_autoencoder(seed, {.image = sample.x.sizes().slice(1).vec(),
                                           .hidden = hidden,
                                           .latent = latent,
                                           .activation = activation});
  }
  return nn::make_mlp_network(seed,
                              {.inputs = sample.x.numel(),
                               .hidden = hidden,
                               .latent = latent,
                               .classes = data.classes,
                               .head_activation = config.get<bool>("network.head_activation")});
}

TrainerOptions make_training(const Config& config, std::int64_t samples) {
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
  options.schedule.warmup_steps =
      config.get<std::int64_t>("train.warmup") * batch_count(samples, options.batch_size);
  options.watch = config.get<std::string>("train.watch");
  options.stopping.larger_is_better = options.watch != "loss";
  options.stopping.patience = config.get<std::int64_t>("train.patience");
  options.stopping.min_delta = config.get<double>("train.min_delta");
  options.config = config::to_toml(config);
  return options;
}

Step make_step(const Config& config, const Action& latent) {
  if (config.get<std::string>("train.task") == "single") return make_classify_step();
  const bool on_x_alone =
      config.get<std::string>("train.task") == "first" || has_departure(config, "D-5");
  const double weight = config.get<std::string>("prior.representation") == "none"
                            ? 0.0
                            : config.get<double>("prior.weight");
  const LossScale scale =
      config.get<bool>("prior.relative") ? LossScale::relative : LossScale::absolute;
  return make_classify_step(FixedPrior({{0, latent}}, weight, scale),
                            on_x_alone ? kReferencePairWeights : PairWeights{});
}

// A task needs an output of its kind: classes, or the input again.
void check_task(const Config& config) {
  const auto& kind = config.get<std::string>("network.kind");
  if (!kind.ends_with("autoencoder") ||
      config.get<std::string>("prior.representation") == "learned") {
    return;
  }
  throw InputError({"an autoencoder is trained with a learned representation only",
                    "network.kind = \"" + kind + "\"", "prior.representation = \"learned\"",
                    "set prior.representation, or another network.kind"});
}

}  // namespace

Experiment make_experiment(const Config& config) {
  check_task(config);
  const auto& prior = config.get<std::string>("prior.representation");
  if (prior != "none" && config.get<std::string>("train.task") == "single") {
    throw InputError({"a prior needs pairs", "prior.representation = \"" + prior + "\"",
                      "train.task = \"pair\" or \"first\", or prior.representation = \"none\"",
                      "set train.task = \"pair\""});
  }
  if (prior == "learned" && config.get<bool>("prior.relative")) {
    throw InputError({"a learned representation is trained with the plain loss",
                      "prior.relative = true", "prior.relative = false",
                      "take prior.relative out, or name a fixed prior.representation"});
  }
  ExperimentData data = make_experiment_data(config);
  const std::int64_t dimension = config.get<std::int64_t>("network.latent");
  const bool regular_fits = data.group.order() <= static_cast<std::size_t>(dimension);
  const Action regular = regular_fits ? latent_action(regular_representation(data.group), dimension)
                                      : trivial_action(data.group);
  Network network = make_experiment_network(config, data);
  if (config.get<bool>("train.fresh_averages") && !has_running_averages(network)) {
    throw InputError({"there are no running averages to take anew", "train.fresh_averages = true",
                      "a network with batch norm: network.kind = \"ddmnist\"",
                      "set train.fresh_averages = false"});
  }
  std::optional<LearnedPrior> learned;
  if (prior == "learned") {
    learned = make_learned_prior(config, data.group);
    network = with_representation(network, learned->representation());
  }
  const Action latent = learned ? learned->representation()->action()
                        : prior == "none"
                            ? trivial_action(data.group)
                            : latent_action(make_representation(data.group, prior), dimension);
  const std::int64_t samples = data.train.size;
  return {
      .config = config,
      .data = std::move(data),
      .network = std::move(network),
      .latent = latent,
      .regular = regular,
      .regular_fits = regular_fits,
      .step = learned ? make_learned_experiment_step(config, *learned) : make_step(config, latent),
      .training = make_training(config, samples),
      .learned = learned};
}

std::string run_name(const Config& config) {
  std::string row = config.get<std::string>("experiment.row");
  char mark = '@';
  for (const std::string& departure :
       config.get<std::vector<std::string>>("experiment.reference")) {
    row.append(1, mark).append(departure);
    mark = '+';
  }
  return config.get<std::string>("experiment.family") + "-" +
         config.get<std::string>("experiment.variant") + "/" + row + "/" +
         std::to_string(config.get<std::int64_t>("experiment.seed"));
}

}  // namespace algprior
