#pragma once

#include "algprior/analysis/orbits.hpp"
#include "algprior/rep/approximate.hpp"

#include <complex>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace algprior {

/// What an encoder made of data; each part may be left undefined, and what needs it is left out.
/// Grids N×C×H×W are welcome: ρ̂ acts on channels, orbits are those of position averages.
struct EncodedData {
  at::Tensor z;        ///< E(x) of test pairs, N×d
  at::Tensor zg;       ///< E(g·x)
  at::Tensor g;        ///< int64, N
  at::Tensor samples;  ///< E(x) of training samples, for the number of independent orbits
  at::Tensor orbits;   ///< E(hx), N×|G|×d (encode_orbits), for Theorem 1
};

struct ReportOptions {
  OrbitCountOptions orbits = {};
  double tie_margin = 0.05;       ///< of multiplicities_by_eigenvalues
  double converged_below = 1e-3;  ///< algebra loss above which ρ̂ counts as not converged
  double singular_below = 1e-6;   ///< σ_min/σ_max of a generator below which it is singular
  NearestOptions nearest = {};
};

/// One irreducible character χ and how often ρ̂ contains it, by three estimates.
struct IrreducibleCount {
  std::string name;  ///< character_by_values: "r:1 s:-1"
  int degree = 1;
  double by_classes = 0;   ///< the paper's formula, one trace a class; its n_χ add up to d exactly
  double by_elements = 0;  ///< the average over the whole group
  double by_eigenvalues = 0;  ///< eigenvalues counted at the nearest roots of unity
};

struct RelatorReport {
  std::string relator;  ///< "r^3"
  double loss = 0;      ///< MSE(ρ̂(w), I)
};

struct GeneratorReport {
  std::string name;
  double sigma_min = 0, sigma_max = 0;  ///< of ρ̂(s)
  bool singular = false;
  std::vector<std::complex<double>> eigenvalues;
  std::vector<std::size_t> counts;  ///< eigenvalues nearest to exp(2πik/n), n the order of s
};

/// Theorem 1 over all samples with a full-rank orbit.
struct TheoremOneSummary {
  std::size_t samples = 0, full_rank = 0;
  std::size_t violations = 0;  ///< distance above bound (beyond rounding): 0 by the theorem
  double median_sigma_min = 0, median_distance = 0, median_bound = 0;
  double largest_ratio = 0;  ///< of distance to bound
};

/// Which representation ρ̂ is, and how nearly.
struct RepresentationReport {
  std::string group;
  std::size_t order = 0, dimension = 0;
  std::vector<IrreducibleCount> irreducibles;  ///< in the order of the character table's rows
  std::vector<EigenvalueTie> ties;
  std::vector<GeneratorReport> generators;
  std::vector<RelatorReport> relators;
  double algebra_loss = 0;                  ///< their sum, without regulariser
  bool converged = false;                   ///< algebra_loss small enough and no generator singular
  std::optional<double> equivariance_loss;  ///< mean MSE(ρ̂(g)E(x), E(gx))
  std::optional<double> equivariance_error;  ///< relative, as in analysis/equivariance.hpp
  std::size_t copies_of_regular = 0;         ///< the algebraic bound min_χ ⌊n_χ/χ(e)⌋
  std::optional<OrbitCount> orbits;
  std::optional<double> nearest_distance;  ///< max ‖ρ̂(s) − π(s)‖_F/√d, π the nearest exact one
  std::string nearest_reason;              ///< why there is none, else empty
  std::optional<TheoremOneSummary> theorem;
};

/// Throws InputError when shapes do not fit ρ̂, with their names.
RepresentationReport report_representation(const ApproximateRepresentation& representation,
                                           const EncodedData& data = {},
                                           const ReportOptions& options = {});

/// A character by its values on the generators, "r:1 s:-1"; with "#i", the row, when another row
/// has the same ones.
std::string character_by_values(const CharacterTable& table, std::size_t i);

TheoremOneSummary summarize(const std::vector<TheoremOneSample>& samples);

/// A JSON object with all of it; what is not finite is null.
std::string to_json(const RepresentationReport& report);
/// A page for readers.
std::string to_text(const RepresentationReport& report);
/// Flat numbers for result.json: "algebra_loss", "relator_loss/r^3", "equivariance_loss",
/// "multiplicity/<name>", "eigenvalues/r/<k>", "independent_orbits", "copies_of_regular",
/// "nearest_distance", "converged" (0 or 1), "sigma_min/r", "theorem_median_distance", …
std::map<std::string, double> to_metrics(const RepresentationReport& report);

}  // namespace algprior
