#pragma once

#include "algprior/data/dataset.hpp"
#include "algprior/nn/network.hpp"
#include "algprior/prior/fixed_prior.hpp"
#include "algprior/prior/learned_prior.hpp"
#include "algprior/prior/terms.hpp"
#include "algprior/train/task.hpp"

#include <cstddef>
#include <functional>
#include <optional>

namespace algprior {

/// One training step of a task: what the network loses on a batch. All that the trainer knows of a
/// task.
using Step = std::function<Terms(const Network& network, const Batch& batch)>;

/// Weights of the two task terms.
struct PairWeights {
  double task = 0.5;
  double task_shifted = 0.5;  ///< 0 leaves the term out
};

/// The published code's departure D-5 from the paper: 1 + 0 instead of ½ + ½.
inline constexpr PairWeights kReferencePairWeights{1.0, 0.0};

/// A network that is fed with what it said: x_{i+1} = advance(x_i, f(x_i)). The targets of its
/// frames stand one after the other in y.
struct Rollout {
  std::int64_t frames = 1;
  std::function<at::Tensor(const at::Tensor& x, const at::Tensor& output)> advance;
  /// The target of frame i within y.
  std::function<at::Tensor(const at::Tensor& y, std::int64_t frame)> target;
};

/// Augmentation in Z with a fixed prior: L_task(D(ρ_Z(g)E(x)), g·y) as the term "latent_task",
/// which needs no second pass through the encoder. With several layers it is taken on the prior's
/// first.
struct LatentAugmentation {
  double weight = 0.0;  ///< λ_l; 0 leaves the term out
  /// The encoder sees g·x in every k-th step only (Batch::number), which has all terms; the steps
  /// between have those of x and of ρ_Z(g)E(x), and cost one pass.
  std::int64_t second_pass_every = 1;
};

struct StepOptions {
  Task task = classify();
  /// Σ_{i ≥ 1} L_task(f(x_i), y_i) as the term "rollout" of weight 1; the gradient flows through
  /// the whole rollout, whose first pass is the one that the other terms have.
  std::optional<Rollout> rollout = {};
  /// Without pairs: one pass over x, L_task of weight 1, and no prior.
  bool pairs = true;
  PairWeights weights = {};
  std::optional<FixedPrior> fixed = {};
  std::optional<LearnedPrior> learned = {};
  std::size_t layer = 0;  ///< the latent layer that a learned ρ̂ acts on
  LatentAugmentation latent = {};
};

/// The paper's step: ½·L_task(D(E(x)), y) + ½·L_task(D(E(g·x)), g·y) and the prior's terms.
///
/// A fixed prior adds λ·MSE(E(g·x), ρ_Z(g)E(x)) for each of its layers; the network sees x and g·x
/// as two streams. A learned one adds "latent_to_output", "equivariance", "algebra" and
/// "regulariser" of L_opt, and needs a network with `decode`; with `encode` too, x and g·x go
/// through the encoder as one batch, and all latents that are needed through the decoder as one
/// batch. Train a network that has ρ̂ among its parameters: with_representation. A network's own
/// terms (Network::terms) come last.
///
/// Throws InputError for two priors at once, or a prior without pairs; the step throws it for
/// batches without pairs where they are needed.
Step make_step(StepOptions options);

}  // namespace algprior
