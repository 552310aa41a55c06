#include "head_phase.hpp"

#include "algprior/nn/sphere.hpp"
#include "algprior/nn/weights.hpp"
#include "algprior/train/evaluate.hpp"

#include <ATen/ATen.h>
#include <torch/nn/module.h>

namespace algprior {
namespace {

constexpr const char* kHeadPhase = "head";

/// Latents and categories of all samples, in order.
struct LatentSet {
  at::Tensor z, y;
};

LatentSet latents_of_set(const Network& network, const Dataset& data, std::int64_t batch_size,
                         const RandomKey& key) {
  std::vector<at::Tensor> z, y;
  for_each_batch(network, data, key, batch_size, [&](const Batch& batch) {
    z.push_back(network.encode(batch.x).at(0).cpu());
    y.push_back(batch.y.cpu());
  });
  return {at::cat(z), at::cat(y)};
}

Dataset latent_dataset(std::string name, const LatentSet& set) {
  return make_dataset(std::move(name), set.z.size(0),
                      [set](const at::Tensor& indices, const RandomKey&) {
                        Batch batch;
                        batch.x = set.z.index_select(0, indices);
                        batch.y = set.y.index_select(0, indices);
                        return batch;
                      });
}

// Modules that train together, each under its name.
class Joined : public torch::nn::Module {
 public:
  void add(const std::string& name, const std::shared_ptr<torch::nn::Module>& module) {
    if (module) register_module(name, module);
  }
};

}  // namespace

Phase make_head_phase(const HeadParts& parts) {
  nn::OrthogonalHeadOptions options;
  options.features = parts.features.at(0);
  options.width = parts.settings.width;
  options.gram = parts.settings.gram;
  options.hidden = parts.settings.hidden;
  options.classes = parts.classes;
  options.unit = parts.settings.unit;
  const Network head = nn::make_orthogonal_head(parts.seed, options);
  const auto joined = std::make_shared<Joined>();
  joined->add("head", head.module);
  if (parts.settings.finetune) {
    joined->add("autoencoder", parts.autoencoder.module);  // the reader is a part of it
  } else {
    joined->add("reader", parts.reader);
  }
  const bool finetune = parts.settings.finetune;
  Phase phase;
  phase.name = kHeadPhase;
  phase.network =
      make_network({.module = joined, .forward = [parts, head, finetune](const at::Tensor& x) {
                      auto z = finetune ? parts.autoencoder.encode(x).at(0) : x;
                      if (parts.read) z = parts.read(z);
                      // What reads without training on gets no gradients.
                      return head.forward(finetune || parts.reader ? z : z.detach());
                    }});
  phase.begin = [parts] {
    set_weights(*parts.autoencoder.module, weights_of(*parts.trained.module));
    const RandomKey key(parts.seed, "head validation");
    const TrainSettings settings = parts.settings.train();
    Training training;
    Dataset validation = parts.validation;
    training.data = parts.train;
    if (!parts.settings.finetune) {
      const auto latents = [&](const char* name, const Dataset& data) {
        return latent_dataset(name, latents_of_set(parts.trained, data, settings.batch_size, key));
      };
      training.data = latents("training latents", parts.train);
      validation = latents("validation latents", parts.validation);
    }
    StepOptions step;
    step.task = classify();
    step.pairs = false;
    training.step = make_step(std::move(step));
    training.options = settings.options(parts.seed, training.data.size);
    training.validate = [validation, key, batch_size = settings.batch_size](const Network& trained,
                                                                            std::int64_t) {
      const auto values = evaluate(classify(), trained, validation, key, batch_size);
      return Metrics{{std::string(metrics::kAccuracy.name), values.at(0)}};
    };
    training.keep_best = settings.keep_best;
    return training;
  };
  return phase;
}

Network classifier_of(const HeadParts& parts, const Phase& phase) {
  return make_network({.module = phase.network.module,
                       .forward = [parts, network = phase.network](const at::Tensor& x) {
                         if (parts.settings.finetune) return network.forward(x);
                         return network.forward(parts.trained.encode(x).at(0));
                       }});
}

}  // namespace algprior
