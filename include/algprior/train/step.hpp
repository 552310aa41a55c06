#pragma once

#include "algprior/data/dataset.hpp"
#include "algprior/nn/network.hpp"
#include "algprior/prior/fixed_prior.hpp"
#include "algprior/prior/terms.hpp"

#include <functional>
#include <optional>

namespace algprior {

/// One training step of a task: what the network loses on a batch. All that the trainer knows of a
/// task.
using Step = std::function<Terms(const Network& network, const Batch& batch)>;

/// Plain classification: one pass over x, cross-entropy "task" of weight 1.
Step make_classify_step();

/// Weights of the two task terms beside a prior.
struct PairWeights {
  double task = 0.5;
  double task_shifted = 0.5;  ///< 0 leaves the term out
};

/// The published code's departure D-5 from the paper: 1 + 0 instead of ½ + ½.
inline constexpr PairWeights kReferencePairWeights{1.0, 0.0};

/// The paper's step: ½·CE(D(E(x)), y) + ½·CE(D(E(g·x)), g·y) + λ·MSE(E(g·x), ρ_Z(g)E(x)), terms
/// "task", "task_shifted" and the prior's. Needs batches with pairs. The network sees x and g·x as
/// two streams.
Step make_classify_step(FixedPrior prior, PairWeights weights = {});

/// Cross-entropy of logits (N×classes) against int64 labels (N), mean over the batch. Throws
/// InputError when shapes do not fit or a label is no class of the network.
at::Tensor classification_loss(const at::Tensor& logits, const at::Tensor& labels);

}  // namespace algprior
