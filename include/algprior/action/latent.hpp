#pragma once

#include "algprior/action/action.hpp"
#include "algprior/rep/representation.hpp"

#include <cstdint>

namespace algprior {

/// Which arithmetic carries ρ_Z(g) z. The results agree exactly on finite input wherever both
/// exist.
enum class LatentPath {
  automatic,  ///< a gather for permutation representations, else dense
  dense,      ///< a matrix product for each sample
};

/// The action of ρ_Z = ρ ⊕ … ⊕ ρ ⊕ 1 ⊕ … ⊕ 1 on latent vectors z (N×dimension): as many copies of ρ
/// as fit, in consecutive blocks, then trivial coordinates, last. Copy b owns the coordinates
/// b·d … b·d+d−1.
///
/// A permutation representation acts by one gather, out[k] = z[g⁻¹k], exactly. Any other real
/// representation acts by its matrices; its tolerance is the rounding of float32 on coordinates of
/// size 1. Throws InputError when ρ is complex or wider than the latent space, naming what fits.
Action latent_action(const Representation& representation, std::int64_t dimension,
                     LatentPath path = LatentPath::automatic);

/// The same ρ_Z on the channels of a latent grid z (N×C×H×W or N×C×D×H×W), position by position.
/// With planar_action on the same tensor (see compose), a grid that carries ρ at every point.
Action channel_action(const Representation& representation, std::int64_t channels,
                      LatentPath path = LatentPath::automatic);

/// A permutation representation on class labels (int64, one or more for each sample): y ↦ π_g(y).
/// Throws InputError unless the representation permutes, and for labels outside 0 … d−1.
Action label_action(const Representation& representation);

}  // namespace algprior
