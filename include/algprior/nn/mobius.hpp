#pragma once

#include "algprior/nn/network.hpp"

#include <cstdint>

#include <torch/nn/cloneable.h>
#include <torch/nn/pimpl.h>

// Möbius convolution: a layer on functions on the sphere that commutes with all its conformal maps.
// Points have the coordinate z = tan(φ/2)e^{−iθ}. At a point y with rotation r_y, r_y(0) = y, the
// 2-jet d₁, d₂ of a function ψ∘r_y (Wirtinger derivatives at 0) fixes one Möbius map N_y(w) =
// a₂w/(1 + a_n w) after which the jet is (c₁, c₂); r_y N_y is a frame that moves with ψ. The layer
// is
//   (ψ*f)(x) = Re Σ W_uv ∫ |d₁(y)|² f_uv(N_y⁻¹ r_y⁻¹ x) dA(y),  f_uv(z) = (−1)^v |z|^{−t+iu} e^{iv
//   arg z},
// u, v in {−1, 0, 1}, t = 0.15, and |d₁|² dA is invariant.

namespace algprior::nn {

/// Functions on the sphere at quadrature points, with their jets: all vectors of N, complex double
/// but for `area`.
struct MobiusSamples {
  at::Tensor points;         ///< z of each point
  at::Tensor area;           ///< dA, double
  at::Tensor first, second;  ///< d₁, d₂
};

/// ∫ |d₁|² f_uv(N_y⁻¹ r_y⁻¹ x) dA for the nine filters, u slowest, at the points x (complex
/// double): X×9. By the sum itself, without clamps; for tests and small grids.
at::Tensor mobius_direct(const MobiusSamples& function, const at::Tensor& x, const at::Tensor& c1,
                         const at::Tensor& c2);

struct MobiusConvOptions {
  std::int64_t in = 1, out = 1;
  std::int64_t bandwidth = 8;  ///< B: grids of 2B×2B parallels, half offset; degrees below B
  std::int64_t nodes = 30;     ///< of the expansion of a filter in powers of |z|
};

/// The layer on N×in×2B×2B. Filters are expanded in |x|^{σ+is}e^{im arg x}, |m| ≤ 2, by which the
/// integral becomes six spherical correlations, computed degree by degree. Where ψ is nearly
/// constant, and where frames grow or shrink beyond e³, they are clamped. 9·in·out + 4·in
/// parameters: a real weight and four complex ones a pair of channels, f_uv and f_−u,−v sharing
/// one; ln c₁ and c₂ for each input.
class MobiusConvImpl : public torch::nn::Module {
 public:
  explicit MobiusConvImpl(const MobiusConvOptions& options);
  at::Tensor forward(const at::Tensor& x);

  /// d₁ and d₂ on the grid, complex N×C×2B×2B.
  std::pair<at::Tensor, at::Tensor> jets(const at::Tensor& x) const;
  /// ∫|d₁|² dA = Σ l(l+1)|c_lm|² of each channel, N×C.
  at::Tensor energy(const at::Tensor& x) const;

  at::Tensor weight;   ///< out×in×9
  at::Tensor offsets;  ///< in×4: Re and Im of ln c₁ and of c₂

 private:
  struct Tables;
  void check(const at::Tensor& x, std::int64_t channels) const;
  MobiusConvOptions options_;
  std::shared_ptr<const Tables> tables_;
};
TORCH_MODULE(MobiusConv);

struct MobiusNetworkOptions {
  std::int64_t channels = 16;  ///< of the input
  std::int64_t bandwidth = 8;
  std::int64_t width = 8;  ///< c
  std::int64_t blocks = 1;
  std::int64_t nodes = 12;
  std::int64_t classes = 25;
};

/// A classifier: a linear map of channels and mish, residual blocks of two Möbius convolutions
/// (18c² + 16c parameters each), the mean over the sphere, a linear layer. Z is that mean. The
/// published network for shapes is not known; this is a small one.
Network make_mobius_network(std::uint64_t seed, const MobiusNetworkOptions& options);

}  // namespace algprior::nn
