#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace algprior {

/// r_g = z_g − z̄ with z̄ the mean of the orbit: what an encoder did not make invariant. N×|G|×d.
/// They add up to 0, so their rank is at most |G| − 1.
at::Tensor orbit_residuals(const at::Tensor& orbits);

/// Linear probes, one for each orbit: W = Xᵀ-ridge solution of W X = I, X the d×|G| matrix of the
/// orbit's features, W = (XᵀX + λI)⁻¹Xᵀ with λ = ridge·tr(XᵀX)/|G|.
struct LocalProbes {
  double accuracy = 0;          ///< fraction of (x, g) with argmax(W z_g) = g
  double perfect_orbits = 0;    ///< fraction of orbits without a mistake
  double median_condition = 0;  ///< of X: σ_max/σ_min; infinite for a deficient orbit
};

/// `orbits` is N×|G|×d. float64, a |G|×|G| solve an orbit. Throws InputError for another shape or
/// a ridge that is not positive.
LocalProbes local_probes(const at::Tensor& orbits, double ridge = 1e-6);

struct GlobalProbeOptions {
  double penalty = 1e-4;    ///< λ of λ/2·‖W‖², not on the bias
  int iterations = 200;     ///< of L-BFGS, at most
  double tolerance = 1e-6;  ///< largest entry of the gradient at which it has converged
};

/// Multinomial logistic regression on standardised features: argmax(W (f − mean)/deviation + b).
struct GlobalProbe {
  at::Tensor weight;     ///< classes×d
  at::Tensor bias;       ///< classes
  at::Tensor mean;       ///< d
  at::Tensor deviation;  ///< d; 1 where a feature does not vary
  double loss = 0;       ///< mean cross-entropy with penalty, on the training data
  double gradient = 0;   ///< largest entry of its gradient
  bool converged = false;
};

/// `features` is M×d, `labels` int64 of shape M below `classes`. The problem is convex: the result
/// does not depend on a start. Throws InputError for shapes or labels that do not fit.
GlobalProbe fit_global_probe(const at::Tensor& features, const at::Tensor& labels,
                             std::int64_t classes, const GlobalProbeOptions& options = {});

/// The fraction of features that the probe labels rightly.
double probe_accuracy(const GlobalProbe& probe, const at::Tensor& features,
                      const at::Tensor& labels);

/// Trains on the residuals of `train` to name g and tests on those of `test`, both N×|G|×d.
double global_probe_accuracy(const at::Tensor& train, const at::Tensor& test,
                             const GlobalProbeOptions& options = {});

}  // namespace algprior
