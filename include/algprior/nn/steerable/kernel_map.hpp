#pragma once

#include "algprior/nn/steerable/basis.hpp"
#include "algprior/nn/steerable/likelihood.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

namespace algprior::steerable {

/// How parameters become the kernel of a convolution between fields. A system of equivariant or
/// nearly equivariant networks is a choice of this map, nothing else; maps are values and add up.
///
/// Random starts are drawn from LibTorch's CPU generator. The functions that make maps throw
/// InputError for fields that cannot be joined, LimitError for kernels that memory cannot hold.
struct KernelMap {
  std::vector<std::int64_t> shape;  ///< of the kernel: C_out × C_in × k × k (× k)
  std::vector<std::pair<std::string, at::Tensor>> parameters;  ///< names and starting values
  /// What the kernel depends on and somebody else trains: the coefficients of likelihoods.
  std::vector<at::Tensor> shared = {};
  /// The kernel from the values of the parameters, in their order.
  std::function<at::Tensor(const std::vector<at::Tensor>& values)> kernel;
};

/// Where kernels live: from fields to fields, on functions of the kernel's points.
struct KernelSpace {
  Fields in, out;
  SpatialBasis space;

  std::vector<std::int64_t> shape() const;
};

/// Any kernel, pixel by pixel, started as LibTorch's convolutions are. Parameter "weight".
KernelMap free_kernel(const KernelSpace& where);

/// Σ w_b B_b over a basis of the equivariant kernels, w for each pair of fields. A weight starts
/// with the deviation 1/√(T·N): T kinds of irreducible representations reach the output's part, N
/// weights from this one's kind. Parameter "weight".
KernelMap projected(const KernelSpace& where);

/// The sum of two maps; their parameters get the names before them.
KernelMap sum(const std::string& a_name, const KernelMap& a, const std::string& b_name,
              const KernelMap& b);

struct AveragedOptions {
  /// Lists the products of two irreducible parts once for each kind of their constituents, as the
  /// published systems do: redundant weights, the published number of them.
  bool duplicates = true;
  /// Each product scaled to what an element of the equivariant basis has under the uniform λ, and
  /// not by the dimension of the output's part.
  bool normalised = false;
};

/// mean_g λ(g) ρ_out(g) W(g⁻¹x) ρ_in(g)⁻¹ of a free W. Uniform λ: the projection of W on the
/// equivariant kernels; λ = δ_e: W. Parameter "weight"; λ belongs to the caller. The mean is taken
/// for each pair of irreducible parts and each frequency by itself: its cost grows with |G| times
/// the squares of their dimensions, not with the kernel.
KernelMap lambda_averaged(const KernelSpace& where, const Likelihood& likelihood,
                          const AveragedOptions& options = {});

/// Σ w_b(x) B_b(x): the weights of the equivariant basis may differ from point to point.
/// Parameter "weight", fields out × fields in × basis × points.
KernelMap position_relaxed(const KernelSpace& where);

/// Σ_l ω_l(h) (h·ψ_l) as the rows h of a regular output, for `banks` free ψ_l: a group convolution
/// whose sharing is relaxed by ω. Parameters "weight" (ψ) and "mixture" (ω, equal at the start).
/// Throws InputError unless the output is regular fields, channels in the order of the elements.
KernelMap bank_mixed(const KernelSpace& where, std::int64_t banks);

}  // namespace algprior::steerable
