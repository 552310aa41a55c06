// Arrays of a user's own, in files: images, volumes, signals, anything with a row a sample.
#include "../own_action.hpp"
#include "../planar_images.hpp"
#include "algprior/base/error.hpp"
#include "algprior/data/check.hpp"
#include "algprior/data/tensor_data.hpp"
#include "algprior/kernel/shape_text.hpp"
#include "recipes.hpp"

#include <algorithm>
#include <limits>

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace algprior {
namespace {

struct ArraySettings {
  struct Part {
    std::string file, labels;
  };
  Part train_part, validation_part, test_part;
  std::string inputs = "x", labels = "y";
  std::int64_t classes = 0;
  OwnActionSettings symmetry;
  NetworkSettings network{
      {"mlp", "cnn", "ddmnist", "cifar", "mlp_autoencoder", "conv_autoencoder"}};
  PriorSettings prior;
  TrainSettings train;
  Departures departures;

  void bind(config::Fields& fields) {
    departures.bind(fields, {{"D-5", "task loss on x alone"}});
    fields.path("data.train", train_part.file,
                "NPZ or safetensors file with inputs (N×…) and labels (N), or an NPY file of "
                "inputs; relative to the file in which it stands");
    fields.path("data.validation", validation_part.file, "the same for validation");
    fields.path("data.test", test_part.file, "the same for the test");
    fields.path("data.train_labels", train_part.labels,
                "NPY file of labels, where data.train is NPY");
    fields.path("data.validation_labels", validation_part.labels, "the same for validation");
    fields.path("data.test_labels", test_part.labels, "the same for the test");
    fields.text("data.inputs", inputs, "name of the inputs in an NPZ or safetensors file");
    fields.text("data.labels", labels, "name of the labels there");
    fields
        .integer("data.classes", classes, "number of classes; 0: those that the training data has")
        .at_least(0);
    symmetry.bind(fields);
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

constexpr std::int64_t kAnyClasses = std::numeric_limits<std::int64_t>::max();

std::string place(const std::string& key, const std::string& path, const std::string& array) {
  return fmt::format("{} = {}: {}", key, path, array);
}

// A whole part, refused for what it holds: with its key, which names the split, its file and the
// place in it.
TensorData read_part(const ArraySettings& settings, const ArraySettings::Part& part,
                     const std::string& key) {
  const auto& path = needed(part.file, key, "the path of an NPZ, safetensors or NPY file");
  TensorData data =
      path.ends_with(".npy")
          ? read_tensor_files(path, needed(part.labels, key + "_labels", "the path of an NPY file"))
          : read_tensor_data(path, settings.inputs, settings.labels);
  if (data.x.size(0) == 0) {
    throw InputError({"there are no samples", place(key, path, settings.inputs), "at least one",
                      "save the array again"});
  }
  settings.symmetry.check_shape(data.x.sizes().slice(1), place(key, path, settings.inputs));
  check_finite(data.x, place(key, path, settings.inputs));
  check_labels(data.y, settings.classes > 0 ? settings.classes : kAnyClasses,
               place(key, path, settings.labels));
  return data;
}

// What validation and test have to share with the training data.
void check_against(const TensorData& train, std::int64_t classes, const TensorData& data,
                   const ArraySettings& settings, const std::string& path, const std::string& key) {
  if (data.x.sizes().slice(1) != train.x.sizes().slice(1)) {
    throw InputError({"samples have another shape than those of the training data",
                      fmt::format("{}: {}", place(key, path, settings.inputs), shape_text(data.x)),
                      fmt::format("N x {}", shape_text(train.x.sizes().slice(1))),
                      "cut all parts from one array"});
  }
  try {
    check_labels(data.y, classes, place(key, path, settings.labels));
  } catch (const InputError& error) {
    Failure failure = error.failure();
    failure.expected += ", the classes of the training data";
    failure.next = "correct the labels, or set data.classes if the training data lacks a class";
    throw InputError(std::move(failure));
  }
}

Experiment make_arrays(const RunId& run, const ArraySettings& settings) {
  const Action input = settings.symmetry.action();
  const Action output = trivial_action(input.group());
  const TensorData train = read_part(settings, settings.train_part, "data.train");
  const TensorData validation = read_part(settings, settings.validation_part, "data.validation");
  const TensorData test = read_part(settings, settings.test_part, "data.test");
  const std::int64_t classes =
      settings.classes > 0 ? settings.classes
                           : std::max<std::int64_t>(train.y.max().item<std::int64_t>() + 1, 2);
  check_against(train, classes, validation, settings, settings.validation_part.file,
                "data.validation");
  check_against(train, classes, test, settings, settings.test_part.file, "data.test");
  const nn::Shapes shapes{train.x.sizes().slice(1).vec(), classes};
  const Network network = settings.network.make(run.seed, shapes);
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
       .network = network,
       .shapes = shapes,
       .task = task_of(settings.network.output()),
       .prior = settings.prior,
       .train = settings.train,
       .on_x_alone = settings.departures.has("D-5")});
}

}  // namespace

Recipe arrays_recipe() {
  return make_recipe("arrays",
                     "images, volumes, signals or other arrays of your own, in NPZ, NPY or "
                     "safetensors files",
                     make_arrays);
}

}  // namespace algprior
