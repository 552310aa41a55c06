// Shapes on the sphere under the symmetries of the cube: the paper's fourth experiment. An
// auto-encoder is trained first, then a classifier on its latents.
#include "../head_phase.hpp"
#include "../shape_settings.hpp"
#include "../sphere_orbit.hpp"
#include "algprior/action/sphere.hpp"
#include "algprior/analysis/block_diagonal.hpp"
#include "algprior/base/choice.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/experiment/assemble.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/rep/constructions.hpp"
#include "algprior/train/evaluate.hpp"
#include "algprior/train/pair_steps.hpp"
#include "recipes.hpp"

#include <algorithm>

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace algprior {
namespace {

/// What "the regular representation in each channel separately" means (docs/shapes.md).
enum class Reading { geometric, flat };
constexpr Choices<Reading, 2> kReadings = {{"geometric", Reading::geometric},
                                           {"flat", Reading::flat}};

/// What the latents of a pair are asked for.
enum class PairMethod { group, isometry, fourier };
constexpr Choices<PairMethod, 3> kPairMethods = {{"group", PairMethod::group},
                                                 {"isometry", PairMethod::isometry},
                                                 {"fourier", PairMethod::fourier}};

struct ShapeSettings {
  ShapeDataSettings data;
  NetworkSettings network{{"sphere_autoencoder", "mobius"}};
  PairMethod method = PairMethod::group;
  PriorSettings prior{.weight = 0.5, .latent = {.weight = 0.8}};
  Reading reading = Reading::geometric;
  std::int64_t eigenfunctions = 64, dimension = 16, copies = 4;
  TrainSettings train;
  HeadSettings head;

  ShapeSettings() {
    train.decoupled = true;
    train.weight_decay = 1e-4;
    train.warmup = 1;
    train.batch_size = 4;
    train.epochs = 26;
    train.patience = 0;
    train.keep_best = false;
  }

  void bind(config::Fields& fields) {
    data.bind(fields);
    network.bind(fields);
    network.when_output(fields, nn::Output::sample, [&] {
      bind_prior(fields);
      head.bind(fields);
    });
    train.bind(fields, network);
  }

  void bind_prior(config::Fields& fields) {
    fields.choice(
        "prior.method", method, kPairMethods,
        "group: x and g·x, with or without a prior; isometry, fourier: two maps of a "
        "shape and a linear map between their latents, estimated pair by pair (NIso, NFT)");
    fields.when("prior.method", {"group"}, [&] {
      prior.bind(fields);
      fields.when("prior.representation", {"regular", "trivial"}, [&] {
        fields.choice("prior.reading", reading, kReadings,
                      "how a channel of Z carries it: geometric, as functions on the sphere (by "
                      "permutations on a cube map, resampled elsewhere); flat, in blocks of cells");
      });
    });
    fields.when("prior.method", {"isometry"}, [&] {
      fields.integer("prior.eigenfunctions", eigenfunctions, "of the learned operator").at_least(1);
    });
    fields.when("prior.method", {"fourier"}, [&] {
      fields.integer("prior.dimension", dimension, "of the space that maps act on").at_least(1);
      fields.integer("prior.copies", copies, "of it in a channel").at_least(1);
    });
  }
};

std::int64_t cells_of(const Network& network) {
  const auto& shape = network.latent_shapes.at(0);
  std::int64_t cells = 1;
  for (std::size_t i = 1; i < shape.size(); ++i) cells *= shape[i];
  return cells;
}

std::vector<LatentTarget> latents_on(const Group& group, const ShapeSettings& settings,
                                     const Network& network, const std::string& representation) {
  if (representation == "trivial") return {{0, trivial_action(group)}};
  if (representation != "regular") {
    throw InputError({"a grid on the sphere carries no such representation here",
                      "prior.representation = \"" + representation + "\"",
                      "regular, trivial or none", "set prior.representation = \"regular\""});
  }
  if (settings.reading == Reading::flat) {
    return {{0, flat_action(regular_representation(group), cells_of(network))}};
  }
  const auto grid = mesh::grid_named(settings.data.grid);
  int halvings = 0;
  while (grid.width >> halvings > network.latent_shapes.at(0).back()) ++halvings;
  return {{0, sphere_action(group, grid, halvings)}};
}

/// A network with its way of training on pairs, and what the head reads of its latents.
struct PairedNetwork {
  Network network;
  std::optional<Step> step;
  std::vector<std::int64_t> features;
  std::function<at::Tensor(const at::Tensor& z)> read;
  std::shared_ptr<torch::nn::Module> reader;
  /// The matrices between the latents of pairs, where these are looked at afterwards.
  std::function<at::Tensor(const at::Tensor& z, const at::Tensor& partner)> transitions = {};
};

PairedNetwork pair_up(const ShapeSettings& settings, const Network& network, std::uint64_t seed) {
  const Task task = reconstruct_absolute();
  const auto shape = network.latent_shapes.at(0);
  if (settings.method == PairMethod::isometry) {
    const nn::NeuralIsometry isometry(seed, cells_of(network), settings.eigenfunctions);
    // Mass and eigenfunctions train on with the head.
    return {with_isometry(network, isometry),
            make_isometry_step(task, isometry),
            {shape[0], settings.eigenfunctions},
            [isometry](const at::Tensor& z) { return isometry.now().spectrum(z); },
            isometry.module()};
  }
  if (settings.method == PairMethod::fourier) {
    const nn::NeuralFourier fourier(seed, cells_of(network), settings.dimension, settings.copies);
    return {with_fourier(network, fourier),
            make_fourier_step(task, fourier),
            {shape[0], settings.dimension * settings.copies},
            [fourier](const at::Tensor& z) { return fourier.adapt(z); },
            {},
            [fourier](const at::Tensor& z, const at::Tensor& partner) {
              return fourier.transition(fourier.adapt(z), fourier.adapt(partner));
            }};
  }
  return {network, {}, shape, {}, {}};
}

/// The data sets of a run.
struct ShapeSets {
  Dataset drawn;                     ///< to train on, with partners
  Dataset train, validation, test;   ///< every map
  Dataset test_pairs;                ///< two maps of a shape
  Dataset few_validation, few_test;  ///< every eighth, where reconstructions are looked at
};

ShapeSets make_sets(const ShapeSettings& settings, const ShapeSplits& splits,
                    const Action& action) {
  const auto grid = mesh::grid_named(settings.data.grid);
  const auto maps = [&](const char* name, const ShapeList& shapes, ShapeMapOptions options) {
    options.maps = settings.data.maps;
    return make_shape_maps(name, splits, shapes, grid, action, options);
  };
  const ShapeMapOptions few{.stride = 8};
  const bool partners = settings.method != PairMethod::group;
  return {maps("drawn maps", splits.train, {.drawn = true, .partner_maps = partners}),
          maps("training maps", splits.train, {}),
          maps("validation maps", splits.validation, {}),
          maps("test maps", splits.test, {}),
          maps("pairs of test maps", splits.test, {.stride = few.stride, .partner_maps = true}),
          maps("some validation maps", splits.validation, few),
          maps("some test maps", splits.test, few)};
}

// A classifier in one phase, on maps as they are.
Experiment make_classifier(const RunId& run, const ShapeSettings& settings, const Network& network,
                           const nn::Shapes& shapes, const ShapeSets& sets, const Action& action) {
  using namespace metrics;
  const PriorSettings none{.representation = "none", .latent = {}};
  return assemble({.run = run,
                   .data = {.group = action.group(),
                            .outputs = shapes.outputs,
                            .train = sets.drawn,
                            .validation = sets.few_validation,
                            .tests = {{"test", sets.test}},
                            .input = action},
                   .network = network,
                   .shapes = shapes,
                   .task = classify(),
                   .prior = none,
                   .train = settings.train,
                   .columns = {kTestAccuracy, kInvarianceError}});
}

Metrics measure_classifier(const Network& classifier, const Dataset& tests, const RandomKey& key,
                           std::int64_t batch_size) {
  MetricSums plain(classify()), moved(classify());
  for_each_batch(classifier, tests, key, batch_size, [&](const Batch& batch) {
    plain.add(classifier.forward(batch.x).output, batch.y);
    moved.add(classifier.forward(batch.gx).output, batch.gy);
  });
  return {{std::string(metrics::kTestAccuracy.name), plain.means().at(0)},
          {std::string(metrics::kAugmentedTestAccuracy.name), moved.means().at(0)}};
}

// Into which blocks the matrices between latents fall together: blocks.json.
void write_blocks(const std::filesystem::path& folder, const PairedNetwork& paired,
                  const Dataset& pairs, const RandomKey& key) {
  if (!paired.transitions || folder.empty()) return;
  constexpr std::int64_t kMostPairs = 1024, kBatch = 32;
  std::vector<at::Tensor> matrices;
  const at::NoGradGuard no_gradient;
  for (const at::Tensor& indices : ordered_batches(std::min(pairs.size, kMostPairs), kBatch)) {
    const Batch batch = to_device(pairs.get(indices, key), device_of(paired.network));
    const auto z = paired.network.encode(batch.x).at(0);
    matrices.push_back(paired.transitions(z, paired.network.encode(batch.gx).at(0)).cpu());
  }
  const at::AutoGradMode gradient(true);
  const BlockDiagonal found = block_diagonalise(at::cat(matrices));
  std::vector<std::size_t> sizes;
  for (const auto& block : found.blocks) sizes.push_back(block.size());
  write_file(folder / "blocks.json",
             fmt::format("{{\"dimension\": {}, \"blocks\": [{}], \"loss_before\": {:.6g}, "
                         "\"loss_after\": {:.6g}}}\n",
                         found.basis.size(0), fmt::join(sizes, ", "), found.before, found.after));
}

Experiment make_shapes(const RunId& run, const ShapeSettings& settings) {
  if (settings.method == PairMethod::group && settings.prior.is_learned()) {
    throw InputError({"a representation on grids on the sphere is not learned",
                      "prior.representation = \"learned\"", "regular, trivial or none",
                      "set prior.representation = \"regular\""});
  }
  const Group group = make_group(settings.data.group);
  const auto grid = mesh::grid_named(settings.data.grid);
  const Action action = sphere_action(group, grid);
  const ShapeSplits splits = settings.data.load(run.seed);
  const ShapeSets sets = make_sets(settings, splits, action);
  std::vector<std::int64_t> sample = grid.shape();
  sample.insert(sample.begin(), splits.normalisation.mean.size());
  const auto classes = static_cast<std::int64_t>(splits.categories.size());
  const nn::Shapes shapes{sample, classes};
  const auto make = [&] { return settings.network.make(run.seed, shapes); };
  const Network plain = make();
  if (settings.network.output() == nn::Output::vector) {
    return make_classifier(run, settings, plain, shapes, sets, action);
  }

  const PairedNetwork paired = pair_up(settings, plain, run.seed);
  const Network network = paired.network;
  const auto latents = [=](const std::string& representation) {
    return latents_on(group, settings, network, representation);
  };
  const PairedNetwork again = pair_up(settings, make(), run.seed);
  const bool reads_anew = settings.head.finetune || paired.reader;
  HeadParts head{.trained = network,
                 .autoencoder = again.network,
                 .features = paired.features,
                 .read = reads_anew ? again.read : paired.read,
                 .reader = again.reader,
                 .classes = classes,
                 .train = sets.train,
                 .validation = sets.few_validation,
                 .settings = settings.head,
                 .seed = run.seed};
  const Phase phase = make_head_phase(head);
  const Network classifier = classifier_of(head, phase);
  PriorSettings prior = settings.prior;
  if (settings.method != PairMethod::group) prior.representation = "none";
  if (prior.none()) prior.latent = {};
  using namespace metrics;
  Experiment experiment = assemble(
      {.run = run,
       .data = {.group = group,
                .outputs = classes,
                .train = sets.drawn,
                .validation = sets.few_validation,
                .tests = {{"test", sets.few_test}},
                .input = action},
       .network = network,
       .shapes = settings.method == PairMethod::group ? std::optional(shapes) : std::nullopt,
       .task = reconstruct_absolute(),
       .prior = prior,
       .train = settings.train,
       .step = paired.step,
       .latents = latents,
       .measure =
           [=](const Network& trained, const MeasureContext& context) {
             const RandomKey key(run.seed, "test");
             const Batch first = sets.test.get(at::zeros({1}, at::kLong), key);
             write_sphere_orbit(context.folder, trained, action, latents("regular").at(0).action,
                                first.x, 0);
             write_blocks(context.folder, paired, sets.test_pairs, key);
             return measure_classifier(classifier, sets.test, key, settings.head.batch_size);
           },
       .columns = {kTestAccuracy, kAugmentedTestAccuracy, kTestError,
                   prior.none() ? kEquivarianceErrorRegular : kEquivarianceError}});
  experiment.phases = {phase};
  return experiment;
}

}  // namespace

Recipe shapes_recipe() {
  return make_recipe("shapes",
                     "shapes on the sphere under the symmetries of the cube: an auto-encoder, then "
                     "a classifier on its latents",
                     make_shapes);
}

}  // namespace algprior
