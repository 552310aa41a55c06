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
                 "D-5 (task loss on x alone), D-8 (softmax twice before the cross-entropy)")
          .one_of({"D-2", "D-5", "D-8"})
          .by_default(Texts{}),
  };
}

std::vector<Key> data_keys() {
  return {
      Key::text("data.kind",
                "ddmnist: pairs of MNIST digits; mnist, cifar10: single images; tmnist: digits of "
                "two typefaces; arrays: your own files; none: the null model")
          .one_of({"ddmnist", "mnist", "cifar10", "tmnist", "arrays", "none"})
          .by_default("ddmnist"),
      Key::text("data.group",
                "how the data is symmetric: D4, C4, D1, …; acts on each digit of ddmnist")
          .by_default("D4"),
      Key::text("data.resampling", "for groups whose turns miss the pixel grid (C3, D3, C8, …)")
          .one_of({"none", "bilinear", "nearest"})
          .by_default("none"),
      Key::text("data.digits", "ddmnist: mnist, or digits drawn from the fonts of this machine")
          .one_of({"mnist", "fonts"})
          .by_default("mnist"),
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
      Key::text("data.augment", "mnist, cifar10: how x is moved before its partner is made")
          .one_of({"group", "flip", "none"})
          .by_default("group"),
      Key::text("data.partner",
                "mnist, cifar10: g of the pairs; generators: a flip or a power of the turn")
          .one_of({"uniform", "others", "generators"})
          .by_default("uniform"),
      Key::text("data.csv", "tmnist: TMNIST_Data.csv; empty: the digits are drawn from the fonts")
          .by_default(""),
      Key::text("data.train",
                "arrays: NPZ or safetensors file with inputs (N×C×H×W) and labels (N), or an NPY "
                "file of inputs")
          .by_default(""),
      Key::text("data.validation", "arrays: the same for validation").by_default(""),
      Key::text("data.test", "arrays: the same for the test").by_default(""),
      Key::text("data.train_labels", "arrays: NPY file of labels, where data.train is NPY")
          .by_default(""),
      Key::text("data.validation_labels", "arrays: the same for validation").by_default(""),
      Key::text("data.test_labels", "arrays: the same for the test").by_default(""),
      Key::text("data.inputs", "arrays: name of the inputs in an NPZ or safetensors file")
          .by_default("x"),
      Key::text("data.labels", "arrays: name of the labels there").by_default("y"),
  };
}

std::vector<Key> network_keys() {
  return {
      Key::text("network.kind",
                "ddmnist: thin CNN for 56×56 images; cifar: CNN for 32×32; mlp: any shape; "
                "conv_autoencoder for 28×28; mlp_autoencoder: any shape")
          .one_of({"ddmnist", "cifar", "mlp", "conv_autoencoder", "mlp_autoencoder"})
          .by_default("ddmnist"),
      Key::integer("network.latent", "dim Z").at_least(1).by_default(std::int64_t{66}),
      Key::integers("network.hidden", "mlp, mlp_autoencoder: sizes of the layers before Z")
          .at_least(1)
          .by_default(std::vector<std::int64_t>{256, 128}),
      Key::text("network.activation", "cifar and autoencoders")
          .one_of({"tanh", "relu", "gelu"})
          .by_default("tanh"),
      Key::text("network.place", "conv_autoencoder: which layer is Z")
          .one_of({"middle", "first", "last"})
          .by_default("middle"),
      Key::boolean("network.head_activation", "mlp: tanh between Z and the head").by_default(true),
  };
}

std::vector<Key> prior_keys() {
  return {
      Key::text("prior.representation", "what Z is asked to carry")
          .one_of({"none", "regular", "defining", "trivial", "sign", "learned"})
          .by_default("regular"),
      Key::real("prior.weight", "λ of the equivariance loss").at_least(0).by_default(1.0),
      Key::boolean("prior.relative", "the equivariance loss over the spread of Z; not for learned")
          .by_default(false),
      Key::text("prior.start", "learned: how the free matrices start, N standard normal")
          .one_of({"normal", "uniform", "orthogonal", "identity"})
          .by_default("normal"),
      Key::real("prior.noise", "learned: σ of orthogonal + σN and identity + σN")
          .at_least(0)
          .by_default(1.0),
      Key::real("prior.latent_to_output", "learned: λ_t of task(D(ρ̂(g)E(x)), g·y)")
          .at_least(0)
          .by_default(0.5),
      Key::real("prior.algebra", "learned: λ_a of the algebra loss and its regulariser")
          .at_least(0)
          .by_default(1.0),
      Key::text("prior.regulariser", "learned: what is added to the algebra loss")
          .one_of({"none", "inverse", "damped_commutation"})
          .by_default("none"),
      Key::real("prior.damping", "damped_commutation: the share taken from mixed relators")
          .at_least(0)
          .by_default(0.995),
  };
}

std::vector<Key> train_keys() {
  return {
      Key::text(
          "train.task",
          "pair: ½ task(x) + ½ task(g·x); first: task(x), pairs for the prior; single: task(x), "
          "no pairs")
          .one_of({"pair", "first", "single"})
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
                   "epochs without a better validation number before stopping; 0: never stop")
          .at_least(0)
          .by_default(std::int64_t{20}),
      Key::text("train.watch", "the validation number that decides on the best weights")
          .one_of({"accuracy", "loss"})
          .by_default("accuracy"),
      Key::real("train.min_delta", "what counts as better").at_least(0).by_default(0.0),
      Key::text("train.keep", "the weights that are measured and kept")
          .one_of({"best", "last"})
          .by_default("best"),
      Key::boolean("train.fresh_averages",
                   "take the running averages of batch norms anew before every validation")
          .by_default(false),
      Key::boolean("train.probes", "linear probes on orbits after every epoch").by_default(false),
      Key::integer("train.seeds", "null model: seeds, all in one run")
          .at_least(1)
          .by_default(std::int64_t{200}),
      Key::integer("train.steps", "null model: steps").at_least(1).by_default(std::int64_t{4000}),
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
