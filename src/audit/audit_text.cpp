#include "algprior/audit/audit.hpp"
#include "algprior/base/table.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace algprior {
namespace {

constexpr std::size_t kShownIrreps = 12;
constexpr std::size_t kShownRows = 5;

std::string show(double value) {
  if (!std::isfinite(value)) return "-";
  return value != 0 && std::abs(value) < 5e-4 ? fmt::format("{:.1e}", value)
                                              : fmt::format("{:.3f}", value);
}

std::string errors_table(const AuditReport& report) {
  Table table({{"error (0 exact, 1 chance)"}, {"value", Align::kRight}, {"95 % interval"}, {""}});
  const auto add = [&](const char* name, const std::optional<Estimate>& estimate,
                       const char* note) {
    if (!estimate) {
      table.add_row({name, "-", "does not apply", note});
      return;
    }
    table.add_row({name, show(estimate->value),
                   fmt::format("{} to {}", show(estimate->low), show(estimate->high)), note});
  };
  add("invariance", report.errors.invariance, "g does nothing");
  add("regular", report.errors.regular, "copies of the regular representation");
  add("defining", report.errors.defining, "copies of the defining representation");
  if (report.errors.given) add("given", report.errors.given, "the representation asked for");
  add("fitted", report.errors.fitted, "fitted on half of the samples, scored on the rest");
  add("shuffled", report.errors.shuffled, "control: pairs of different samples");
  return table.to_text();
}

std::string fitted_text(const FittedRepresentation& fitted) {
  if (fitted.multiplicities.empty()) return "";
  std::string text = fmt::format("\nFitted representation on {} directions: homomorphism defect {}",
                                 fitted.rank, show(fitted.homomorphism_defect.value_or(NAN)));
  if (fitted.distance_to_exact) {
    text += fmt::format(", {} from an exact one with {} cop{} of the regular representation",
                        show(*fitted.distance_to_exact), fitted.regular_copies.value_or(0),
                        fitted.regular_copies == std::size_t{1} ? "y" : "ies");
  }
  Table table({{"irrep"},
               {"degree", Align::kRight},
               {"multiplicity", Align::kRight},
               {"95 % interval"},
               {"exact", Align::kRight}});
  for (std::size_t i = 0; i < std::min(kShownIrreps, fitted.multiplicities.size()); ++i) {
    const FittedMultiplicity& one = fitted.multiplicities[i];
    table.add_row({fmt::format("χ{}", one.irrep + 1), std::to_string(one.degree),
                   fmt::format("{:.2f}", one.value.value),
                   fmt::format("{:.2f} to {:.2f}", one.value.low, one.value.high),
                   one.exact ? std::to_string(*one.exact) : "-"});
  }
  text += "\n" + table.to_text();
  if (fitted.multiplicities.size() > kShownIrreps) {
    text +=
        fmt::format("and {} more (--json has all)\n", fitted.multiplicities.size() - kShownIrreps);
  }
  return text;
}

std::string measures_text(const AuditReport& report) {
  std::string text;
  if (report.theorem && report.theorem->samples > 0) {
    text += fmt::format("Theorem 1: held on {} of {} orbits, median distance {}, bound {}\n",
                        report.theorem->held, report.theorem->samples,
                        show(report.theorem->distance.value_or(NAN)),
                        show(report.theorem->bound.value_or(NAN)));
  }
  if (report.probes) {
    text += fmt::format("g read from z: {} by a map for each orbit, {} by one map (chance {})\n",
                        show(report.probes->local), show(report.probes->global.value_or(NAN)),
                        show(report.probes->chance));
  }
  if (report.room.invariants) {
    text +=
        fmt::format("Room: {} invariant numbers in the {} representation{}\n",
                    *report.room.invariants, report.audited,
                    report.room.classes ? fmt::format(", {} classes", *report.room.classes) : "");
  }
  return text;
}

std::string floor_text(const AuditReport& report) {
  if (!report.floor) return "";
  const AuditFloor& floor = *report.floor;
  if (floor.exact + 1 == report.order) return "Floor: every g is exact on the inputs\n";
  return fmt::format(
      "Floor: g^-1(g*x) is {} from x{}; {} of {} elements are exact\n", show(floor.value),
      floor.inside ? fmt::format(" ({} without the corners)", show(*floor.inside)) : std::string(),
      floor.exact, report.order - 1);
}

std::string worst_text(const AuditReport& report) {
  std::vector<ElementError> elements = report.per_element;
  std::stable_sort(elements.begin(), elements.end(),
                   [](const ElementError& a, const ElementError& b) { return a.error > b.error; });
  std::string text;
  for (std::size_t i = 0; i < std::min(kShownRows, elements.size()); ++i) {
    text += fmt::format("{}{} {}", i == 0 ? "Worst elements: " : ", ", elements[i].word,
                        show(elements[i].error));
  }
  if (!text.empty()) text += "\n";
  for (std::size_t i = 0; i < std::min(kShownRows, report.worst.size()); ++i) {
    text += fmt::format("{}{} {}", i == 0 ? "Worst samples: " : ", ", report.worst[i].sample,
                        show(report.worst[i].error));
  }
  return text.empty() || text.back() == '\n' ? text : text + "\n";
}

std::string irreps_text(const AuditReport& report) {
  std::vector<IrrepError> parts;
  for (const IrrepError& one : report.per_irrep) {
    if (one.error && one.share > 0.01) parts.push_back(one);
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const IrrepError& a, const IrrepError& b) { return *a.error > *b.error; });
  std::string text;
  for (std::size_t i = 0; i < std::min(kShownRows, parts.size()); ++i) {
    text += fmt::format("{}χ{} {} ({:.0f} % of z)", i == 0 ? "Worst irreducible parts: " : ", ",
                        parts[i].irrep + 1, show(*parts[i].error), 100 * parts[i].share);
  }
  return text.empty() ? text : text + "\n";
}

std::string candidates_text(const std::vector<CandidateGroup>& groups) {
  if (groups.empty()) return "";
  Table table({{"group"},
               {"order", Align::kRight},
               {"by"},
               {"invariance", Align::kRight},
               {"fitted", Align::kRight},
               {"shuffled", Align::kRight},
               {"verdict"}});
  const auto cell = [](const std::optional<Estimate>& one) {
    return one ? show(one->value) : std::string("-");
  };
  for (const CandidateGroup& one : groups) {
    table.add_row({one.name, std::to_string(one.order), one.found ? one.generators : "-",
                   cell(one.errors.invariance), cell(one.errors.fitted), cell(one.errors.shuffled),
                   one.verdict ? to_string(*one.verdict) : "no such subgroup"});
  }
  return "\nCandidates, the best supported first:\n" + table.to_text();
}

}  // namespace

std::string verdict_sentence(const AuditReport& report) {
  const std::string& group = report.group;
  switch (report.verdict) {
    case Verdict::kCollapsed:
      return "Collapsed: the encoder gives all inputs the same vector, up to noise.";
    case Verdict::kInvariant:
      return fmt::format("Invariant under {}: E(gx) = E(x), so g cannot be read from z.", group);
    case Verdict::kGiven:
      return fmt::format("Equivariant under {} to the {} representation.", group,
                         report.audited.empty() ? "given" : report.audited);
    case Verdict::kSome:
      return fmt::format(
          "Equivariant under {} to some representation, though not in the coordinates asked for.",
          group);
    default:
      return report.errors.fitted
                 ? fmt::format("Not equivariant under {}: no representation was found.", group)
                 : fmt::format(
                       "Not equivariant under {} to the representations tried; none could "
                       "be fitted.",
                       group);
  }
}

std::string to_text(const AuditReport& report) {
  std::string text = verdict_sentence(report) + "\n";
  if (!report.subject.empty()) text += report.subject + ": ";
  text += fmt::format("{} samples, |{}| = {}, z has {} coordinates and varies in {} directions\n\n",
                      report.samples, report.group, report.order, report.dimension,
                      report.effective_rank);
  if (report.verdict != Verdict::kCollapsed) {
    text += errors_table(report) + fitted_text(report.fitted) + "\n" + measures_text(report) +
            floor_text(report) + worst_text(report) + irreps_text(report);
  }
  text += candidates_text(report.groups);
  for (const std::string& remark : report.remarks) text += "Note: " + remark + ".\n";
  for (const std::string& step : report.next) text += "Next: " + step + ".\n";
  return text;
}

}  // namespace algprior
