#include "algprior/experiment/schema.hpp"

#include <limits>
#include <string>
#include <vector>

namespace algprior {
namespace {

using config::Key;
using Texts = std::vector<std::string>;

std::vector<Key> experiment_keys() {
  return {
      Key::text("experiment.family", "first part of the run folder's name").by_default("own"),
      Key::text("experiment.variant", "second part of the run folder's name").by_default("data"),
      Key::text("experiment.row", "the row of a table that this run fills").by_default("regular"),
      Key::integer("experiment.seed", "one seed, one result")
          .at_least(0)
          .by_default(std::int64_t{0}),
      Key::texts("experiment.reference",
                 "departures of the published code to switch on: D-2 (no rotation back), "
                 "D-5 (task loss on x alone)")
          .one_of({"D-2", "D-5"})
          .by_default(Texts{}),
  };
}

std::vector<Key> data_keys() {
  return {
      Key::text("data.kind", "ddmnist: pairs of MNIST digits; arrays: your own files")
          .one_of({"ddmnist", "arrays"})
          .by_default("ddmnist"),
      Key::text("data.group",
                "how the data is symmetric: D4, C4, D1, …; acts on each digit of ddmnist")
          .by_default("D4"),
      Key::text("data.resampling", "for groups whose turns miss the pixel grid (C3, D3, C8, …)")
          .one_of({"none", "bilinear", "nearest"})
          .by_default("none"),
      Key::integer("data.train_per_class", "ddmnist: training pairs a class")
          .at_least(1)
          .by_default(std::int64_t{100}),
      Key::integer("data.validation_per_class", "ddmnist: validation pairs a class")
          .at_least(1)
          .by_default(std::int64_t{20}),
      Key::integer("data.test_per_class", "ddmnist: test pairs a class")
          .at_least(1)
          .by_default(std::int64_t{50}),
      Key::boolean("data.artefacts", "ddmnist: rotate by a random angle and back with each element")
          .by_default(true),
      Key::text("data.train", "arrays: NPZ or safetensors file with x (N×C×H×W) and y (N)")
          .by_default(""),
      Key::text("data.validation", "arrays: the same for validation").by_default(""),
      Key::text("data.test", "arrays: the same for the test").by_default(""),
  };
}

std::vector<Key> network_keys() {
  return {
      Key::text("network.kind", "ddmnist: thin CNN for 56×56 images; mlp: any shape")
          .one_of({"ddmnist", "mlp"})
          .by_default("ddmnist"),
      Key::integer("network.latent", "dim Z").at_least(1).by_default(std::int64_t{66}),
      Key::integers("network.hidden", "mlp: sizes of the layers before Z")
          .at_least(1)
          .by_default(std::vector<std::int64_t>{256, 128}),
  };
}

std::vector<Key> prior_keys() {
  return {
      Key::text("prior.representation", "what Z is asked to carry")
          .one_of({"none", "regular", "defining", "trivial", "sign"})
          .by_default("regular"),
      Key::real("prior.weight", "λ of the equivariance loss").at_least(0).by_default(1.0),
  };
}

std::vector<Key> train_keys() {
  return {
      Key::text("train.task", "pair: ½ task(x) + ½ task(g·x); single: task(x)")
          .one_of({"pair", "single"})
          .by_default("pair"),
      Key::text("train.optimizer", "").one_of({"adam", "adamw"}).by_default("adam"),
      Key::real("train.learning_rate", "").above(0).by_default(5e-4),
      Key::real("train.weight_decay", "").at_least(0).by_default(0.0),
      Key::text("train.schedule", "how the learning rate changes from epoch to epoch")
          .one_of({"constant", "step", "cosine"})
          .by_default("constant"),
      Key::integer("train.schedule_step", "step: epochs between two decays")
          .at_least(1)
          .by_default(std::int64_t{1}),
      Key::real("train.schedule_factor", "step: factor of each decay").above(0).by_default(0.95),
      Key::integer("train.warmup", "epochs of linear warm-up")
          .at_least(0)
          .by_default(std::int64_t{0}),
      Key::integer("train.batch_size", "").at_least(1).by_default(std::int64_t{256}),
      Key::integer("train.epochs", "at most so many").at_least(1).by_default(std::int64_t{150}),
      Key::integer("train.patience",
                   "epochs without a better validation accuracy before stopping; 0: never stop")
          .at_least(0)
          .by_default(std::int64_t{20}),
  };
}

}  // namespace

const config::Schema& experiment_schema() {
  static const config::Schema schema = [] {
    std::vector<Key> keys;
    for (auto part : {experiment_keys(), data_keys(), network_keys(), prior_keys(), train_keys()}) {
      keys.insert(keys.end(), part.begin(), part.end());
    }
    return config::Schema(std::move(keys));
  }();
  return schema;
}

}  // namespace algprior
