#pragma once

#include "algprior/audit/embeddings.hpp"
#include "algprior/base/progress.hpp"
#include "algprior/rep/representation.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

namespace algprior {

struct AuditOptions {
  /// ρ to judge the encoder by, wide as the embedding or narrower (then as many copies as fit, and
  /// fixed coordinates behind them).
  std::optional<Representation> representation;
  /// ρ by one matrix an element instead, each as wide as the embedding, where it is no exact
  /// representation: a learned ρ̂. Empty, or |G| of them.
  std::vector<Eigen::MatrixXd> matrices;
  bool has_given() const noexcept { return representation || !matrices.empty(); }
  std::uint64_t seed = 0;             ///< of the halves, the shuffling and the bootstrap
  std::size_t bootstrap = 1000;       ///< resamplings of base samples
  double equivariant_below = 0.3;     ///< an error below it counts as equivariant (or invariant)
  double collapsed_below = 1e-3;      ///< spread/‖mean‖ below which an encoder is constant
  std::size_t base_points = 0;        ///< points hx of each orbit from which pairs start; 0: as
                                      ///< many as `work` allows, at least 1, at most |G|
  double work = 2e10;                 ///< multiplications that one pass over all pairs may take
  std::size_t theorem_samples = 100;  ///< orbits on which Theorem 1 is measured, at most
  std::size_t probe_samples = 2000;   ///< orbits that the probes see, at most
  std::size_t worst = 10;             ///< samples listed as worst
  ProgressSink progress;              ///< may be empty
};

/// A number with its 95 % interval: percentiles of bootstrap resamplings of the base samples.
struct Estimate {
  double value = 0, low = 0, high = 0;
};

enum class Verdict { kCollapsed, kInvariant, kGiven, kSome, kNone };
/// "collapsed", "invariant", "equivariant to the given representation", "equivariant to some
/// representation", "none".
std::string to_string(Verdict verdict);

/// Errors are roots of E‖z(gx) − ρ(g)z(x)‖² / (2 tr Cov z) over g ≠ e, z centred by the mean over
/// all orbits: 0 is exact, 1 is chance, lower is better. Empty: does not apply, never 0.
struct AuditErrors {
  std::optional<Estimate> invariance;  ///< ρ = 1
  std::optional<Estimate> regular;     ///< copies of ρ_reg, then fixed coordinates
  std::optional<Estimate> defining;    ///< likewise of the defining representation
  std::optional<Estimate> given;       ///< likewise of the one in the options
  std::optional<Estimate> fitted;  ///< ρ̂, fitted on one half of the samples, scored on the other
  std::optional<Estimate> shuffled;  ///< ρ̂ (or 1) on pairs of different samples: the control
};

/// How often an irreducible character occurs in ρ̂.
struct FittedMultiplicity {
  std::size_t irrep = 0;  ///< row of the character table
  int degree = 1;
  Estimate value;
  std::optional<std::size_t> exact;  ///< in the nearest exact representation
};

/// ρ̂: one matrix an element by least squares, in coordinates in which Cov z = 1.
struct FittedRepresentation {
  /// Directions of z that ρ̂ predicts (R² of at least a quarter); it is taken apart on these.
  std::size_t rank = 0;
  /// max ‖ρ̂(s)ρ̂(g) − ρ̂(sg)‖_F/√rank over generators s and elements g.
  std::optional<double> homomorphism_defect;
  std::optional<double> distance_to_exact;  ///< max ‖ρ̂(s) − π(s)‖_F/√rank, π exact and nearest
  std::string reason;                       ///< why there is no exact one, or no fit at all
  std::vector<FittedMultiplicity> multiplicities;  ///< in the order of the character table
  std::optional<std::size_t> regular_copies;       ///< min n_χ/χ(e)
};

/// Theorem 1 on orbits of full rank, for the audited representation.
struct AuditTheorem {
  std::size_t tried = 0;
  std::size_t samples = 0;         ///< of these with a full-rank orbit
  std::size_t held = 0;            ///< distance ≤ bound
  std::optional<double> distance;  ///< median of max_g ‖(ρ(g) − ρ̃(g))|_V‖_op
  std::optional<double> bound;     ///< median of ε_x √|G| / σ_min
};

/// Whether g can be read from z: the fraction of (x, g) named rightly.
struct AuditProbes {
  double local = 0;              ///< by a linear map of its own for each orbit
  std::optional<double> global;  ///< by one linear map (discriminants) on unseen orbits
  double chance = 0;             ///< 1/|G|
};

/// How many invariant numbers exact equivariance to the audited representation leaves, the
/// multiplicity of the trivial representation: a linear head sees no more.
struct AuditRoom {
  std::optional<std::size_t> invariants;
  std::optional<std::size_t> classes;  ///< different labels
};

struct ElementError {
  Element element = 0;
  std::string word;  ///< "r^2*s"
  double error = 0;
};

/// How far the action on the inputs is from an action, in the same unit as the errors:
/// √(E‖g⁻¹(g·x) − x‖² / (2 tr Cov x)). Interpolation and corners that leave the image make it
/// larger than 0, and no encoder can be asked for less.
struct AuditFloor {
  double value = 0;              ///< over g ≠ e
  std::optional<double> inside;  ///< the same within the disc (or ball) inscribed in an image
  std::size_t exact = 0;         ///< elements g ≠ e with g⁻¹(g·x) = x to the last bit
  std::vector<ElementError> per_element;
};

/// The inputs, where they were given.
struct AuditInputs {
  double unmoved = 0;  ///< fraction of (x, g ≠ e) whose input is that of e
  double norm_drift = 0;  ///< root mean square of ‖g·x‖/‖x‖ − 1: 0 when g only moves numbers
};

/// The part of z in which an irreducible character χ acts, and the error there.
struct IrrepError {
  std::size_t irrep = 0;  ///< row of the character table
  int degree = 1;
  double share = 0;             ///< of tr Cov z
  std::optional<double> error;  ///< nothing where z has no such part
};
struct SampleError {
  std::size_t sample = 0;
  double error = 0;
};
struct ClassError {
  std::int64_t label = 0;
  std::size_t samples = 0;
  double error = 0;
};

/// A candidate symmetry: a subgroup of the audited group.
struct CandidateGroup {
  std::string name;  ///< as asked for
  std::size_t order = 0;
  std::string generators;  ///< words in the audited group, "" when it has no such subgroup
  bool found = false;
  std::optional<Verdict> verdict;
  AuditErrors errors;
  std::optional<double> homomorphism_defect;
};

struct AuditReport {
  std::string subject;  ///< what was audited, in words; may be empty
  std::string group;
  std::size_t order = 0, samples = 0, dimension = 0;
  bool pairs = false;              ///< made from pairs, not from whole orbits
  std::size_t base_points = 0;     ///< of each orbit
  std::size_t effective_rank = 0;  ///< directions with a deviation above 1e-3 of the largest
  double spread = 0;               ///< √(tr Cov z)
  double relative_spread = 0;      ///< spread/‖mean‖; infinite for a mean of 0
  Verdict verdict = Verdict::kNone;
  /// What per_element, worst, theorem and room speak of: "given", "regular", "defining", "trivial",
  /// "fitted".
  std::string audited;
  AuditErrors errors;
  FittedRepresentation fitted;
  std::optional<AuditTheorem> theorem;
  std::optional<AuditProbes> probes;
  AuditRoom room;
  std::optional<AuditInputs> inputs;
  std::optional<AuditFloor> floor;
  std::vector<double> spectrum;  ///< median σ_i/σ_1 of the embedded orbits
  std::vector<ElementError> per_element;
  std::vector<IrrepError> per_irrep;  ///< of the audited representation, orbits only
  std::vector<SampleError> worst;
  std::optional<std::vector<double>> quantiles;  ///< of the samples' errors: 5, 25, 50, 75, 95 %
  std::vector<ClassError> per_class;
  std::vector<std::string> remarks;  ///< what to know before believing the verdict
  std::vector<std::string> next;     ///< what to try
  std::vector<CandidateGroup> groups;
  std::size_t bootstrap = 0;
  std::uint64_t seed = 0;
};

/// Is this encoder equivariant, to which representation, and how far is it?
///
/// Time O(N·k·|G|·d²), k the base points; memory O(|G|·d² + N·d) beside the embeddings. Results
/// depend on the seed and, in the last digits, on the number of threads. Throws InputError for
/// shapes that do not fit the group, numbers that are not finite, fewer than 2 samples, elements
/// out of range, a group of order 1.
AuditReport audit(const OrbitEmbeddings& orbits, const Group& group,
                  const AuditOptions& options = {}, const AuditContext& context = {});
AuditReport audit(const PairEmbeddings& pairs, const Group& group, const AuditOptions& options = {},
                  const AuditContext& context = {});

/// The same orbits judged for each candidate that is isomorphic to a subgroup of `group` (one line
/// for each conjugacy class of such subgroups), those it is equivariant to first, larger groups
/// before smaller ones, then by error.
std::vector<CandidateGroup> audit_candidates(const OrbitEmbeddings& orbits, const Group& group,
                                             const std::vector<Group>& candidates,
                                             const AuditOptions& options = {});

/// The report as one JSON document; what does not apply is null.
std::string to_json(const AuditReport& report);
/// The report that to_json wrote. Throws FileError, naming `file`, for anything else.
AuditReport parse_audit(const std::string& json, const std::string& file);
/// The report as one screen for people.
std::string to_text(const AuditReport& report);
/// Its first line: the verdict as a sentence.
std::string verdict_sentence(const AuditReport& report);

}  // namespace algprior
