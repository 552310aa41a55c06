#pragma once

#include "algprior/prior/learned_prior.hpp"
#include "algprior/train/step.hpp"

#include <cstddef>

namespace algprior {

/// L_task of a step with a learned representation.
enum class LearnedTask {
  autoencode,  ///< MSE against x, and against g·x for what was moved; y is not used
  classify,    ///< cross-entropy against y and g·y
  /// The published CIFAR code: softmax twice before the cross-entropy, which then stays between
  /// 2.17 and 2.32 for ten classes and hardly has a gradient.
  classify_softmax_twice,
};

struct LearnedStepOptions {
  LearnedTask task = LearnedTask::autoencode;
  /// Of L_task on x and on g·x: the paper's 1 and 0; the published code has ½ and ½.
  PairWeights weights{1.0, 0.0};
  std::size_t layer = 0;  ///< the latent layer that ρ̂ acts on
};

/// The step of L_opt: terms "task", "task_shifted" (unless its weight is 0), "latent_to_output",
/// "equivariance", "algebra", "regulariser". Needs batches with pairs and a network with `decode`.
/// With `encode` too, x and g·x go through the encoder as one batch, and all latents that are
/// needed through the decoder as one batch; else the network is called stream by stream. Train a
/// network that has ρ̂ among its parameters: with_representation.
Step make_learned_step(LearnedPrior prior, LearnedStepOptions options = {});

/// Cross-entropy of softmax(softmax(logits)).
at::Tensor softmax_twice_loss(const at::Tensor& logits, const at::Tensor& labels);

}  // namespace algprior
