#pragma once

#include "algprior/experiment/assemble.hpp"
#include "algprior/experiment/run.hpp"
#include "algprior/prior/learned_prior.hpp"

#include <functional>
#include <memory>
#include <optional>

namespace algprior {

/// The parts of an experiment as its functions share them.
struct Assembled {
  Parts parts;
  std::vector<LatentTarget> latents;  ///< ρ_Z of the row; empty when it has none, or learns it
  std::optional<Action> regular;      ///< on layer 0, where it fits
  std::optional<LearnedPrior> learned;
  Step step;

  RandomKey key(const char* purpose) const { return RandomKey(parts.run.seed, purpose); }
  /// What the output of x is compared with: the first frame of a rollout's.
  at::Tensor target(const Batch& batch) const {
    const at::Tensor& whole = parts.task.target(batch);
    return parts.rollout ? parts.rollout->target(whole, 0) : whole;
  }
};
using Shared = std::shared_ptr<const Assembled>;

/// What the network makes of a data set in evaluation mode: the task's metrics, and the latents of
/// x, and of g·x where its samples have partners and they are asked for.
struct EncodedSet {
  std::vector<double> metrics;
  double task_loss = 0;
  std::vector<at::Tensor> z, zg;  ///< one for each latent layer, on the CPU
  at::Tensor g;
};
EncodedSet encode_set(const Assembled& all, const Dataset& data, const RandomKey& key,
                      bool partners);

/// The room that equivariance to each of these leaves; what would take long to compute is left out.
std::vector<LayerRoom> layer_rooms(const Network& network,
                                   const std::vector<LatentTarget>& latents);

/// The mean of each term of the step over a data set and their weighted sum as "loss".
Metrics validation_losses(const Assembled& all, const Dataset& data, const RandomKey& key);

/// Looks at a few samples of every data set as training and measuring will: they are finite, the
/// network takes them, the task takes what it makes of them. Throws InputError naming the set.
void check_data(const Assembled& all);

/// After an epoch, on the validation set.
Metrics validate(const Assembled& all, std::int64_t epoch);

/// At the end: the task on every test set, equivariance errors, the spread of Z. What figures read
/// (element_error.csv, orbit.npz) goes into the folder unless it is empty.
Metrics measure_network(const Assembled& all, const std::filesystem::path& folder);

/// element_error.csv: the equivariance error of each element to the row's ρ_Z, without one to the
/// regular representation where it fits, else to the identity.
void write_element_errors(const Assembled& all, const at::Tensor& z, const at::Tensor& zg,
                          const at::Tensor& g, const std::filesystem::path& folder);

/// orbit.npz: one test sample moved by every g, D(E(g·x)) and D(ρ(g)E(x)); only where the network
/// decodes to images.
void write_orbit(const Assembled& all, const std::filesystem::path& folder);

/// For TensorBoard, at the ends of the epochs 0, 1, 2, 4, 8, …: histograms of the weights, and the
/// orbit as a picture.
std::function<void(std::int64_t step)> observe_weights(const Shared& all,
                                                       std::int64_t steps_per_epoch,
                                                       const std::filesystem::path& folder);

/// What ρ̂ became: the report's numbers. The report (representation.json), ρ̂
/// (representation.safetensors) and Theorem 1 sample by sample (theorem.csv) go into the folder
/// unless it is empty.
Metrics measure_representation(const Assembled& all, const std::filesystem::path& folder);

/// Linear probes on orbits z_g = E(g·x) of upright test images, the global one trained on orbits of
/// upright training images.
Metrics measure_probes(const Assembled& all);

/// The latents of x alone.
at::Tensor encode(const Network& network, const at::Tensor& x);

}  // namespace algprior
