#include "algprior/analysis/representation_report.hpp"
#include "algprior/base/table.hpp"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace algprior {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json number(const std::optional<double>& value) {
  return value ? number(*value) : Json(nullptr);
}

Json numbers(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(number(value));
  return list;
}

Json complex(std::complex<double> value) {
  return Json::array({number(value.real()), number(value.imag())});
}

Json theorem_json(const TheoremOneSummary& theorem) {
  return {{"samples", theorem.samples},
          {"full_rank", theorem.full_rank},
          {"violations", theorem.violations},
          {"median_sigma_min", number(theorem.median_sigma_min)},
          {"median_distance", number(theorem.median_distance)},
          {"median_bound", number(theorem.median_bound)},
          {"largest_ratio", number(theorem.largest_ratio)}};
}

Json generator_json(const GeneratorReport& generator) {
  Json eigenvalues = Json::array();
  for (const auto value : generator.eigenvalues) eigenvalues.push_back(complex(value));
  return {{"name", generator.name},
          {"sigma_min", number(generator.sigma_min)},
          {"sigma_max", number(generator.sigma_max)},
          {"singular", generator.singular},
          {"eigenvalues", std::move(eigenvalues)},
          {"counts", generator.counts}};
}

}  // namespace

std::string to_json(const RepresentationReport& report) {
  Json json = {{"group", report.group},
               {"order", report.order},
               {"dimension", report.dimension},
               {"converged", report.converged},
               {"algebra_loss", number(report.algebra_loss)}};
  json["relators"] = Json::array();
  for (const auto& relator : report.relators) {
    json["relators"].push_back({{"relator", relator.relator}, {"loss", number(relator.loss)}});
  }
  json["irreducibles"] = Json::array();
  for (const auto& irreducible : report.irreducibles) {
    json["irreducibles"].push_back({{"name", irreducible.name},
                                    {"degree", irreducible.degree},
                                    {"by_classes", number(irreducible.by_classes)},
                                    {"by_elements", number(irreducible.by_elements)},
                                    {"by_eigenvalues", number(irreducible.by_eigenvalues)}});
  }
  json["ties"] = Json::array();
  for (const auto& tie : report.ties) {
    json["ties"].push_back({{"class", tie.class_index},
                            {"eigenvalue", complex(tie.eigenvalue)},
                            {"nearest", tie.nearest},
                            {"second", tie.second}});
  }
  json["generators"] = Json::array();
  for (const auto& generator : report.generators) {
    json["generators"].push_back(generator_json(generator));
  }
  json["copies_of_regular"] = report.copies_of_regular;
  json["orbits"] = nullptr;
  if (report.orbits) {
    json["orbits"] = {{"independent", report.orbits->independent},
                      {"possible", report.orbits->possible},
                      {"tolerance", number(report.orbits->tolerance)},
                      {"ratios", numbers(report.orbits->ratios)}};
  }
  json["equivariance_loss"] = number(report.equivariance_loss);
  json["equivariance_error"] = number(report.equivariance_error);
  json["nearest"] = {{"distance", number(report.nearest_distance)},
                     {"reason", report.nearest_reason}};
  json["theorem"] = report.theorem ? theorem_json(*report.theorem) : Json(nullptr);
  return json.dump(2);
}

std::string to_text(const RepresentationReport& report) {
  std::string text =
      fmt::format("learned representation of {} (order {}) on {} dimensions{}\n\n", report.group,
                  report.order, report.dimension, report.converged ? "" : ", NOT CONVERGED");
  Table table({{"character"},
               {"degree", Align::kRight},
               {"by classes", Align::kRight},
               {"by elements", Align::kRight},
               {"by eigenvalues", Align::kRight}});
  for (const auto& irreducible : report.irreducibles) {
    table.add_row({irreducible.name, fmt::format("{}", irreducible.degree),
                   fmt::format("{:.3f}", irreducible.by_classes),
                   fmt::format("{:.3f}", irreducible.by_elements),
                   fmt::format("{:.3f}", irreducible.by_eigenvalues)});
  }
  text += table.to_text();
  if (!report.ties.empty()) {
    text += fmt::format("{} eigenvalues lie between two roots of unity\n", report.ties.size());
  }
  text += fmt::format("\nalgebra loss {:.3g}", report.algebra_loss);
  for (const auto& relator : report.relators) {
    text += fmt::format("{}{} {:.3g}", &relator == &report.relators.front() ? ": " : ", ",
                        relator.relator, relator.loss);
  }
  text += '\n';
  for (const auto& generator : report.generators) {
    text += fmt::format(
        "{}: singular values {:.3g} to {:.3g}{}, eigenvalues near the roots of unity {}\n",
        generator.name, generator.sigma_min, generator.sigma_max,
        generator.singular ? " (singular)" : "", fmt::join(generator.counts, " "));
  }
  if (report.equivariance_loss) {
    text += fmt::format("equivariance loss {:.3g}, relative error {:.3g}\n",
                        *report.equivariance_loss, report.equivariance_error.value_or(0));
  }
  text += fmt::format("copies of the regular representation: {}\n", report.copies_of_regular);
  if (report.orbits) {
    text +=
        fmt::format("independent embedded orbits: {} of {} (tolerance {:.2g})\n",
                    report.orbits->independent, report.orbits->possible, report.orbits->tolerance);
  }
  text += report.nearest_distance
              ? fmt::format("nearest exact representation at distance {:.3g}\n",
                            *report.nearest_distance)
              : fmt::format("nearest exact representation: {}\n", report.nearest_reason);
  if (report.theorem) {
    const auto& theorem = *report.theorem;
    text += fmt::format(
        "Theorem 1 on {} samples ({} of full rank): median distance {:.3g}, bound {:.3g}, "
        "sigma_min {:.3g}; {} violations\n",
        theorem.samples, theorem.full_rank, theorem.median_distance, theorem.median_bound,
        theorem.median_sigma_min, theorem.violations);
  }
  return text;
}

std::map<std::string, double> to_metrics(const RepresentationReport& report) {
  std::map<std::string, double> metrics = {
      {"algebra_loss", report.algebra_loss},
      {"converged", report.converged ? 1.0 : 0.0},
      {"copies_of_regular", static_cast<double>(report.copies_of_regular)},
      {"eigenvalue_ties", static_cast<double>(report.ties.size())}};
  for (const auto& relator : report.relators) {
    metrics["relator_loss/" + relator.relator] = relator.loss;
  }
  for (const auto& irreducible : report.irreducibles) {
    metrics["multiplicity/" + irreducible.name] = irreducible.by_classes;
    metrics["multiplicity_by_elements/" + irreducible.name] = irreducible.by_elements;
    metrics["multiplicity_by_eigenvalues/" + irreducible.name] = irreducible.by_eigenvalues;
  }
  for (const auto& generator : report.generators) {
    metrics["sigma_min/" + generator.name] = generator.sigma_min;
    for (std::size_t k = 0; k < generator.counts.size(); ++k) {
      metrics[fmt::format("eigenvalues/{}/{}", generator.name, k)] =
          static_cast<double>(generator.counts[k]);
    }
  }
  if (report.equivariance_loss) metrics["equivariance_loss"] = *report.equivariance_loss;
  if (report.equivariance_error) metrics["equivariance_error"] = *report.equivariance_error;
  if (report.orbits) {
    metrics["independent_orbits"] = static_cast<double>(report.orbits->independent);
    metrics["orbit_tolerance"] = report.orbits->tolerance;
  }
  if (report.nearest_distance) metrics["nearest_distance"] = *report.nearest_distance;
  if (report.theorem) {
    metrics["theorem_full_rank"] = static_cast<double>(report.theorem->full_rank);
    metrics["theorem_violations"] = static_cast<double>(report.theorem->violations);
    metrics["theorem_median_sigma_min"] = report.theorem->median_sigma_min;
    metrics["theorem_median_distance"] = report.theorem->median_distance;
    metrics["theorem_median_bound"] = report.theorem->median_bound;
  }
  return metrics;
}

}  // namespace algprior
