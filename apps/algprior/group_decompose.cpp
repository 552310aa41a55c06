#include "algprior/base/error.hpp"
#include "algprior/io/generators.hpp"
#include "algprior/rep/approximate.hpp"
#include "algprior/rep/constructions.hpp"
#include "algprior/rep/decomposition.hpp"
#include "group_report.hpp"
#include "progress_bar.hpp"

#include <cmath>

#include <fmt/format.h>

namespace algprior {
namespace {

// Eigenvalues take about 25·d³ operations a class and averages 10·|G|·d³ a generator: beyond these
// bounds they are left out, and the report says so.
constexpr double kMostEigenvalueWork = 2e11;
constexpr double kMostAverageWork = 1e12;

DecompositionReport decompose_exact(const CharacterTable& table, const std::string& name,
                                    const Representation& representation) {
  DecompositionReport report;
  report.name = name;
  report.dimension = representation.dimension();
  report.multiplicities = multiplicities(table, representation.character());
  for (double& n : report.multiplicities) n = std::round(n);
  for (std::size_t i = 0; i < table.count(); ++i) {
    const auto n = static_cast<std::size_t>(report.multiplicities[i]);
    // Over R, χ and its conjugate are one representation and a quaternionic χ occurs twice.
    if (n == 0 || table.conjugate(i) < i) continue;
    report.real.emplace_back(i, table.frobenius_schur(i) == -1 ? n / 2 : n);
  }
  if (report.dimension <= DecompositionReport::kMaxBasis) {
    RealDecomposition decomposition =
        decompose_real(representation, real_irreducible_representations(table));
    report.basis = std::move(decomposition.basis);
    report.residual = decomposition.residual;
    report.error_bound = decomposition.error_bound;
  }
  return report;
}

// X + iY as [[X, −Y], [Y, X]]: the relators and distances of the one are those of the other.
Eigen::MatrixXd realified(const Eigen::MatrixXcd& matrix) {
  const Eigen::Index d = matrix.rows();
  Eigen::MatrixXd real(2 * d, 2 * d);
  real << matrix.real(), -matrix.imag(), matrix.imag(), matrix.real();
  return real;
}

// tr X + i tr Y of a realified matrix.
std::complex<double> complex_trace(const Eigen::MatrixXd& real) {
  const Eigen::Index d = real.rows() / 2;
  return {real.topLeftCorner(d, d).trace(), real.bottomLeftCorner(d, d).trace()};
}

void count_complex(const ApproximateRepresentation& learned, const CharacterTable& table,
                   ProgressBar& bar, DecompositionReport& report) {
  const Group& group = table.group();
  const ConjugacyClasses& classes = group.classes();
  std::vector<std::complex<double>> means(classes.count()), representatives(classes.count());
  std::size_t done = 0;
  bar.restart("elements");
  for (std::size_t c = 0; c < classes.count(); ++c) {
    for (const Element g : classes.members[c]) {
      bar.update(done++, group.order());
      const std::complex<double> trace = complex_trace(learned.evaluate(group.word(g)));
      means[c] += trace / static_cast<double>(classes.members[c].size());
      if (g == classes.representative(c)) representatives[c] = trace;
    }
  }
  report.multiplicities = multiplicities(table, means);
  report.by_classes = multiplicities(table, representatives);
}

void count_real(const ApproximateRepresentation& learned, const CharacterTable& table,
                ProgressBar& bar, DecompositionReport& report) {
  bar.restart("elements");
  report.multiplicities = multiplicities_by_elements(learned, table, bar.sink());
  report.by_classes = multiplicities_by_classes(learned, table);
  const double d = static_cast<double>(learned.dimension());
  const double work = 25 * d * d * d * static_cast<double>(table.count());
  if (work > kMostEigenvalueWork) {
    report.left_out.push_back(
        fmt::format("eigenvalues: {} decompositions of {}×{} matrices", table.count(), d, d));
    return;
  }
  bar.restart("eigenvalues");
  const EigenvalueMultiplicities counted =
      multiplicities_by_eigenvalues(learned, table, 0.05, bar.sink());
  report.by_eigenvalues = counted.multiplicities;
  report.eigenvalue_ties = counted.ties.size();
}

void find_nearest(const ApproximateRepresentation& learned, ProgressBar& bar,
                  DecompositionReport& report) {
  const double d = static_cast<double>(learned.dimension());
  const double products = static_cast<double>(learned.group().order()) *
                          static_cast<double>(learned.generators().size() + 2);
  if (10 * d * d * d * products > kMostAverageWork) {
    report.left_out.push_back(
        fmt::format("the nearest exact representation: averages of {} products of {}×{} matrices",
                    products, d, d));
    return;
  }
  bar.restart("averages");
  NearestOptions options;
  options.progress = bar.sink();
  const NearestRepresentation nearest = nearest_representation(learned, options);
  report.nearest_sought = true;
  report.nearest_found = nearest.representation.has_value();
  report.nearest_distance = nearest.distance;
  report.nearest_reason = nearest.reason;
}

DecompositionReport decompose_learned(const CharacterTable& table, const std::string& path,
                                      ProgressBar& bar) {
  const Group& group = table.group();
  const std::vector<Eigen::MatrixXcd> read = io::read_generators(group, path);
  DecompositionReport report;
  std::vector<Eigen::MatrixXd> matrices;
  for (const Eigen::MatrixXcd& matrix : read) {
    report.complex = report.complex || !matrix.imag().isZero(0);
  }
  for (const Eigen::MatrixXcd& matrix : read) {
    matrices.push_back(report.complex ? realified(matrix) : Eigen::MatrixXd(matrix.real()));
  }
  const ApproximateRepresentation learned(group, std::move(matrices));
  report.name = path;
  report.learned = true;
  report.dimension = learned.dimension() / (report.complex ? 2 : 1);
  const double doubled = report.complex ? 2 : 1;
  bar.restart("relators");
  for (const RelatorDefect& defect : relator_defects(learned, bar.sink())) {
    report.relators.push_back({relator_text(defect.relator, group.presentation().generators),
                               defect.norm / std::sqrt(doubled), defect.mean_square * doubled});
  }
  if (report.complex) {
    count_complex(learned, table, bar, report);
  } else {
    count_real(learned, table, bar, report);
  }
  find_nearest(learned, bar, report);
  return report;
}

}  // namespace

DecompositionReport decompose_for_report(const CharacterTable& table, const std::string& what,
                                         ProgressBar& bar) {
  if (what == "regular") {
    return decompose_exact(table, what, regular_representation(table.group()));
  }
  if (what == "defining") {
    return decompose_exact(table, what, defining_representation(table.group()));
  }
  return decompose_learned(table, what, bar);
}

}  // namespace algprior
