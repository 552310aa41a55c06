#pragma once

#include <cstdint>
#include <memory>

#include <ATen/core/Tensor.h>

namespace torch::nn {
class Module;
}

// Two baselines that know no group: from the latents of x and of its partner Tx they estimate the
// linear map between them, pair by pair. Latents are grids N×d×…; their cells are taken in order.

namespace algprior::nn {

/// Neural Isometries: a learned self-adjoint operator on the cells of a latent grid, by its mass M,
/// its eigenfunctions Φ with ΦᵀMΦ = I and its eigenvalues λ, ascending. Two latents are compared in
/// its eigenbasis, by the rotation that commutes best with it.
class NeuralIsometry {
 public:
  /// Throws InputError unless 1 ≤ k ≤ cells.
  NeuralIsometry(std::uint64_t seed, std::int64_t cells, std::int64_t k = 64);

  const std::shared_ptr<torch::nn::Module>& module() const { return module_; }

  /// Φ, M and λ as the parameters have them now: one polar factor of cells×k.
  struct Operator {
    at::Tensor functions, mass, values;

    at::Tensor spectrum(const at::Tensor& z) const;  ///< ΦᵀMz, N×d×k
    /// Φa in the shape of a latent grid.
    at::Tensor grid(const at::Tensor& a, at::IntArrayRef shape) const;
    /// τ in SO(k) with b ≈ τa for each sample, N×k×k: the polar factor of P ∘ baᵀ, P_ij =
    /// exp(−|λ_i − λ_j|).
    at::Tensor isometry(const at::Tensor& a, const at::Tensor& b) const;
    /// ‖diag(P1) − P‖_F/k, which pushes eigenvalues apart; 7.937 where 64 are equal.
    at::Tensor multiplicity() const;
  };
  Operator now() const;

 private:
  std::shared_ptr<torch::nn::Module> module_;
  at::Tensor mass_, functions_, values_;
};

/// τa for each sample, a of N×d×k.
at::Tensor rotate_spectrum(const at::Tensor& rotation, const at::Tensor& a);

/// The Neural Fourier Transform without knowledge of the group: a linear map of the cells to
/// a·copies numbers a channel makes each latent a matrix H of (copies·d)×a; the map between two is
/// the M that minimises ‖H₀M − H₁‖_F.
class NeuralFourier {
 public:
  /// Throws InputError for sizes below 1.
  NeuralFourier(std::uint64_t seed, std::int64_t cells, std::int64_t dimension = 16,
                std::int64_t copies = 4);

  const std::shared_ptr<torch::nn::Module>& module() const { return module_; }

  at::Tensor adapt(const at::Tensor& z) const;                        ///< N×d×(a·copies)
  at::Tensor grid(const at::Tensor& h, at::IntArrayRef shape) const;  ///< back to cells
  /// M of each sample, N×a×a, by normal equations with a ridge of 10⁻⁴ of their mean diagonal.
  /// Where H has no more rows than columns M fits any pair and says nothing: InputError.
  at::Tensor transition(const at::Tensor& h, const at::Tensor& partner) const;
  at::Tensor move(const at::Tensor& transition, const at::Tensor& h) const;  ///< HM

 private:
  at::Tensor rows(const at::Tensor& h) const;

  std::int64_t dimension_;
  std::shared_ptr<torch::nn::Module> module_;
  at::Tensor forth_, back_;
};

}  // namespace algprior::nn
