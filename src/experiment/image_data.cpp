#include "algprior/action/planar.hpp"
#include "algprior/base/error.hpp"
#include "algprior/data/arrays.hpp"
#include "algprior/data/digits.hpp"
#include "algprior/data/image_pairs.hpp"
#include "algprior/data/planar_transform.hpp"
#include "algprior/data/typefaces.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/io/idx.hpp"
#include "algprior/store/store.hpp"
#include "sources.hpp"

#include <algorithm>

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace algprior {
namespace {

using config::Config;

// One in ten training images is held out for validation.
constexpr std::int64_t kHeldOut = 10;

constexpr std::int64_t kTypefaceTrain = 8000;
constexpr std::int64_t kTypefaceValidation = 2000;
constexpr std::int64_t kTypefaceTest = 10000;

struct LabelledTensors {
  at::Tensor images;  // uint8, N×C×H×W
  at::Tensor labels;  // int64, N
};

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

ExperimentData to_pairs(const Config& config, const LabelledTensors& train,
                        const LabelledTensors& test, double mean, double deviation) {
  const Group group = make_group(config.get<std::string>("data.group"));
  const Action action =
      planar_action(group, to_resampling(config.get<std::string>("data.resampling")));
  const ImagePairOptions options{augmentation(group, config.get<std::string>("data.augment")),
                                 partners(group, config.get<std::string>("data.partner")), mean,
                                 deviation};
  ImagePairOptions upright = options;
  upright.first = augmentation(group, "none");
  const auto count = static_cast<std::uint32_t>(train.labels.size(0));
  const auto order = RandomStream(key_of(config, "split")).permutation(count);
  std::vector<std::int64_t> shuffled(order.begin(), order.end());
  const auto numbers = at::tensor(shuffled, at::kLong);
  const auto held_out = train.labels.size(0) / kHeldOut;
  const auto part = [&](std::int64_t first, std::int64_t last) {
    const at::Tensor which = numbers.slice(0, first, last);
    return LabelledTensors{train.images.index_select(0, which),
                           train.labels.index_select(0, which)};
  };
  const LabelledTensors validation = part(0, held_out);
  const LabelledTensors kept = part(held_out, numbers.numel());
  const auto pairs = [&](const char* name, const LabelledTensors& images,
                         const ImagePairOptions& pairing) {
    return make_image_pairs(name, images.images, images.labels, action, pairing);
  };
  return {.group = group,
          .classes = 10,
          .train = pairs("training images", kept, options),
          .validation = pairs("validation images", validation, options),
          .tests = {{"augmented_test_accuracy", pairs("test images", test, options)}},
          .input = action,
          .upright_train = pairs("upright training images", kept, upright),
          .upright_test = pairs("upright test images", test, upright)};
}

LabelledTensors read_mnist(const char* images, const char* labels) {
  const Digits digits = read_digits(store::find("mnist", images), store::find("mnist", labels));
  return {digits.images.unsqueeze(1), digits.labels};
}

LabelledTensors to_tensors(const io::LabelledImages& part) {
  return {to_tensor(part.images), to_tensor(part.labels).to(at::kLong)};
}

// The training files that are there: all five, or as many as a user has.
LabelledTensors read_cifar_training() {
  const store::Store store = store::default_store();
  const store::DataSet& set = store::set_named(store.sets, "cifar10");
  std::vector<at::Tensor> images, labels;
  for (const store::DataFile& file : set.files) {
    const auto path = store::find_if_present(store, set, file);
    if (!path || path->filename().string().find("data_batch") != 0) continue;
    const LabelledTensors part = to_tensors(io::read_cifar10(*path));
    images.push_back(part.images);
    labels.push_back(part.labels);
  }
  if (images.empty()) static_cast<void>(store::find(store, "cifar10", "data_batch_1.bin"));
  return {at::cat(images), at::cat(labels)};
}

}  // namespace

ExperimentData make_mnist_data(const Config& config) {
  return to_pairs(config, read_mnist("train-images-idx3-ubyte", "train-labels-idx1-ubyte"),
                  read_mnist("t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"), 0.0, 1.0);
}

ExperimentData make_cifar_data(const Config& config) {
  const auto test = io::read_cifar10(store::find("cifar10", "test_batch.bin"));
  return to_pairs(config, read_cifar_training(), to_tensors(test), 0.5, 0.5);
}

ExperimentData make_tmnist_data(const Config& config) {
  const auto& csv = config.get<std::string>("data.csv");
  const TypefaceDigits digits =
      csv.empty()
          ? render_typeface_digits(store::find("tmnist_fonts", "IBMPlexSans-MediumItalic.ttf"),
                                   store::find("tmnist_fonts", "Bahianita-Regular.ttf"))
          : read_typeface_digits(csv, "IBMPlexSans-MediumItalic", "Bahianita-Regular");
  return {.group = make_group("C2"),
          .classes = 10,
          .train = make_typeface_pairs("training digits", digits, kTypefaceTrain),
          .validation = make_typeface_pairs("validation digits", digits, kTypefaceValidation),
          .tests = {{"", make_typeface_pairs("test digits", digits, kTypefaceTest)}},
          .input = {},
          .upright_train = {},
          .upright_test = {}};
}

}  // namespace algprior
