#pragma once

#include "algprior/experiment/experiment.hpp"
#include "shape_settings.hpp"

#include <functional>

namespace algprior {

/// What a classifier on a trained encoder is made of.
struct HeadParts {
  Network trained;      ///< the first phase's, which stays as it left it
  Network autoencoder;  ///< the same again, for what trains on with the head: starts as `trained`
  std::vector<std::int64_t> features;  ///< the shape of what the head sees, channels first
  /// What the head sees of a latent: N×features×K. It trains on with the head where it is a part of
  /// `autoencoder` and this is finetuned, and where it has a `reader`, its own module there.
  std::function<at::Tensor(const at::Tensor& z)> read = {};
  std::shared_ptr<torch::nn::Module> reader = {};
  std::int64_t classes = 0;
  Dataset train, validation;  ///< every map in order, with its category
  HeadSettings settings;
  std::uint64_t seed = 0;
};

/// The second phase: an orthogonal head on the latents of the first. A frozen encoder sees every
/// map once, and its latents are kept; a finetuned one, a copy, trains on with the head. What is
/// measured of the first phase's network afterwards is of that phase.
Phase make_head_phase(const HeadParts& parts);

/// x ↦ the logits of a phase's head.
Network classifier_of(const HeadParts& parts, const Phase& phase);

}  // namespace algprior
