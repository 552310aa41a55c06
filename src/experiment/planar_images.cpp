#include "planar_images.hpp"

#include "algprior/action/planar.hpp"
#include "algprior/base/error.hpp"
#include "algprior/data/image_pairs.hpp"
#include "algprior/data/planar_transform.hpp"
#include "algprior/group/make_group.hpp"
#include "resampling_words.hpp"

#include <algorithm>

#include <ATen/ATen.h>

namespace algprior {
namespace {

// One in ten training images is held out for validation.
constexpr std::int64_t kHeldOut = 10;

std::vector<bool> flips_of(const Group& group) {
  const at::Tensor flip = planar_elements(group).flip;
  const bool* first = flip.data_ptr<bool>();
  return std::vector<bool>(first, first + flip.numel());
}

// Of h in x = T_h(image): the whole group, identity and first flip, or nothing.
std::vector<double> augmentation(const Group& group, const std::string& word) {
  std::vector<double> weights(group.order(), word == "group" ? 1.0 : 0.0);
  weights[0] = 1.0;
  if (word != "flip") return weights;
  const std::vector<bool> flips = flips_of(group);
  const auto first = std::find(flips.begin(), flips.end(), true);
  if (first != flips.end()) {
    weights[static_cast<std::size_t>(first - flips.begin())] = 1.0;
    return weights;
  }
  throw InputError({"this group has no flip", "data.augment = \"flip\" with " + group.name(),
                    "a dihedral group", "set data.augment = \"group\" or \"none\""});
}

// Of g in g·x. "generators" is the paper's choice for D3: half the partners are flipped, half are
// turned by a power of r, none is both.
std::vector<double> partners(const Group& group, const std::string& word) {
  std::vector<double> weights(group.order(), 1.0);
  if (word == "uniform") return weights;
  weights[0] = 0.0;
  if (word == "others") return weights;
  const auto turns = static_cast<double>(group.order()) / 2.0 - 1.0;
  const std::vector<bool> flips = flips_of(group);
  bool flipped = false;
  for (Element g = 1; g < group.order(); ++g) {
    weights[g] = flips[g] ? (flipped ? 0.0 : 0.5) : 0.5 / turns;
    flipped = flipped || flips[g];
  }
  if (flipped && turns >= 1) return weights;
  throw InputError({"partners by generators need turns and a flip",
                    "data.partner = \"generators\" with " + group.name(), "D2, D3, D4, …",
                    "set data.partner = \"others\" or \"uniform\""});
}

}  // namespace

void PlanarSettings::bind(config::Fields& fields) {
  fields.text("data.group", group, "how the data is symmetric: D4, C4, D1, …");
  fields.choice("data.resampling", resampling, kResamplings,
                "for groups whose turns miss the pixel grid (C3, D3, C8, …)");
}

Action PlanarSettings::action() const {
  return planar_action(make_group(group), resampling);
}

Task task_of(nn::Output output, bool softmax_twice) {
  if (output == nn::Output::sample) return reconstruct();
  return softmax_twice ? classify_softmax_twice() : classify();
}

void ImagePairSettings::bind(config::Fields& fields, const Departures::Known& departures_known) {
  departures.bind(fields, departures_known);
  plane.bind(fields);
  fields.text("data.augment", augment, "how x is moved before its partner is made")
      .one_of({"group", "flip", "none"});
  fields
      .text("data.partner", partner,
            "g of the pairs; generators: a flip or a power of the turn, never both")
      .one_of({"uniform", "others", "generators"});
  network.bind(fields);
  prior.bind(fields);
  train.bind(fields, network);
  train.bind_probes(fields);
}

Experiment make_image_experiment(const RunId& run, const ImagePairSettings& settings,
                                 const LabelledImages& train, const LabelledImages& test,
                                 double mean, double deviation) {
  const Action action = settings.plane.action();
  const Group& group = action.group();
  const ImagePairOptions options{augmentation(group, settings.augment),
                                 partners(group, settings.partner), mean, deviation};
  ImagePairOptions upright = options;
  upright.first = augmentation(group, "none");
  const auto count = static_cast<std::uint32_t>(train.labels.size(0));
  const auto order = RandomStream(RandomKey(run.seed, "split")).permutation(count);
  std::vector<std::int64_t> shuffled(order.begin(), order.end());
  const auto numbers = at::tensor(shuffled, at::kLong);
  const auto held_out = train.labels.size(0) / kHeldOut;
  const auto part = [&](std::int64_t first, std::int64_t last) {
    const at::Tensor which = numbers.slice(0, first, last);
    return LabelledImages{train.images.index_select(0, which), train.labels.index_select(0, which)};
  };
  const LabelledImages validation = part(0, held_out);
  const LabelledImages kept = part(held_out, numbers.numel());
  const auto pairs = [&](const char* name, const LabelledImages& images,
                         const ImagePairOptions& pairing) {
    return make_image_pairs(name, images.images, images.labels, action, pairing);
  };
  constexpr std::int64_t kClasses = 10;
  const nn::Shapes shapes{train.images.sizes().slice(1).vec(), kClasses};
  return assemble({.run = run,
                   .data = {.group = group,
                            .outputs = kClasses,
                            .train = pairs("training images", kept, options),
                            .validation = pairs("validation images", validation, options),
                            .tests = {{"augmented_test", pairs("test images", test, options)}},
                            .input = action,
                            .upright_train = pairs("upright training images", kept, upright),
                            .upright_test = pairs("upright test images", test, upright)},
                   .network = settings.network.make(run.seed, shapes),
                   .shapes = shapes,
                   .task = task_of(settings.network.output(), settings.departures.has("D-8")),
                   .prior = settings.prior,
                   .train = settings.train,
                   .on_x_alone = settings.departures.has("D-5")});
}

}  // namespace algprior
