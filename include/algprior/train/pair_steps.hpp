#pragma once

#include "algprior/nn/pair_maps.hpp"
#include "algprior/train/step.hpp"

namespace algprior {

/// Weights of the published Neural Isometries beside the reconstruction.
struct IsometryWeights {
  double equivariance = 0.5;
  double multiplicity = 0.01;
};

/// The step of Neural Isometries on pairs x, Tx, with a, b the spectra of their latents and τ the
/// rotation between them: task(D(Φτᵀb), x) + task(D(Φτa), Tx), "equivariance" |b − τa| + |a − τᵀb|
/// (means), and "multiplicity" of the eigenvalues. Train a network that has the operator among its
/// parameters: with_isometry. The step throws InputError for batches without pairs, and for a
/// network without `encode` and `decode`.
Step make_isometry_step(const Task& task, const nn::NeuralIsometry& isometry,
                        IsometryWeights weights = {});

/// The step of the Neural Fourier Transform on pairs: each of x and Tx decoded from the other's
/// latent under the map M estimated between them.
Step make_fourier_step(const Task& task, const nn::NeuralFourier& fourier);

/// The auto-encoder with what its latents pass on their way to the decoder: D(ΦΦᵀM E(x)), or
/// through the adapter and back. Its latents are still E(x).
Network with_isometry(const Network& network, const nn::NeuralIsometry& isometry);
Network with_fourier(const Network& network, const nn::NeuralFourier& fourier);

}  // namespace algprior
