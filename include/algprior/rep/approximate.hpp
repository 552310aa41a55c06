#pragma once

#include "algprior/base/progress.hpp"
#include "algprior/rep/character_table.hpp"
#include "algprior/rep/representation.hpp"

#include <complex>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

namespace algprior {

/// A learned representation ρ̂: one real d×d matrix for each generator, which satisfy the relators
/// only nearly. ρ̂(g) means the product along the shortest word of g.
class ApproximateRepresentation {
 public:
  /// Throws InputError unless there is one finite d×d matrix a generator.
  ApproximateRepresentation(Group group, std::vector<Eigen::MatrixXd> generators);

  const Group& group() const noexcept { return group_; }
  std::size_t dimension() const noexcept { return dimension_; }
  const std::vector<Eigen::MatrixXd>& generators() const noexcept { return generators_; }
  /// Of each generator ρ̂(s)⁻¹, or ρ̂(s)^(n−1), n the order of s, when ρ̂(s) is nearly singular.
  const std::vector<Eigen::MatrixXd>& inverses() const noexcept { return inverses_; }
  /// A power u^m takes log m products, a letter alone none. Stops when asked to
  /// (base/interrupt.hpp) between two products, as everything below does.
  Eigen::MatrixXd evaluate(const Word& word) const;
  /// tr ρ̂(w), without the last product.
  double trace(const Word& word) const;
  /// tr ρ̂(g) for every element: one product for each element that is a beginning of another.
  std::vector<double> traces(const ProgressSink& progress = {}) const;

 private:
  const Eigen::MatrixXd& image(int letter) const {
    return letter > 0 ? generators_[static_cast<std::size_t>(letter) - 1]
                      : inverses_[static_cast<std::size_t>(-letter) - 1];
  }

  Group group_;
  std::size_t dimension_;
  std::vector<Eigen::MatrixXd> generators_, inverses_;
};

/// How far a relator w is from holding.
struct RelatorDefect {
  Word relator;
  double norm;         ///< ‖ρ̂(w) − I‖_F
  double mean_square;  ///< ‖ρ̂(w) − I‖²_F / d², the algebra loss of the paper
};
/// One for each relator of the group's presentation.
std::vector<RelatorDefect> relator_defects(const ApproximateRepresentation& approximate,
                                           const ProgressSink& progress = {});

/// n_χ = 1/|G| Σ_g χ(g⁻¹) tr ρ̂(g), its real part, for each row χ of the table.
std::vector<double> multiplicities_by_elements(const ApproximateRepresentation& approximate,
                                               const CharacterTable& table,
                                               const ProgressSink& progress = {});

/// The paper's formula: n_χ = 1/|G| Σ_C |C| χ(C)⁻ tr ρ̂(g_C), one representative g_C a class.
std::vector<double> multiplicities_by_classes(const ApproximateRepresentation& approximate,
                                              const CharacterTable& table);

/// An eigenvalue of ρ̂(g_C) almost as near to a second n-th root of unity as to the nearest.
struct EigenvalueTie {
  std::size_t class_index;
  std::complex<double> eigenvalue;
  std::size_t nearest, second;  ///< k of exp(2πik/n), n the element order of the class
};

struct EigenvalueMultiplicities {
  std::vector<double> multiplicities;            ///< whole unless the counts contradict each other
  std::vector<std::vector<std::size_t>> counts;  ///< counts[C][k] eigenvalues near exp(2πik/n)
  std::vector<EigenvalueTie> ties;
};
/// Counts the eigenvalues of each ρ̂(g_C) at the nearest n-th root of unity, which makes every trace
/// exact, and takes multiplicities from those. A tie is an eigenvalue whose distances to the two
/// nearest roots differ by less than `tie_margin` times the distance of the roots.
EigenvalueMultiplicities multiplicities_by_eigenvalues(const ApproximateRepresentation& approximate,
                                                       const CharacterTable& table,
                                                       double tie_margin = 0.05,
                                                       const ProgressSink& progress = {});

/// The noise that cannot change a multiplicity: when ρ = BυB⁻¹ with υ unitary, cond(B) ≤ condition,
/// and ‖ρ̂(s) − ρ(s)‖₂ is at most this for every generator, then rounding multiplicities_by_elements
/// or multiplicities_by_classes gives those of ρ. With L the longest word and d = dim ρ it is
/// (1 − (1 + 1/(2d))^(−1/L)) / condition, about 1/(2dL·condition).
double noise_radius(const Group& group, std::size_t dimension, double condition = 1);

struct NearestOptions {
  bool orthogonal = false;  ///< ask for an orthogonal representation
  double radius = 0.5;      ///< largest distance that still counts as near
  int max_iterations = 40;
  int polish_steps = 20;       ///< moves among the conjugates; 0: the one that averaging ends at
  ProgressSink progress = {};  ///< elements averaged over, of all
};

/// An exact representation π near ρ̂, or the reason why there is none.
struct NearestRepresentation {
  std::optional<Representation> representation;
  double distance = 0;  ///< max ‖ρ̂(s) − π(s)‖_F / √d over the generators
  double defect = 0;  ///< max ‖π(sg) − π(s)π(g)‖_F / √d that was left: rounding, or why it failed
  int iterations = 0;  ///< averages taken
  std::string reason;  ///< empty, or why none is nearby
};

/// Averages ρ(s) ← 1/|G| Σ_h ρ(sh)ρ(h)⁻¹ until ρ is a homomorphism (the defect is squared in each
/// step), then moves within the conjugates of ρ to the one with least Σ_s ‖ρ̂(s) − π(s)‖²_F: near an
/// exact representation every other is conjugate to it, so this is the nearest. Takes O(|G|·d³) a
/// step and keeps 2|G| matrices; throws LimitError when those do not fit the memory of one call.
NearestRepresentation nearest_representation(const ApproximateRepresentation& approximate,
                                             const NearestOptions& options = {});

}  // namespace algprior
