// Images of a user's own, in files.
#include "../planar_images.hpp"
#include "algprior/base/error.hpp"
#include "algprior/data/tensor_data.hpp"
#include "recipes.hpp"

#include <algorithm>

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace algprior {
namespace {

struct ArraySettings {
  struct Part {
    std::string file, labels;
  };
  Part train_part, validation_part, test_part;
  std::string inputs = "x", labels = "y";
  PlanarSettings plane;
  NetworkSettings network{{"mlp", "ddmnist", "cifar", "mlp_autoencoder", "conv_autoencoder"}};
  PriorSettings prior;
  TrainSettings train;
  Departures departures;

  void bind(config::Fields& fields) {
    departures.bind(fields, {{"D-5", "task loss on x alone"}});
    fields.text("data.train", train_part.file,
                "NPZ or safetensors file with inputs (N×C×H×W) and labels (N), or an NPY file of "
                "inputs");
    fields.text("data.validation", validation_part.file, "the same for validation");
    fields.text("data.test", test_part.file, "the same for the test");
    fields.text("data.train_labels", train_part.labels,
                "NPY file of labels, where data.train is NPY");
    fields.text("data.validation_labels", validation_part.labels, "the same for validation");
    fields.text("data.test_labels", test_part.labels, "the same for the test");
    fields.text("data.inputs", inputs, "name of the inputs in an NPZ or safetensors file");
    fields.text("data.labels", labels, "name of the labels there");
    plane.bind(fields);
    network.bind(fields);
    prior.bind(fields);
    train.bind(fields, network);
    train.bind_probes(fields);
  }
};

const std::string& needed(const std::string& path, const std::string& key, const char* expected) {
  if (!path.empty()) return path;
  throw InputError({"an experiment on your own arrays needs a file", key, expected,
                    "set it in the configuration: " + key + " = FILE"});
}

std::string shape_text(const at::Tensor& tensor) {
  return fmt::format("{}", fmt::join(tensor.sizes(), " x "));
}

TensorData read_part(const ArraySettings& settings, const ArraySettings::Part& part,
                     const std::string& key) {
  const auto& path = needed(part.file, key, "the path of an NPZ, safetensors or NPY file");
  TensorData data =
      path.ends_with(".npy")
          ? read_tensor_files(path, needed(part.labels, key + "_labels", "the path of an NPY file"))
          : read_tensor_data(path, settings.inputs, settings.labels);
  if (data.x.dim() != 4 || data.x.size(0) == 0) {
    throw InputError({"the inputs are no images", fmt::format("{}: {}", path, shape_text(data.x)),
                      "N x C x H x W, at least one image", "reshape the array"});
  }
  if (data.y.dim() != 1 || data.y.scalar_type() != at::kLong ||
      data.y.min().item<std::int64_t>() < 0) {
    throw InputError(
        {"the labels are no classes",
         fmt::format("{}: {} of {}", path, shape_text(data.y), at::toString(data.y.scalar_type())),
         "N integers, 0 for the first class", "number the classes from 0"});
  }
  return data;
}

Experiment make_arrays(const RunId& run, const ArraySettings& settings) {
  const Action input = settings.plane.action();
  const Action output = trivial_action(input.group());
  const TensorData train = read_part(settings, settings.train_part, "data.train");
  const TensorData validation = read_part(settings, settings.validation_part, "data.validation");
  const TensorData test = read_part(settings, settings.test_part, "data.test");
  const std::int64_t classes =
      std::max({train.y.max().item<std::int64_t>(), validation.y.max().item<std::int64_t>(),
                test.y.max().item<std::int64_t>()}) +
      1;
  return assemble(
      {.run = run,
       .data = {.group = input.group(),
                .outputs = classes,
                .train = make_tensor_dataset("train", train, input, output, true),
                .validation = make_tensor_dataset("validation", validation, input, output, true),
                .tests = {{"augmented_test",
                           make_tensor_dataset("augmented test", test, input, output, true)},
                          {"test", make_tensor_dataset("test", test)}},
                .input = input,
                .upright_train = make_tensor_dataset("train", train),
                .upright_test = make_tensor_dataset("test", test)},
       .network = settings.network.make(run.seed, {train.x.sizes().slice(1).vec(), classes}),
       .task = task_of(settings.network.output()),
       .prior = settings.prior,
       .train = settings.train,
       .on_x_alone = settings.departures.has("D-5")});
}

}  // namespace

Recipe arrays_recipe() {
  return make_recipe("arrays", "images of your own, in NPZ, NPY or safetensors files", make_arrays);
}

}  // namespace algprior
