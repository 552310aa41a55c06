// CIFAR-10 in pairs under a planar group: the learned representation of C4, and the persistence
// study, which has no prior and probes.
#include "../planar_images.hpp"
#include "algprior/io/idx.hpp"
#include "algprior/nn/arrays.hpp"
#include "algprior/store/store.hpp"
#include "recipes.hpp"

#include <ATen/ATen.h>

namespace algprior {
namespace {

struct CifarRecipeSettings : ImagePairSettings {
  CifarRecipeSettings() : ImagePairSettings({"cifar", "mlp"}) {}
  void bind(config::Fields& fields) {
    ImagePairSettings::bind(fields, {{"D-5", "task loss on x alone"},
                                     {"D-8", "softmax twice before the cross-entropy"}});
  }
};

LabelledImages to_tensors(const io::LabelledImages& part) {
  return {to_tensor(part.images), to_tensor(part.labels).to(at::kLong)};
}

// The training files that are there: all five, or as many as a user has.
LabelledImages read_cifar_training() {
  const store::Store store = store::default_store();
  const store::DataSet& set = store::set_named(store.sets, "cifar10");
  std::vector<at::Tensor> images, labels;
  for (const store::DataFile& file : set.files) {
    const auto path = store::find_if_present(store, set, file);
    if (!path || path->filename().string().find("data_batch") != 0) continue;
    const LabelledImages part = to_tensors(io::read_cifar10(*path));
    images.push_back(part.images);
    labels.push_back(part.labels);
  }
  if (images.empty()) static_cast<void>(store::find(store, "cifar10", "data_batch_1.bin"));
  return {at::cat(images), at::cat(labels)};
}

Experiment make_cifar(const RunId& run, const CifarRecipeSettings& settings) {
  const auto test = io::read_cifar10(store::find("cifar10", "test_batch.bin"));
  return make_image_experiment(run, settings, read_cifar_training(), to_tensors(test), 0.5, 0.5);
}

}  // namespace

Recipe cifar_recipe() {
  return make_recipe("cifar10", "CIFAR-10 images", make_cifar);
}

}  // namespace algprior
