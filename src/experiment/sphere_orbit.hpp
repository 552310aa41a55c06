#pragma once

#include "algprior/action/action.hpp"
#include "algprior/nn/network.hpp"

#include <filesystem>

namespace algprior {

/// Writes orbit.npz for the figure "orbit": g·x, D(E(g·x)) and D(ρ_Z(g)E(x)) for every g, one
/// channel of a sample x (1×C×grid). A cube map is unfolded to a cross of 3n×4n cells, what is
/// outside of it as dark as the darkest cell.
void write_sphere_orbit(const std::filesystem::path& folder, const Network& network,
                        const Action& input, const Action& latent, const at::Tensor& x,
                        std::int64_t channel);

}  // namespace algprior
