#include "algprior/audit/audit_subject.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

namespace algprior {
namespace {

using AuditJson = nlohmann::ordered_json;

AuditJson number(double value) {
  return std::isfinite(value) ? AuditJson(value) : AuditJson(nullptr);
}

template <class T>
AuditJson optional_json(const std::optional<T>& value) {
  return value ? AuditJson(*value) : AuditJson(nullptr);
}

AuditJson estimate_json(const std::optional<Estimate>& estimate) {
  if (!estimate) return nullptr;
  return {{"value", number(estimate->value)},
          {"low", number(estimate->low)},
          {"high", number(estimate->high)}};
}

AuditJson errors_json(const AuditErrors& errors) {
  return {{"invariance", estimate_json(errors.invariance)},
          {"regular", estimate_json(errors.regular)},
          {"defining", estimate_json(errors.defining)},
          {"given", estimate_json(errors.given)},
          {"fitted", estimate_json(errors.fitted)},
          {"shuffled", estimate_json(errors.shuffled)}};
}

AuditJson fitted_json(const FittedRepresentation& fitted) {
  AuditJson multiplicities = AuditJson::array();
  for (const FittedMultiplicity& one : fitted.multiplicities) {
    multiplicities.push_back({{"irrep", one.irrep},
                              {"degree", one.degree},
                              {"value", number(one.value.value)},
                              {"low", number(one.value.low)},
                              {"high", number(one.value.high)},
                              {"exact", optional_json(one.exact)}});
  }
  return {{"rank", fitted.rank},
          {"homomorphism_defect", optional_json(fitted.homomorphism_defect)},
          {"distance_to_exact", optional_json(fitted.distance_to_exact)},
          {"multiplicities", std::move(multiplicities)},
          {"regular_copies", optional_json(fitted.regular_copies)},
          {"reason", fitted.reason.empty() ? AuditJson(nullptr) : AuditJson(fitted.reason)}};
}

AuditJson theorem_json(const std::optional<AuditTheorem>& theorem) {
  if (!theorem) return nullptr;
  return {{"tried", theorem->tried},
          {"samples", theorem->samples},
          {"held", theorem->held},
          {"distance", optional_json(theorem->distance)},
          {"bound", optional_json(theorem->bound)}};
}

AuditJson elements_json(const std::vector<ElementError>& elements) {
  AuditJson result = AuditJson::array();
  for (const ElementError& one : elements) {
    result.push_back({{"element", one.element}, {"word", one.word}, {"error", number(one.error)}});
  }
  return result;
}

AuditJson floor_json(const std::optional<AuditFloor>& floor) {
  if (!floor) return nullptr;
  return {{"value", number(floor->value)},
          {"inside", optional_json(floor->inside)},
          {"exact_elements", floor->exact},
          {"per_element", elements_json(floor->per_element)}};
}

AuditJson candidates_json(const std::vector<CandidateGroup>& groups) {
  AuditJson result = AuditJson::array();
  for (const CandidateGroup& one : groups) {
    result.push_back(
        {{"group", one.name},
         {"order", one.order},
         {"subgroup", one.found ? AuditJson(one.generators) : AuditJson(nullptr)},
         {"verdict", one.verdict ? AuditJson(to_string(*one.verdict)) : AuditJson(nullptr)},
         {"invariance", estimate_json(one.errors.invariance)},
         {"fitted", estimate_json(one.errors.fitted)},
         {"shuffled", estimate_json(one.errors.shuffled)},
         {"homomorphism_defect", optional_json(one.homomorphism_defect)}});
  }
  return result;
}

}  // namespace

std::string to_json(const AuditReport& report) {
  AuditJson json{
      {"subject", report.subject.empty() ? AuditJson(nullptr) : AuditJson(report.subject)},
      {"group", report.group},
      {"order", report.order},
      {"samples", report.samples},
      {"dimension", report.dimension},
      {"effective_rank", report.effective_rank},
      {"spread", number(report.spread)},
      {"relative_spread", number(report.relative_spread)},
      {"verdict", to_string(report.verdict)},
      {"audited", report.audited.empty() ? AuditJson(nullptr) : AuditJson(report.audited)},
      {"errors", errors_json(report.errors)},
      {"fitted", fitted_json(report.fitted)},
      {"theorem1", theorem_json(report.theorem)}};
  json["probes"] = report.probes ? AuditJson{{"local", report.probes->local},
                                             {"global", optional_json(report.probes->global)},
                                             {"chance", report.probes->chance}}
                                 : AuditJson(nullptr);
  json["room"] = {{"invariants", optional_json(report.room.invariants)},
                  {"classes", optional_json(report.room.classes)}};
  json["inputs"] = report.inputs ? AuditJson{{"unmoved", report.inputs->unmoved},
                                             {"norm_drift", number(report.inputs->norm_drift)}}
                                 : AuditJson(nullptr);
  json["floor"] = floor_json(report.floor);
  json["spectrum"] = report.spectrum;
  json["per_element"] = elements_json(report.per_element);
  AuditJson& irreps = json["per_irrep"] = AuditJson::array();
  for (const IrrepError& one : report.per_irrep) {
    irreps.push_back({{"irrep", one.irrep},
                      {"degree", one.degree},
                      {"share", number(one.share)},
                      {"error", optional_json(one.error)}});
  }
  AuditJson& worst = json["worst"] = AuditJson::array();
  for (const SampleError& one : report.worst) {
    worst.push_back({{"sample", one.sample}, {"error", number(one.error)}});
  }
  json["quantiles"] = nullptr;
  if (report.quantiles) {
    const auto& q = *report.quantiles;
    json["quantiles"] = {{"5", q[0]}, {"25", q[1]}, {"50", q[2]}, {"75", q[3]}, {"95", q[4]}};
  }
  AuditJson& classes = json["per_class"] = AuditJson::array();
  for (const ClassError& one : report.per_class) {
    classes.push_back(
        {{"label", one.label}, {"samples", one.samples}, {"error", number(one.error)}});
  }
  json["groups"] = candidates_json(report.groups);
  json["remarks"] = report.remarks;
  json["next"] = report.next;
  json["method"] = {{"input", report.pairs ? "pairs" : "orbits"},
                    {"base_points", report.base_points},
                    {"interval", "95 % percentile bootstrap over samples"},
                    {"resamplings", report.bootstrap},
                    {"seed", report.seed}};
  return json.dump(2, ' ', false, AuditJson::error_handler_t::replace);
}

std::string to_json(const AuditComparison& comparison) {
  AuditJson difference = errors_json(comparison.difference);
  difference.erase("shuffled");
  const AuditJson json{{"first", AuditJson::parse(to_json(comparison.first))},
                       {"second", AuditJson::parse(to_json(comparison.second))},
                       {"difference", std::move(difference)}};
  return json.dump(2);
}

}  // namespace algprior
