#pragma once

#include <complex>
#include <vector>

// The numbers behind Möbius convolutions, in double and without torch.

namespace algprior::nn {

using Complex = std::complex<double>;

constexpr double kFilterDecay = 0.15;  // t

/// Γ(z) by Lanczos' approximation with reflection.
Complex complex_gamma(Complex z);

/// Wigner's d^s_{kn}(β) for s = 0 … bandwidth−1; 0 for s below max(|k|, |n|). Y_s^k(φ, θ) =
/// √((2s+1)/4π) e^{ikθ} d^s_{k0}(φ).
std::vector<double> wigner_column(int bandwidth, int k, int n, double beta);

/// One angular order of the expansion h_uv(x) = |x/(1+x)|^{−t+iu} e^{iv arg(x/(1+x))} ≈ (1/2π) Σ_m
/// Σ_q w_q C(s_q) |x|^{σ+is_q} e^{im arg x}. Order 0 has two, on either side of a pole.
struct MellinSlot {
  int m = 0;
  double sigma = 0.0;
};
const std::vector<MellinSlot>& mellin_slots();

/// C_uvm(s) of a slot; 0 where h_uv needs no such slot.
Complex mellin_coefficient(int u, int v, const MellinSlot& slot, double s);

/// Evenly spaced nodes s_q with trapezoid weights w_q.
struct MellinNodes {
  std::vector<double> s, weights;
};
MellinNodes mellin_nodes(int m, int count);

/// The spherical harmonic coefficients, order −m, of |z|^{σ+is}e^{im arg(−z)} for degrees below the
/// bandwidth.
std::vector<Complex> power_coefficients(const MellinSlot& slot, double s, int bandwidth);

/// Quadrature in φ on φ_j = π(2j+1)/(4B), sin φ included: exact for degrees below 2B.
std::vector<double> parallel_weights(int bandwidth);

}  // namespace algprior::nn
