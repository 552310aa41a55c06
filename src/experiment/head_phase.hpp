#pragma once

#include "algprior/experiment/experiment.hpp"
#include "shape_settings.hpp"

#include <functional>

namespace algprior {

/// What a classifier on a trained encoder is made of.
struct HeadParts {
  Network autoencoder;                 ///< the first phase's
  std::vector<std::int64_t> features;  ///< the shape of what the head sees, channels first
  /// What the head sees of a latent: N×features×K. May have parameters, which train with it.
  std::function<at::Tensor(const at::Tensor& z)> read = {};
  std::shared_ptr<torch::nn::Module> reader = {};
  std::int64_t classes = 0;
  Dataset train, validation;  ///< every map in order, with its category
  HeadSettings settings;
  std::uint64_t seed = 0;
};

/// The second phase: an orthogonal head on the latents of the first. A frozen encoder sees every
/// map once, and its latents are kept; a finetuned one trains on with the head.
Phase make_head_phase(const HeadParts& parts);

/// x ↦ the logits of a phase's head.
Network classifier_of(const HeadParts& parts, const Phase& phase);

}  // namespace algprior
