#include "algprior/action/action.hpp"
#include "algprior/action/planar.hpp"
#include "algprior/base/choice.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/random.hpp"
#include "algprior/data/ddmnist.hpp"
#include "algprior/data/digits.hpp"
#include "algprior/data/font_digits.hpp"
#include "algprior/data/tensor_data.hpp"
#include "algprior/experiment/experiment.hpp"
#include "algprior/experiment/fonts.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/group/product.hpp"
#include "algprior/store/store.hpp"
#include "sources.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/types.h>

namespace algprior {
namespace {

using config::Config;

TurnMode turn_mode(const Config& config) {
  if (has_departure(config, "D-2")) return TurnMode::there_only;
  return config.get<bool>("data.artefacts") ? TurnMode::there_and_back : TurnMode::direct;
}

struct DigitSplits {
  Digits train;
  Digits held_out;
};

DigitSplits make_digit_splits(const Config& config) {
  if (config.get<std::string>("data.digits") == "mnist") {
    return {read_digits(store::find("mnist", "train-images-idx3-ubyte"),
                        store::find("mnist", "train-labels-idx1-ubyte")),
            read_digits(store::find("mnist", "t10k-images-idx3-ubyte"),
                        store::find("mnist", "t10k-labels-idx1-ubyte"))};
  }
  // As many as there are in MNIST would be seconds; these are drawn in a tenth of one.
  constexpr std::int64_t kTrainPerDigit = 400, kHeldOutPerDigit = 100;
  const std::vector<io::Font> fonts = find_digit_fonts();
  return {draw_digits(fonts, kTrainPerDigit, RandomKey(0, "font digits, train")),
          draw_digits(fonts, kHeldOutPerDigit, RandomKey(0, "font digits, held out"))};
}

ExperimentData make_ddmnist_data(const Config& config) {
  const auto [train, held_out] = make_digit_splits(config);
  const Group group = make_group(config.get<std::string>("data.group"));
  const DdmnistSplits splits =
      make_ddmnist_splits(train, held_out, group,
                          static_cast<std::uint64_t>(config.get<std::int64_t>("experiment.seed")),
                          config.get<std::string>("train.task") != "single", turn_mode(config),
                          {config.get<std::int64_t>("data.train_per_class"),
                           config.get<std::int64_t>("data.validation_per_class"),
                           config.get<std::int64_t>("data.test_per_class")});
  return {
      .group = direct_product(group, group),
      .classes = 100,
      .train = splits.train,
      .validation = splits.validation,
      .tests = {{"augmented_test_accuracy", splits.augmented_test}, {"test_accuracy", splits.test}},
      .input = {},
      .upright_train = {},
      .upright_test = {}};
}

const std::string& path_of(const Config& config, const std::string& key, const char* expected) {
  const auto& path = config.get<std::string>(key);
  if (!path.empty()) return path;
  throw InputError({"an experiment on your own arrays needs a file", key, expected,
                    "set it in the configuration, or with --set " + key + "=FILE"});
}

std::string shape_text(const at::Tensor& tensor) {
  return fmt::format("{}", fmt::join(tensor.sizes(), " x "));
}

TensorData read_part(const Config& config, const std::string& key) {
  const auto& path = path_of(config, key, "the path of an NPZ, safetensors or NPY file");
  TensorData part =
      path.ends_with(".npy")
          ? read_tensor_files(path, path_of(config, key + "_labels", "the path of an NPY file"))
          : read_tensor_data(path, config.get<std::string>("data.inputs"),
                             config.get<std::string>("data.labels"));
  if (part.x.dim() != 4 || part.x.size(0) == 0) {
    throw InputError({"the inputs are no images", fmt::format("{}: {}", path, shape_text(part.x)),
                      "N x C x H x W, at least one image", "reshape the array"});
  }
  if (part.y.dim() != 1 || part.y.scalar_type() != torch::kInt64 ||
      part.y.min().item<std::int64_t>() < 0) {
    throw InputError(
        {"the labels are no classes",
         fmt::format("{}: {} of {}", path, shape_text(part.y), at::toString(part.y.scalar_type())),
         "N integers, 0 for the first class", "number the classes from 0"});
  }
  return part;
}

ExperimentData make_array_data(const Config& config) {
  const Group group = make_group(config.get<std::string>("data.group"));
  const Action input =
      planar_action(group, to_resampling(config.get<std::string>("data.resampling")));
  const Action output = trivial_action(group);
  const TensorData train = read_part(config, "data.train");
  const TensorData validation = read_part(config, "data.validation");
  const TensorData test = read_part(config, "data.test");
  const std::int64_t classes =
      std::max({train.y.max().item<std::int64_t>(), validation.y.max().item<std::int64_t>(),
                test.y.max().item<std::int64_t>()}) +
      1;
  return {
      .group = group,
      .classes = classes,
      .train = make_tensor_dataset("train", train, input, output, true),
      .validation = make_tensor_dataset("validation", validation, input, output, true),
      .tests = {{"augmented_test_accuracy",
                 make_tensor_dataset("augmented test", test, input, output, true)},
                {"test_accuracy", make_tensor_dataset("test", test)}},
      .input = input,
      .upright_train = make_tensor_dataset("train", train),
      .upright_test = make_tensor_dataset("test", test),
  };
}

}  // namespace

bool has_departure(const Config& config, const std::string& name) {
  const auto& reference = config.get<std::vector<std::string>>("experiment.reference");
  return std::find(reference.begin(), reference.end(), name) != reference.end();
}

Resampling to_resampling(const std::string& word) {
  constexpr Choices<Resampling, 3> kWays = {{"none", Resampling::none},
                                            {"bilinear", Resampling::bilinear},
                                            {"nearest", Resampling::nearest}};
  return parse_choice(kWays, word, "there is no resampling of this name");
}

RandomKey key_of(const Config& config, const char* purpose) {
  return RandomKey(static_cast<std::uint64_t>(config.get<std::int64_t>("experiment.seed")),
                   purpose);
}

ExperimentData make_experiment_data(const Config& config) {
  const auto& kind = config.get<std::string>("data.kind");
  if (kind == "ddmnist") return make_ddmnist_data(config);
  if (kind == "mnist") return make_mnist_data(config);
  if (kind == "cifar10") return make_cifar_data(config);
  if (kind == "tmnist") return make_tmnist_data(config);
  if (kind == "arrays") return make_array_data(config);
  throw InputError({"this experiment has no data to train on", "data.kind = \"none\"", "a data set",
                    "set data.kind, or run it with algprior paper run null"});
}

}  // namespace algprior
