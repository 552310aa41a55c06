#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace algprior {

enum class Better { higher, lower, neither };

/// A number that runs report: one name, one estimator. A name that ends in "/" stands for a family,
/// "multiplicity/<character>".
struct Metric {
  std::string_view name;
  std::string_view title;    ///< a column's head
  std::string_view meaning;  ///< one sentence, with its formula where there is one
  std::string_view unit;     ///< "fraction", "nats", "epoch", …; "" for a plain number
  Better better = Better::neither;
};

/// The metrics of the experiments, as constants: code names these and never a bare text.
namespace metrics {

inline constexpr Metric kAccuracy{"accuracy", "accuracy",
                                  "share of validation samples whose largest output is the label",
                                  "fraction", Better::higher};
inline constexpr Metric kError{
    "error", "error", "mean squared error of the output on validation samples", "", Better::lower};
inline constexpr Metric kRmse{
    "rmse", "RMSE",
    "root of the mean squared error along a rollout of six frames on validation samples, every "
    "batch counting alike",
    "", Better::lower};
inline constexpr Metric kFutureRmse{
    "future_rmse", "future",
    "the same along twenty frames, on later times of the training simulations", "", Better::lower};
inline constexpr Metric kDomainRmse{"domain_rmse", "domain",
                                    "the same along twenty frames, on other simulations", "",
                                    Better::lower};
inline constexpr Metric kRmseBySamples{"rmse_by_samples/", "",
                                       "future, domain: the same, every sample counting alike", "",
                                       Better::lower};
inline constexpr Metric kBestWeights{
    "best_weights/", "",
    "future_rmse, domain_rmse: the same with the weights of the best epoch, where the last ones "
    "are kept",
    "", Better::lower};
inline constexpr Metric kLoss{"loss", "loss", "weighted sum of all terms on validation samples", "",
                              Better::lower};
inline constexpr Metric kTaskLoss{"task_loss", "task loss",
                                  "the task's loss on validation samples, without a prior", "",
                                  Better::lower};
inline constexpr Metric kAugmentedTestAccuracy{
    "augmented_test_accuracy", "augmented test",
    "accuracy on the test samples, each moved by a random element of the group", "fraction",
    Better::higher};
inline constexpr Metric kTestAccuracy{"test_accuracy", "test",
                                      "accuracy on the test samples as they stand", "fraction",
                                      Better::higher};
inline constexpr Metric kAugmentedTestError{
    "augmented_test_error", "augmented test error",
    "mean squared error on the test samples, each moved by a random element of the group", "",
    Better::lower};
inline constexpr Metric kTestError{"test_error", "test error",
                                   "mean squared error on the test samples as they stand", "",
                                   Better::lower};
inline constexpr Metric kTestAuc{
    "test_auc", "test AUC",
    "area under the ROC curve on the test samples as they stand: of class 1 for two classes, else "
    "the mean over the classes of each against the rest",
    "fraction", Better::higher};
inline constexpr Metric kAugmentedTestAuc{"augmented_test_auc", "augmented test AUC",
                                          "the same, each sample moved by a random element",
                                          "fraction", Better::higher};
inline constexpr Metric kEquivarianceError{
    "equivariance_error", "eq. error",
    "sqrt(mean ‖E(gx) − ρ(g)E(x)‖² / mean ‖E(x) − Ē‖²) to the row's own ρ_Z on the headline test "
    "set; absent in a row that has none; √2 is chance",
    "", Better::lower};
inline constexpr Metric kEquivarianceErrorRegular{
    "equivariance_error_regular", "to regular",
    "the same to the regular representation, in every row whose Z it fits", "", Better::lower};
inline constexpr Metric kInvarianceError{"invariance_error", "inv. error",
                                         "the same to the identity: how far E(gx) is from E(x)", "",
                                         Better::neither};
inline constexpr Metric kLatentSpread{
    "latent_spread", "spread",
    "mean over samples and coordinates of (z − z̄)²: what the errors are relative to", "",
    Better::neither};
inline constexpr Metric kRoom{
    "room", "room",
    "invariant numbers that exact equivariance to the row's ρ_Z leaves, 1/|G| Σ tr ρ_Z(g)", "",
    Better::neither};
inline constexpr Metric kLinearError{
    "linear_error", "linear",
    "sqrt(mean ‖E(Tx) − A E(x)‖² / mean ‖E(x) − Ē‖²) for the best linear A, fitted on half of the "
    "test samples: mean over the elements T of the group but the identity",
    "", Better::lower};
inline constexpr Metric kLinearErrorBetween{"linear_error_between", "between",
                                            "the same over rotations that are not in the group", "",
                                            Better::lower};
inline constexpr Metric kPriorBalance{
    "prior_balance", "λ",
    "the weight of the equivariance loss that prior.balance found, as it was last", "",
    Better::neither};
inline constexpr Metric kBestEpoch{"best_epoch", "best epoch",
                                   "epoch with the best watched validation number", "epoch",
                                   Better::neither};
inline constexpr Metric kDiverged{"diverged", "diverged", "1 where training did not stay finite",
                                  "", Better::lower};
inline constexpr Metric kConverged{
    "converged", "converged",
    "1 where the algebra loss is below 10⁻³ and no learned matrix is singular", "", Better::higher};
inline constexpr Metric kAlgebraLoss{"algebra_loss", "algebra",
                                     "Σ MSE(ρ̂(w), I) over the relators w, without regulariser", "",
                                     Better::lower};
inline constexpr Metric kEquivarianceLoss{"equivariance_loss", "equivariance",
                                          "mean MSE(ρ̂(g)E(x), E(gx)) on the test pairs", "",
                                          Better::lower};
inline constexpr Metric kIndependentOrbits{
    "independent_orbits", "orbits",
    "the largest m for which m embedded orbits {ρ̂(g)E(x)} are linearly independent", "",
    Better::neither};
inline constexpr Metric kCopiesOfRegular{
    "copies_of_regular", "bound",
    "min over irreducible χ of ⌊n_χ/χ(e)⌋ by classes: how many copies of the regular "
    "representation ρ̂ contains",
    "", Better::neither};
inline constexpr Metric kNearestDistance{
    "nearest_distance", "to nearest",
    "max ‖ρ̂(s) − π(s)‖_F/√d over the generators, π the nearest exact representation", "",
    Better::lower};
inline constexpr Metric kLocalProbe{
    "local_probe_accuracy", "local probe",
    "share of (x, g) whose g a linear probe of the own orbit reads from E(gx)", "fraction",
    Better::higher};
inline constexpr Metric kPerfectOrbits{"local_probe_perfect_orbits", "perfect orbits",
                                       "share of orbits without a mistake of their local probe",
                                       "fraction", Better::higher};
inline constexpr Metric kGlobalProbe{
    "global_probe_accuracy", "global probe",
    "share of (x, g) whose g one linear probe for all samples reads from E(gx) − orbit mean",
    "fraction", Better::higher};
inline constexpr Metric kInvarianceLoss{"invariance_loss", "invariance",
                                        "mean MSE(E(x), E(gx)) over all pairs g ≠ e of an orbit",
                                        "", Better::neither};
inline constexpr Metric kSeeds{"seeds", "seeds", "null model: seeds in one run", "",
                               Better::neither};
inline constexpr Metric kUnconverged{"unconverged", "not converged",
                                     "null model: seeds whose algebra loss stayed above 10⁻³", "",
                                     Better::lower};
inline constexpr Metric kMedianAlgebraLoss{"median_algebra_loss", "algebra",
                                           "null model: median algebra loss over the seeds", "",
                                           Better::lower};

// Families.
inline constexpr Metric kValidation{"validation_", "validation",
                                    "the watched validation number at the best epoch", "",
                                    Better::neither};
inline constexpr Metric kMultiplicity{
    "multiplicity/", "", "how often ρ̂ contains a character, by one trace a conjugacy class", "",
    Better::neither};
inline constexpr Metric kMultiplicityByElements{"multiplicity_by_elements/", "",
                                                "the same by the average over all elements", "",
                                                Better::neither};
inline constexpr Metric kMultiplicityByEigenvalues{
    "multiplicity_by_eigenvalues/", "",
    "the same from eigenvalues counted at the nearest roots of unity; in the null model the mean "
    "over its seeds",
    "", Better::neither};
inline constexpr Metric kEigenvalues{
    "eigenvalues/", "",
    "<generator>/<k>: eigenvalues of its matrix nearest to exp(2πik/n); in the null model the mean "
    "over its seeds",
    "", Better::neither};
inline constexpr Metric kShare{
    "share/", "", "null model, <generator>/<k>/<count>: share of the seeds with that count",
    "fraction", Better::neither};
inline constexpr Metric kRelatorLoss{"relator_loss/", "", "MSE(ρ̂(w), I) of one relator w", "",
                                     Better::lower};
inline constexpr Metric kSigmaMin{"sigma_min/", "", "smallest singular value of a learned matrix",
                                  "", Better::neither};
inline constexpr Metric kEigenvalueTies{"eigenvalue_ties", "ties",
                                        "eigenvalues that lie between two roots of unity", "",
                                        Better::lower};
inline constexpr Metric kOrbitTolerance{"orbit_tolerance", "tolerance",
                                        "σ_min/σ_max above which orbits count as independent", "",
                                        Better::neither};
inline constexpr Metric kTheorem{
    "theorem_", "",
    "Theorem 1 on test samples: full_rank and violations count samples, median_sigma_min, "
    "median_distance and median_bound are medians over those of full rank",
    "", Better::neither};

}  // namespace metrics

/// All of them, in the order of the glossary.
const std::vector<Metric>& all_metrics();

/// The metric of a name, or the family that it belongs to; nullptr for a name that is neither.
const Metric* find_metric(std::string_view name);

/// docs/metrics.md: what every number of a result means.
std::string metric_glossary();

}  // namespace algprior
