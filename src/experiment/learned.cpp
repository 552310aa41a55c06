#include "learned.hpp"

#include "algprior/analysis/null_model.hpp"
#include "algprior/analysis/probes.hpp"
#include "algprior/analysis/representation_report.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/base/interrupt.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/nn/learned.hpp"
#include "algprior/rep/character_table.hpp"
#include "algprior/train/evaluate.hpp"
#include "algprior/train/learned_step.hpp"
#include "sources.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <torch/types.h>

namespace algprior {
namespace {

using config::Config;
using Metrics = std::map<std::string, double>;

// Enough orbits for stable numbers, few enough to re-encode them after every epoch.
constexpr std::int64_t kOrbitSamples = 1000;
constexpr std::int64_t kTheoremSamples = 200;
constexpr std::int64_t kProbeTraining = 4000;
constexpr std::int64_t kProbeTest = 2000;

AlgebraOptions algebra_options(const Config& config) {
  AlgebraOptions options;
  options.regulariser = parse_regulariser(config.get<std::string>("prior.regulariser"));
  options.damping = config.get<double>("prior.damping");
  return options;
}

std::uint64_t seed_of(const Config& config) {
  return static_cast<std::uint64_t>(config.get<std::int64_t>("experiment.seed"));
}

at::Tensor encode(const Network& network, const at::Tensor& x) {
  return network.encode ? network.encode(x).at(0) : network.forward(x).latents.at(0);
}

std::int64_t count_of(const Dataset& dataset, std::int64_t wanted) {
  return std::min(dataset.size, wanted);
}

// The first samples of a data set as one batch.
Batch take(const Dataset& dataset, std::int64_t count, const RandomKey& key) {
  return dataset.get(torch::arange(count_of(dataset, count)), key);
}

// Orbits by encoding h·x for every h; the swap of C2 has no action on images but the pair itself.
at::Tensor orbits_of(const Experiment& experiment, const Dataset& dataset, std::int64_t count,
                     const RandomKey& key) {
  const ModeScope evaluation(experiment.network, Mode::evaluation);
  const torch::NoGradGuard no_gradient;
  const auto device = device_of(experiment.network);
  const Batch batch = to_device(take(dataset, count, key), device);
  const auto encoder = [&](const at::Tensor& x) { return encode(experiment.network, x); };
  if (experiment.data.input) return encode_orbits(encoder, *experiment.data.input, batch.x).cpu();
  return torch::stack({average_positions(encoder(batch.x)), average_positions(encoder(batch.gx))},
                      1)
      .cpu();
}

}  // namespace

LearnedPrior make_learned_prior(const Config& config, const Group& group) {
  LearnedRepresentationOptions options;
  options.dimension = config.get<std::int64_t>("network.latent");
  options.start = parse_matrix_start(config.get<std::string>("prior.start"));
  options.noise = config.get<double>("prior.noise");
  options.seed = seed_of(config);
  const double algebra = config.get<double>("prior.algebra");
  return LearnedPrior(LearnedRepresentation(group, options),
                      AlgebraLoss(group, algebra_options(config)),
                      {.latent_to_output = config.get<double>("prior.latent_to_output"),
                       .equivariance = config.get<double>("prior.weight"),
                       .algebra = algebra,
                       .regulariser = algebra});
}

Step make_learned_experiment_step(const Config& config, const LearnedPrior& prior) {
  LearnedStepOptions options;
  const bool autoencoder = config.get<std::string>("network.kind").ends_with("autoencoder");
  options.task = autoencoder                    ? LearnedTask::autoencode
                 : has_departure(config, "D-8") ? LearnedTask::classify_softmax_twice
                                                : LearnedTask::classify;
  if (config.get<std::string>("train.task") == "pair") options.weights = {0.5, 0.5};
  return make_learned_step(prior, options);
}

Metrics validation_losses(const Experiment& experiment, const Dataset& dataset,
                          const RandomKey& key) {
  Metrics sums;
  for_each_batch(experiment.network, dataset, key, experiment.training.batch_size,
                 [&](const Batch& batch) {
                   const Terms terms = experiment.step(experiment.network, batch);
                   const auto weight = static_cast<double>(batch.size());
                   sums["loss"] += weight * terms.total().item<double>();
                   for (const Term& term : terms.all()) {
                     sums[term.name] += weight * term.value.item<double>();
                   }
                 });
  for (auto& [name, sum] : sums) sum /= static_cast<double>(dataset.size);
  return sums;
}

Metrics measure_representation(const Experiment& experiment, const std::filesystem::path& folder) {
  const RandomKey key = key_of(experiment.config, "test");
  const LearnedRepresentation& representation = experiment.learned->representation();
  const ApproximateRepresentation approximate = to_approximate(representation);
  const Dataset& test = experiment.data.tests.at(0).data;
  std::vector<at::Tensor> z, zg, g;
  std::int64_t right = 0;
  const bool classifies =
      !experiment.data.tests.at(0).metric.empty() &&
      !experiment.config.get<std::string>("network.kind").ends_with("autoencoder");
  for_each_batch(experiment.network, test, key, experiment.training.batch_size,
                 [&](const Batch& batch) {
                   const auto latent = encode(experiment.network, batch.x);
                   z.push_back(latent.cpu());
                   zg.push_back(encode(experiment.network, batch.gx).cpu());
                   g.push_back(batch.g.cpu());
                   if (classifies) {
                     const auto output = experiment.network.decode(latent, 0);
                     right += output.argmax(1).eq(batch.y).sum().item<std::int64_t>();
                   }
                 });
  EncodedData data;
  data.z = torch::cat(z);
  data.zg = torch::cat(zg);
  data.g = torch::cat(g);
  {
    const ModeScope evaluation(experiment.network, Mode::evaluation);
    const torch::NoGradGuard no_gradient;
    const Batch batch = take(experiment.data.train, kOrbitSamples, key);
    data.samples = encode(experiment.network, batch.x.to(device_of(experiment.network))).cpu();
  }
  data.orbits = orbits_of(experiment, test, kTheoremSamples, key);
  const RepresentationReport report = report_representation(approximate, data);
  if (!folder.empty()) {
    write_file(folder / "representation.json", to_json(report));
    write_file(folder / "theorem.csv", to_csv(theorem_one(approximate, data.orbits)));
    save_representation(representation, folder / "representation.safetensors");
  }
  Metrics metrics = to_metrics(report);
  if (classifies) {
    metrics[experiment.data.tests.at(0).metric] =
        static_cast<double>(right) / static_cast<double>(test.size);
  }
  return metrics;
}

Metrics measure_probes(const Experiment& experiment) {
  const ExperimentData& data = experiment.data;
  if (!data.upright_train || !data.upright_test) {
    throw InputError({"probes need images on which the group acts",
                      "data.kind = \"" + experiment.config.get<std::string>("data.kind") + "\"",
                      "mnist, cifar10 or arrays", "set train.probes = false"});
  }
  const auto train = orbits_of(experiment, *data.upright_train, kProbeTraining,
                               key_of(experiment.config, "probe training"));
  const auto test = orbits_of(experiment, *data.upright_test, kProbeTest,
                              key_of(experiment.config, "probe test"));
  const LocalProbes local = local_probes(test);
  // The mean of MSE(E(x), E(gx)) over all pairs of an orbit, g ≠ e, is twice the variance in it.
  const auto order = static_cast<double>(test.size(1));
  const double invariance =
      2.0 * order / (order - 1.0) * orbit_residuals(test).square().mean().item<double>();
  return {{"local_probe_accuracy", local.accuracy},
          {"local_probe_perfect_orbits", local.perfect_orbits},
          {"global_probe_accuracy", global_probe_accuracy(train, test)},
          {"invariance_loss", invariance}};
}

Metrics measure_null_model(const Config& config, const std::filesystem::path& folder,
                           const ProgressSink& progress) {
  const Group group = make_group(config.get<std::string>("data.group"));
  const AlgebraLoss algebra(group, algebra_options(config));
  NullModelOptions options;
  options.dimension = config.get<std::int64_t>("network.latent");
  options.start = parse_matrix_start(config.get<std::string>("prior.start"));
  options.noise = config.get<double>("prior.noise");
  options.seeds = config.get<std::int64_t>("train.seeds");
  options.first_seed = seed_of(config) * static_cast<std::uint64_t>(options.seeds);
  options.steps = config.get<std::int64_t>("train.steps");
  options.learning_rate = config.get<double>("train.learning_rate");
  const NullModelResult result = run_null_model(algebra, options, [&](std::int64_t step) {
    throw_if_stopped();
    if (progress) {
      progress(static_cast<std::uint64_t>(step), static_cast<std::uint64_t>(options.steps));
    }
  });
  if (!folder.empty()) {
    write_file(folder / "null.csv", to_csv(result, algebra, options.first_seed));
  }
  const auto seeds = static_cast<double>(options.seeds);
  Metrics metrics{{"seeds", seeds}, {"unconverged", static_cast<double>(result.unconverged())}};
  const CharacterTable table = character_table(group);
  for (const auto& multiplicities : result.multiplicities) {
    for (std::size_t i = 0; i < multiplicities.size(); ++i) {
      metrics["multiplicity/" + character_name(table, i)] += multiplicities[i] / seeds;
    }
  }
  // How often each number of eigenvalues lies at the root exp(2πik/n): shares of the seeds.
  for (std::size_t generator = 0; generator < result.counts.size(); ++generator) {
    const std::string& name = group.generator_names()[generator];
    for (const auto& counts : result.counts[generator]) {
      for (std::size_t k = 0; k < counts.size(); ++k) {
        metrics[fmt::format("eigenvalues/{}/{}", name, k)] +=
            static_cast<double>(counts[k]) / seeds;
        metrics[fmt::format("share/{}/{}/{}", name, k, counts[k])] += 1.0 / seeds;
      }
    }
  }
  std::vector<double> losses = result.algebra;
  std::nth_element(losses.begin(), losses.begin() + static_cast<std::ptrdiff_t>(losses.size() / 2),
                   losses.end());
  metrics["median_algebra_loss"] = losses[losses.size() / 2];
  return metrics;
}

}  // namespace algprior
