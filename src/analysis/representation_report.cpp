#include "algprior/analysis/representation_report.hpp"

#include "algprior/analysis/eigenvalues.hpp"
#include "algprior/analysis/equivariance.hpp"
#include "algprior/base/error.hpp"
#include "algprior/prior/equivariance.hpp"
#include "algprior/prior/learned_representation.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/types.h>

namespace algprior {
namespace {

std::string values_on_generators(const CharacterTable& table, std::size_t i) {
  const Group& group = table.group();
  std::string name;
  for (std::size_t k = 0; k < group.generators().size(); ++k) {
    const auto c = group.classes().class_of[group.generators()[k]];
    name += fmt::format("{}{}:{}", k == 0 ? "" : " ", group.generator_names()[k],
                        to_string(table.exact(i, c)));
  }
  return name;
}

std::vector<IrreducibleCount> count_irreducibles(const ApproximateRepresentation& representation,
                                                 const CharacterTable& table,
                                                 const EigenvalueMultiplicities& by_eigenvalues) {
  const auto classes = multiplicities_by_classes(representation, table);
  const auto elements = multiplicities_by_elements(representation, table);
  std::vector<IrreducibleCount> counts;
  for (std::size_t i = 0; i < table.count(); ++i) {
    counts.push_back({character_by_values(table, i), table.degree(i), classes[i], elements[i],
                      by_eigenvalues.multiplicities[i]});
  }
  return counts;
}

std::vector<GeneratorReport> describe_generators(const ApproximateRepresentation& representation,
                                                 double singular_below) {
  const Group& group = representation.group();
  const auto matrices = to_learned(representation);
  std::vector<GeneratorReport> reports;
  for (const auto& snapshot : eigenvalue_snapshot(representation, 0)) {
    const std::size_t k = reports.size();
    const auto sigma = at::linalg_svdvals(matrices->generators()[k].detach());
    GeneratorReport report;
    report.name = snapshot.generator;
    report.sigma_max = sigma[0].item<double>();
    report.sigma_min = sigma[-1].item<double>();
    report.singular = !(report.sigma_min > singular_below * report.sigma_max);
    report.eigenvalues = snapshot.eigenvalues;
    report.counts.assign(group.element_order(group.generators()[k]), 0);
    for (const std::size_t root : snapshot.nearest) ++report.counts[root];
    reports.push_back(std::move(report));
  }
  return reports;
}

void measure_equivariance(const ApproximateRepresentation& representation, const EncodedData& data,
                          RepresentationReport& report) {
  const torch::NoGradGuard no_gradient;
  if (data.z.is_complex() || data.zg.is_complex()) {
    throw InputError({"encoded pairs are not real", "z and zg", "real numbers", ""});
  }
  const auto z = data.z.detach().to(at::kCPU, at::kDouble);
  const auto zg = data.zg.detach().to(at::kCPU, at::kDouble);
  const auto action = to_learned(representation)->action();
  report.equivariance_loss = equivariance_loss(action, z, zg, data.g).item<double>();
  report.equivariance_error = equivariance_error(action, z, zg, data.g);
}

void check_report(const ReportOptions& options) {
  const auto check = [](const char* name, double value) {
    if (std::isfinite(value) && value >= 0) return;
    throw InputError({"a representation cannot be reported so", fmt::format("{} = {}", name, value),
                      "a finite number of at least 0", ""});
  };
  check("tie_margin", options.tie_margin);
  check("converged_below", options.converged_below);
  check("singular_below", options.singular_below);
  check("nearest.radius", options.nearest.radius);
  check("nearest.max_iterations", options.nearest.max_iterations);
  check("nearest.polish_steps", options.nearest.polish_steps);
}

double median(std::vector<double> values) {
  if (values.empty()) return std::nan("");
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

std::string character_by_values(const CharacterTable& table, std::size_t i) {
  const auto name = values_on_generators(table, i);
  for (std::size_t j = 0; j < table.count(); ++j) {
    if (j != i && values_on_generators(table, j) == name) return fmt::format("{} #{}", name, i);
  }
  return name;
}

TheoremOneSummary summarize(const std::vector<TheoremOneSample>& samples) {
  TheoremOneSummary summary;
  summary.samples = samples.size();
  std::vector<double> sigmas, distances, bounds;
  for (const auto& sample : samples) {
    sigmas.push_back(sample.sigma_min);
    if (!std::isfinite(sample.bound)) continue;
    ++summary.full_rank;
    distances.push_back(sample.distance);
    bounds.push_back(sample.bound);
    // An equivariant encoder has both at rounding size; their ratio says nothing then.
    constexpr double kRounding = 1e-9;
    if (sample.bound > kRounding) {
      summary.largest_ratio = std::max(summary.largest_ratio, sample.distance / sample.bound);
    }
    if (sample.distance > sample.bound * (1 + kRounding) + kRounding) ++summary.violations;
  }
  summary.median_sigma_min = median(sigmas);
  summary.median_distance = median(distances);
  summary.median_bound = median(bounds);
  return summary;
}

RepresentationReport report_representation(const ApproximateRepresentation& representation,
                                           const EncodedData& data, const ReportOptions& options) {
  check_report(options);
  const Group& group = representation.group();
  const CharacterTable table = character_table(group);
  const auto by_eigenvalues =
      multiplicities_by_eigenvalues(representation, table, options.tie_margin);
  RepresentationReport report;
  report.group = group.name();
  report.order = group.order();
  report.dimension = representation.dimension();
  report.irreducibles = count_irreducibles(representation, table, by_eigenvalues);
  report.ties = by_eigenvalues.ties;
  report.generators = describe_generators(representation, options.singular_below);
  for (const auto& defect : relator_defects(representation)) {
    report.relators.push_back(
        {to_string(defect.relator, group.generator_names()), defect.mean_square});
    report.algebra_loss += defect.mean_square;
  }
  const bool singular = std::any_of(report.generators.begin(), report.generators.end(),
                                    [](const GeneratorReport& g) { return g.singular; });
  report.converged = report.algebra_loss <= options.converged_below && !singular;

  if (data.z.defined() != data.zg.defined() || data.z.defined() != data.g.defined()) {
    throw InputError({"encoded pairs are incomplete", "z, zg and g", "all three or none", ""});
  }
  if (data.z.defined()) measure_equivariance(representation, data, report);
  std::vector<double> counts;
  for (const auto& irreducible : report.irreducibles) counts.push_back(irreducible.by_classes);
  report.copies_of_regular = copies_of_regular(table, counts);
  if (data.samples.defined()) {
    report.orbits =
        count_independent_orbits(representation, average_positions(data.samples), options.orbits);
  }
  const auto nearest = nearest_representation(representation, options.nearest);
  if (nearest.representation) report.nearest_distance = nearest.distance;
  report.nearest_reason = nearest.reason;
  if (data.orbits.defined()) report.theorem = summarize(theorem_one(representation, data.orbits));
  return report;
}

}  // namespace algprior
