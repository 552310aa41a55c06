#include "assemble.hpp"

#include <cmath>

#include <fmt/format.h>

namespace algprior {

std::string to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::kCollapsed:
      return "collapsed";
    case Verdict::kInvariant:
      return "invariant";
    case Verdict::kGiven:
      return "equivariant to the given representation";
    case Verdict::kSome:
      return "equivariant to some representation";
    default:
      return "none";
  }
}

namespace auditing {
namespace {

/// ρ̂ must be nearly a homomorphism to count as a representation.
constexpr double kHomomorphism = 0.5;
/// A representation explains more than invariance does when it has less than this part of its
/// error.
constexpr double kMuchBetter = 0.5;

bool much_better(const std::optional<Estimate>& one, const Estimate& other) {
  return one && one->high < kMuchBetter * other.low;
}

/// The sample with the largest part of a sum, if that part is suspicious.
std::optional<std::pair<std::size_t, double>> dominating(const Eigen::VectorXd& parts) {
  Eigen::Index place = 0;
  const double largest = parts.maxCoeff(&place);
  const double share = largest / parts.sum();
  const double expected = 1.0 / static_cast<double>(parts.size());
  if (parts.size() < 20 || !(share > std::max(0.1, 10 * expected))) return std::nullopt;
  return std::pair{static_cast<std::size_t>(place), share};
}

}  // namespace

void decide(AuditReport& report, const AuditOptions& options) {
  const double limit = options.equivariant_below;
  const AuditErrors& errors = report.errors;
  const auto below = [&](const std::optional<Estimate>& one) { return one && one->value <= limit; };
  // What the person named; else the two that people build for.
  std::string named = "given";
  std::optional<Estimate> best = errors.given;
  if (!options.has_given()) {
    const bool regular =
        errors.regular && (!errors.defining || errors.regular->value <= errors.defining->value);
    named = regular ? "regular" : "defining";
    best = regular ? errors.regular : errors.defining;
  }
  const bool is_representation =
      report.fitted.homomorphism_defect && *report.fitted.homomorphism_defect <= kHomomorphism;
  const bool some = below(errors.fitted) && is_representation;
  const bool invariant = below(errors.invariance) && !much_better(best, *errors.invariance) &&
                         !(some && much_better(errors.fitted, *errors.invariance));
  if (invariant) {
    report.verdict = Verdict::kInvariant;
    report.audited = options.has_given() && errors.given ? "given" : "trivial";
  } else if (below(best)) {
    report.verdict = Verdict::kGiven;
    report.audited = named;
  } else {
    report.verdict = some ? Verdict::kSome : Verdict::kNone;
    report.audited = options.has_given() && errors.given ? "given"
                     : errors.fitted                     ? "fitted"
                     : best                              ? named
                                                         : "trivial";
  }
}

namespace {

void remark_on_data(AuditReport& report, const Evidence& evidence, const Source& source) {
  auto& remarks = report.remarks;
  const Moments& moments = evidence.moments;
  if (report.inputs && report.inputs->unmoved > 0.01) {
    remarks.push_back(fmt::format("{:.0f} % of the inputs g*x equal x: these say nothing about g",
                                  100 * report.inputs->unmoved));
  }
  if (report.verdict == Verdict::kCollapsed) return;
  if (moments.orbits_equal) {
    remarks.push_back(
        "E(gx) = E(x) to the last bit for every g: were the inputs transformed at all?");
  }
  if (moments.smallest >= 0) {
    remarks.push_back(
        "no coordinate of z is ever negative (behind a ReLU?): errors are of z minus "
        "its mean, or the mean would hide them");
  }
  if (const auto outlier = dominating(moments.spread)) {
    remarks.push_back(
        fmt::format("sample {} alone has {:.0f} % of the variance of z: an outlier; "
                    "audit again without it",
                    outlier->first, 100 * outlier->second));
  }
  const Judged* audited = evidence.find(report.audited);
  if (audited != nullptr && audited->estimate.value > 1e-3) {
    if (const auto outlier = dominating(audited->errors.sum)) {
      remarks.push_back(fmt::format("sample {} alone has {:.0f} % of the squared error",
                                    outlier->first, 100 * outlier->second));
    }
  }
  if (evidence.identity_error && *evidence.identity_error > 1e-3) {
    remarks.push_back(
        fmt::format("E(x) differs between two calls (error {:.2g} for g = e): dropout, "
                    "or batch norm in training mode? Switch the encoder to evaluation",
                    *evidence.identity_error));
  }
  if (report.effective_rank < report.dimension) {
    remarks.push_back(fmt::format("z varies in {} of its {} directions", report.effective_rank,
                                  report.dimension));
  }
  if (report.order > source.dimension()) {
    remarks.push_back(fmt::format("the regular representation needs {} coordinates, z has {}",
                                  report.order, report.dimension));
  }
}

void remark_on_fit(AuditReport& report) {
  auto& remarks = report.remarks;
  if (!report.fitted.reason.empty() && report.verdict != Verdict::kCollapsed) {
    remarks.push_back("fitted representation: " + report.fitted.reason);
  }
  const auto& defect = report.fitted.homomorphism_defect;
  if (defect && *defect > kHomomorphism && report.errors.fitted &&
      report.errors.fitted->value < kHomomorphism) {
    remarks.push_back(
        "z(gx) can be predicted, but not by a representation of this group: is the "
        "order of the elements right?");
  }
  if (report.theorem && report.theorem->tried > 0 && report.theorem->samples == 0) {
    remarks.push_back("Theorem 1 does not apply: no embedded orbit has full rank");
  }
  if (report.per_element.size() < 2 || report.verdict == Verdict::kNone) return;
  const auto by_error = [](const ElementError& a, const ElementError& b) {
    return a.error < b.error;
  };
  const auto [least, most] =
      std::minmax_element(report.per_element.begin(), report.per_element.end(), by_error);
  if (most->error > 0.02 && least->error < 0.5 * most->error) {
    remarks.push_back(
        fmt::format("elements differ: {} has an error of {:.2g}, {} of {:.2g}; "
                    "interpolation, padding or strides break some and not others",
                    most->word, most->error, least->word, least->error));
  }
}

void name_next_steps(AuditReport& report) {
  auto& next = report.next;
  switch (report.verdict) {
    case Verdict::kCollapsed:
      next.push_back(
          "look for a dead layer, a weight of the prior that is too large, or inputs "
          "that are all alike");
      return;
    case Verdict::kInvariant:
      next.push_back(
          "g cannot be read from z; where it must stay readable, train with the regular "
          "representation");
      break;
    case Verdict::kGiven:
      next.push_back("to ask for less or more of the symmetry, compare candidates with --groups");
      break;
    case Verdict::kSome:
      next.push_back(
          "z carries the representation in a basis of its own; heads behind z need no "
          "more, code that permutes coordinates does");
      break;
    default:
      next.push_back(
          "audit smaller groups with --groups, an earlier layer, or train with the prior");
  }
  if (!report.errors.fitted && report.verdict != Verdict::kInvariant) {
    next.push_back("embed more samples, so that a representation can be fitted");
  }
  const AuditRoom& room = report.room;
  if (room.invariants && room.classes && *room.invariants < *room.classes) {
    next.push_back(
        fmt::format("exact equivariance leaves a linear head {} invariant numbers for {} "
                    "classes: give it a hidden layer or z more coordinates",
                    *room.invariants, *room.classes));
  }
}

}  // namespace

void advise(AuditReport& report, const Evidence& evidence, const Source& source,
            const AuditOptions&) {
  remark_on_data(report, evidence, source);
  remark_on_fit(report);
  name_next_steps(report);
}

}  // namespace auditing
}  // namespace algprior
