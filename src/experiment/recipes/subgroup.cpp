// Which finite group stands for a continuous one? Images and volumes under all rotations, the prior
// with a finite group of them.
#include "algprior/analysis/equivariance.hpp"
#include "algprior/base/choice.hpp"
#include "algprior/base/file.hpp"
#include "algprior/data/digits.hpp"
#include "algprior/data/moved_pairs.hpp"
#include "algprior/data/volumes.hpp"
#include "algprior/data/voxel_shapes.hpp"
#include "algprior/experiment/assemble.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/store/store.hpp"
#include "algprior/train/evaluate.hpp"
#include "recipes.hpp"

#include <cmath>
#include <numbers>
#include <optional>

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace algprior {
namespace {

struct SubgroupSettings {
  std::string group = "C4";
  std::string set = "digits";
  std::int64_t train_count = 2000, validation_count = 500, test_count = 1000;
  std::int64_t motions = 48;
  NetworkSettings network{{"ddmnist", "volumes", "mlp"}};
  PriorSettings prior;
  TrainSettings train{.ties = Ties::first};

  void bind(config::Fields& fields) {
    fields.text("data.group", group,
                "the finite group inside all rotations: C8, D4, … of digits; T, cube, I of "
                "tetracubes, Td, Oh, Ih with reflections");
    fields
        .text("data.set", set,
              "digits: MNIST, enlarged; tetracubes: the eight figures of four cubes, in voxels")
        .one_of({"digits", "tetracubes"});
    fields.integer("data.train_count", train_count, "training samples").at_least(1);
    fields.integer("data.validation_count", validation_count, "validation samples").at_least(1);
    fields.integer("data.test_count", test_count, "test samples").at_least(1);
    fields
        .integer("data.motions", motions,
                 "rotations for the error between the elements: equal angles of the plane, random "
                 "ones of space")
        .at_least(1);
    network.bind(fields);
    prior.bind(fields);
    train.bind(fields, network);
  }
};

// The digits at twice their size: a rotation then blurs less, and they fit the inscribed disc.
LabelledVolumes first_digits(const char* images, const char* labels, std::int64_t count,
                             std::int64_t skip) {
  const Digits digits = read_digits(store::find("mnist", images), store::find("mnist", labels));
  if (digits.images.size(0) < skip + count) {
    throw InputError({"there are not so many digits", fmt::format("{}", skip + count),
                      fmt::format("at most {}", digits.images.size(0)), "ask for fewer"});
  }
  const auto part = digits.images.slice(0, skip, skip + count).unsqueeze(1);
  const std::vector<std::int64_t> side{2 * part.size(2), 2 * part.size(3)};
  const auto larger = at::upsample_bilinear2d(part.to(at::kFloat), side, false);
  return {larger.round().to(at::kByte), digits.labels.slice(0, skip, skip + count)};
}

VolumeSplits subgroup_splits(const RunId& run, const SubgroupSettings& settings) {
  if (settings.set == "tetracubes") {
    return make_tetracubes(run.seed, settings.train_count, settings.validation_count,
                           settings.test_count);
  }
  constexpr const char* kTrain[] = {"train-images-idx3-ubyte", "train-labels-idx1-ubyte"};
  constexpr const char* kTest[] = {"t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"};
  return {first_digits(kTrain[0], kTrain[1], settings.train_count, 0),
          first_digits(kTrain[0], kTrain[1], settings.validation_count, settings.train_count),
          first_digits(kTest[0], kTest[1], settings.test_count, 0), 10};
}

// What the error is measured under: the elements of the group first, then rotations of all kinds.
at::Tensor test_motions(const Group& group, std::int64_t dimension, std::int64_t count) {
  const auto elements = motion_matrices(group, dimension);
  if (dimension == 3) {
    const auto others =
        random_rotations(dimension, at::arange(count, at::kLong), RandomKey(0, "test motions"));
    return at::cat({elements, others});
  }
  const auto angle =
      at::arange(count, at::kDouble) * (2.0 * std::numbers::pi / static_cast<double>(count));
  const auto c = angle.cos(), s = angle.sin();
  return at::cat({elements, at::stack({c, s, -s, c}, 1).reshape({-1, 2, 2})});
}

// The element of the group that a motion is, or -1.
std::int64_t element_of(const at::Tensor& elements, const at::Tensor& motion) {
  const auto distance = (elements - motion).abs().flatten(1).amax(1);
  return distance.min().item<double>() < 1e-9 ? distance.argmin().item<std::int64_t>() : -1;
}

double degrees_of(const at::Tensor& motion) {
  const double trace = motion.diagonal().sum().item<double>();
  const double cosine = motion.size(0) == 2 ? trace / 2 : (trace - 1) / 2;
  return std::acos(std::clamp(cosine, -1.0, 1.0)) * 180.0 / std::numbers::pi;
}

// Errors of the best linear map under each motion, at the elements and between them; as a file, a
// motion a line.
Metrics measure_between(const Network& network, const LabelledVolumes& test, const Group& group,
                        const SubgroupSettings& settings, const MeasureContext& context) {
  const ModeScope evaluation(network, Mode::evaluation);
  const at::NoGradGuard no_gradient;
  const auto elements = motion_matrices(group, test.volumes.dim() - 2);
  const auto motions = test_motions(group, test.volumes.dim() - 2, settings.motions);
  const auto encode_moved = [&](const at::Tensor& motion) {
    std::vector<at::Tensor> parts;
    for (const auto& part : test.volumes.split(settings.train.batch_size)) {
      const auto images = part.to(at::kFloat).div_(255.0);
      const auto moved = move_images(images, motion.expand({part.size(0), -1, -1}));
      parts.push_back(network.forward(moved.to(device_of(network))).latents.at(0).flatten(1).cpu());
    }
    return at::cat(parts);
  };
  const auto z = encode_moved(elements.slice(0, 0, 1));  // the identity comes first
  std::string file = "element,degrees,determinant,linear_error\n";
  double sums[2] = {0, 0};
  std::int64_t counts[2] = {0, 0};
  for (std::int64_t i = 1; i < motions.size(0); ++i) {
    const auto motion = motions[i];
    const std::int64_t element = element_of(elements, motion);
    // Elements are measured once, where they stand themselves.
    if (i >= elements.size(0) && element >= 0) continue;
    const double error = linear_error(z, encode_moved(motion.unsqueeze(0)));
    const int between = element < 0 ? 1 : 0;
    sums[between] += error;
    ++counts[between];
    file += fmt::format("{},{:.6g},{:.0f},{:.6g}\n", element, degrees_of(motion),
                        at::linalg_det(motion).item<double>(), error);
    if (context.progress) {
      context.progress(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(motions.size(0)));
    }
  }
  if (!context.folder.empty()) write_file(context.folder / "motion_error.csv", file);
  Metrics metrics;
  if (counts[0] > 0) {
    metrics[std::string(metrics::kLinearError.name)] = sums[0] / static_cast<double>(counts[0]);
  }
  if (counts[1] > 0) {
    metrics[std::string(metrics::kLinearErrorBetween.name)] =
        sums[1] / static_cast<double>(counts[1]);
  }
  return metrics;
}

Experiment make_subgroup(const RunId& run, const SubgroupSettings& settings) {
  const Group group = make_group(settings.group);
  const VolumeSplits splits = subgroup_splits(run, settings);
  std::optional<Action> relabel;  // of digits a mirror image is the same digit
  if (splits.motion) relabel = volume_label_action(group, splits);
  const auto pairs = [&](const char* name, const LabelledVolumes& part) {
    return make_moved_pairs(name, part.volumes, part.labels, group, relabel);
  };
  using namespace metrics;
  const nn::Shapes shapes{splits.train.volumes.sizes().slice(1).vec(), splits.classes};
  const Network network = settings.network.make(run.seed, shapes);
  return assemble({.run = run,
                   .data = {.group = group,
                            .outputs = splits.classes,
                            .train = pairs("training samples", splits.train),
                            .validation = pairs("validation samples", splits.validation),
                            .tests = {{"augmented_test", pairs("test samples", splits.test)}}},
                   .network = network,
                   .shapes = shapes,
                   .task = classify(),
                   .prior = settings.prior,
                   .train = settings.train,
                   .measure =
                       [=](const Network& trained, const MeasureContext& context) {
                         return measure_between(trained, splits.test, group, settings, context);
                       },
                   .columns = {kAugmentedTestAccuracy, kEquivarianceError, kLinearError,
                               kLinearErrorBetween, kRoom}});
}

}  // namespace

Recipe subgroup_recipe() {
  return make_recipe("subgroup", "digits or tetracubes under all rotations, a finite group of them",
                     make_subgroup);
}

}  // namespace algprior
