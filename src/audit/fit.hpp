#pragma once

#include "algprior/rep/character_table.hpp"
#include "pair_errors.hpp"

#include <string>
#include <vector>

namespace algprior::auditing {

/// Coordinates in which Cov z = 1, of the directions in which z varies at all.
struct Whitening {
  Eigen::MatrixXd to;    ///< d×r: x̃ = toᵀx
  Eigen::MatrixXd from;  ///< d×r: x = from·x̃
  std::size_t rank() const { return static_cast<std::size_t>(to.cols()); }
};
/// From the rows at which pairs begin.
Whitening find_whitening(const Source& source, const Moments& moments, Meter& meter);

/// ρ̂ by least squares on one half of the samples.
struct Fit {
  std::string refused;                    ///< why there is none; else empty
  std::vector<Eigen::MatrixXd> matrices;  ///< d×d, for every element, on centred z
  std::size_t rank = 0;                   ///< k: directions that ρ̂ predicts
  Eigen::MatrixXd to;                     ///< d×k: coordinates on these in which Cov z = 1
  Eigen::VectorXd reliability;            ///< R² of each
  /// k×k: ρ̂ on the predicted directions in these coordinates. Noise in z shrinks least squares;
  /// the second set is without that: R^(−1/2)ρ̂ with R the reliabilities.
  std::vector<Eigen::MatrixXd> shrunk, matrices_of_rank;
  bool done() const { return refused.empty(); }
};
Fit fit_representation(const Source& source, const Moments& moments, const Whitening& whitening,
                       Meter& meter);

/// What ρ̂ is: defect, nearest exact representation, multiplicities without intervals.
FittedRepresentation describe_fit(const Fit& fit, const CharacterTable& table);

/// How much each sample of the fitting half moves each multiplicity, samples×characters, to first
/// order: a multiplicity of resampled data is its value + the weighted mean of these.
Eigen::MatrixXd multiplicity_influence(const Source& source, const Moments& moments, const Fit& fit,
                                       const CharacterTable& table, Meter& meter);

/// Re χ_i(h⁻¹)/|G| at h·characters + i.
std::vector<double> multiplicity_weights(const CharacterTable& table);

}  // namespace algprior::auditing
