// Single MNIST digits in pairs under a planar group.
#include "../planar_images.hpp"
#include "algprior/data/digits.hpp"
#include "algprior/store/store.hpp"
#include "recipes.hpp"

namespace algprior {
namespace {

struct MnistSettings : ImagePairSettings {
  MnistSettings() : ImagePairSettings({"mlp_autoencoder", "conv_autoencoder", "mlp"}) {}
  void bind(config::Fields& fields) {
    ImagePairSettings::bind(fields, {{"D-5", "task loss on x alone"}});
  }
};

LabelledImages read_mnist(const char* images, const char* labels) {
  const Digits digits = read_digits(store::find("mnist", images), store::find("mnist", labels));
  return {digits.images.unsqueeze(1), digits.labels};
}

Experiment make_mnist(const RunId& run, const MnistSettings& settings) {
  return make_image_experiment(
      run, settings, read_mnist("train-images-idx3-ubyte", "train-labels-idx1-ubyte"),
      read_mnist("t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"), 0.0, 1.0);
}

}  // namespace

Recipe mnist_recipe() {
  return make_recipe("mnist", "single MNIST digits", make_mnist);
}

}  // namespace algprior
