#include "algprior/experiment/assemble.hpp"

#include "algprior/action/latent.hpp"
#include "algprior/analysis/eigenvalues.hpp"
#include "algprior/base/error.hpp"
#include "algprior/nn/learned.hpp"
#include "algprior/rep/make_representation.hpp"
#include "algprior/train/running_averages.hpp"
#include "matrix_file.hpp"
#include "measure.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace algprior {
namespace {

void check(const Parts& parts) {
  const std::string& representation = parts.prior.representation;
  if (!parts.prior.none() && parts.train.task == TaskTerms::single) {
    throw InputError({"a prior needs pairs", "prior.representation = \"" + representation + "\"",
                      "train.task = \"pair\" or \"first\", or prior.representation = \"none\"",
                      "set train.task = \"pair\""});
  }
  if (parts.prior.balance.ratio > 0.0 && parts.prior.weight != 1.0) {
    throw InputError({"a prior has a weight or a balance, not both",
                      fmt::format("prior.weight = {}, prior.balance = {}", parts.prior.weight,
                                  parts.prior.balance.ratio),
                      "one of them", "set prior.balance = 0, or leave prior.weight out"});
  }
  if (parts.against_first && parts.prior.relative) {
    throw InputError({"departure D-4 is about the absolute loss", "prior.relative = true",
                      "prior.relative = false", "leave one of them out"});
  }
  if (parts.train.fresh_averages && !has_running_averages(parts.network)) {
    throw InputError({"there are no running averages to take anew", "train.fresh_averages = true",
                      "a network with batch norm: network.kind = \"ddmnist\"",
                      "set train.fresh_averages = false"});
  }
}

// On vectors, or on the channels of a grid at every point.
Action natural_latent_action(const Network& network, const Representation& representation) {
  if (network.latent_shapes.empty()) {
    throw InputError({"a fixed prior needs to know dim Z", "a network without shapes",
                      "latent_shapes of the network", "give make_network its latent_shapes"});
  }
  const auto& shape = network.latent_shapes[0];
  return shape.size() == 1 ? latent_action(representation, shape[0])
                           : channel_action(representation, shape[0]);
}

LearnedPrior make_learned_prior(const Parts& parts) {
  LearnedRepresentationOptions options = parts.prior.learned.start;
  if (parts.network.latent_shapes.empty()) {
    throw InputError({"a learned representation needs to know dim Z", "a network without shapes",
                      "latent_shapes of the network", "give make_network its latent_shapes"});
  }
  options.dimension = parts.network.latent_shapes[0][0];
  options.seed = parts.run.seed;
  return LearnedPrior(LearnedRepresentation(parts.data.group, options),
                      AlgebraLoss(parts.data.group, parts.prior.learned.algebra),
                      {.latent_to_output = parts.prior.latent_to_output,
                       .equivariance = parts.prior.weight,
                       .algebra = parts.prior.algebra,
                       .regulariser = parts.prior.algebra});
}

Representation read_prior_matrices(const Parts& parts) {
  if (!parts.prior.matrices_file.empty()) {
    return read_matrix_representation(parts.data.group, parts.prior.matrices_file,
                                      "prior.matrices_file");
  }
  throw InputError({"a representation by matrices needs a file", "prior.matrices_file",
                    fmt::format("the path of an NPZ, safetensors or NPY file with a matrix for "
                                "each of {}",
                                fmt::join(parts.data.group.generator_names(), ", ")),
                    "set it in the configuration: prior.matrices_file = FILE"});
}

std::vector<LatentTarget> make_latents(const Parts& parts, const std::string& representation) {
  const bool from_file = representation == "matrices";
  if (parts.latents && from_file) {
    throw InputError({"the latents of this experiment have an action of their own",
                      "prior.representation = \"matrices\"", "a representation by name",
                      "set prior.representation = \"regular\""});
  }
  if (parts.latents) return parts.latents(representation);
  const Group& group = parts.data.group;
  return {{0, natural_latent_action(parts.network,
                                    from_file ? read_prior_matrices(parts)
                                              : make_representation(group, representation))}};
}

// In every row to compare with, where it fits.
std::optional<Action> make_regular(const Parts& parts) {
  try {
    return make_latents(parts, "regular").at(0).action;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

Step make_experiment_step(const Assembled& all) {
  const Parts& parts = all.parts;
  if (parts.step) return *parts.step;
  StepOptions options;
  options.task = parts.task;
  options.pairs = parts.train.task != TaskTerms::single;
  if (parts.train.task != TaskTerms::pair || parts.on_x_alone) {
    options.weights = kReferencePairWeights;
  }
  options.learned = all.learned;
  options.rollout = parts.rollout;
  options.latent = parts.prior.latent;
  if (!all.latents.empty()) {
    const LossScale scale = parts.against_first    ? LossScale::against_first
                            : parts.prior.relative ? LossScale::relative
                                                   : LossScale::absolute;
    options.fixed.emplace(all.latents, parts.prior.weight, scale);
  }
  return make_step(std::move(options));
}

Training make_training(const Shared& all) {
  const Parts& parts = all->parts;
  Training training;
  training.data = parts.data.train;
  training.step = all->step;
  training.options = parts.train.options(parts.run.seed, parts.data.train.size);
  training.validate = [all](const Network&, std::int64_t epoch) { return validate(*all, epoch); };
  training.options.balance = parts.prior.balance;
  training.keep_best = parts.train.keep_best;
  const std::int64_t steps_per_epoch =
      batch_count(parts.data.train.size, training.options.batch_size);
  training.observe = [all, steps_per_epoch](const std::filesystem::path& folder) {
    std::function<void(std::int64_t)> weights = observe_weights(all, steps_per_epoch, folder);
    if (!all->learned) return weights;
    const auto eigenvalues =
        record_eigenvalues(all->parts.data.group, folder / "eigenvalues.csv",
                           [all] { return to_approximate(all->learned->representation()); });
    return std::function<void(std::int64_t)>([weights, eigenvalues](std::int64_t step) {
      weights(step);
      eigenvalues(step);
    });
  };
  if (!all->learned) return training;
  training.may_diverge = true;
  training.finish = [all](const std::filesystem::path& folder, std::int64_t steps) {
    EigenvalueTrajectory(all->parts.data.group, folder / "eigenvalues.csv")
        .record(steps, to_approximate(all->learned->representation()));
  };
  return training;
}

std::vector<Metric> columns_of(const Parts& parts) {
  using namespace metrics;
  if (!parts.columns.empty()) return parts.columns;
  if (parts.prior.is_learned()) {
    return {kConverged, kAlgebraLoss, kEquivarianceLoss, kIndependentOrbits, kNearestDistance};
  }
  std::vector<Metric> columns;
  if (parts.train.probes) columns = {kLocalProbe, kGlobalProbe, kInvarianceLoss};
  for (const TestSet& test : parts.data.tests) {
    const auto name = fmt::format("{}_{}", test.name, parts.task.metrics.at(0).metric.name);
    if (const Metric* metric = find_metric(name)) columns.push_back(*metric);
  }
  if (parts.train.probes) return columns;
  columns.push_back(parts.prior.none() ? kInvarianceError : kEquivarianceError);
  columns.push_back(kEquivarianceErrorRegular);
  return columns;
}

}  // namespace

Experiment assemble(Parts parts) {
  check(parts);
  const std::shared_ptr<Assembled> all(new Assembled{std::move(parts), {}, {}, {}, {}});
  if (all->parts.prior.is_learned()) {
    all->learned = make_learned_prior(all->parts);
    all->parts.network = with_representation(all->parts.network, all->learned->representation());
  } else {
    if (all->parts.prior.fixed()) {
      all->latents = make_latents(all->parts, all->parts.prior.representation);
    }
    all->regular = make_regular(all->parts);
  }
  all->step = make_experiment_step(*all);
  Experiment experiment;
  experiment.network = all->parts.network;
  experiment.training = make_training(all);
  experiment.measure = [all = Shared(all)](const MeasureContext& context) {
    Metrics metrics = all->learned ? measure_representation(*all, context.folder)
                                   : measure_network(*all, context.folder);
    if (all->parts.train.probes) metrics.merge(measure_probes(*all));
    if (all->parts.measure) metrics.merge(all->parts.measure(all->parts.network, context));
    return metrics;
  };
  experiment.check = [all = Shared(all)] { check_data(*all); };
  experiment.columns = columns_of(all->parts);
  experiment.task = all->parts.task;
  experiment.shapes = all->parts.shapes;
  experiment.data = all->parts.data;
  experiment.latents = all->latents;
  if (all->learned) experiment.latents = {{0, all->learned->representation()->action()}};
  return experiment;
}

}  // namespace algprior
