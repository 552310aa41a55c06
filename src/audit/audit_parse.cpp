// The JSON of a report back into a report.
#include "algprior/audit/audit.hpp"
#include "algprior/base/error.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace algprior {
namespace {

using ParsedJson = nlohmann::ordered_json;

/// Members by name; whatever is absent, null or of another type is as if it were not there, but
/// for what a report cannot be without.
class Members {
 public:
  explicit Members(const ParsedJson& json) : json_(json.is_object() ? &json : nullptr) {}

  const ParsedJson* find(const char* key) const {
    if (json_ == nullptr) return nullptr;
    const auto entry = json_->find(key);
    return entry == json_->end() || entry->is_null() ? nullptr : &*entry;
  }
  std::optional<double> number(const char* key) const {
    const ParsedJson* value = find(key);
    return value != nullptr && value->is_number() ? std::optional(value->get<double>())
                                                  : std::nullopt;
  }
  std::optional<std::size_t> count(const char* key) const {
    const ParsedJson* value = find(key);
    return value != nullptr && value->is_number_unsigned()
               ? std::optional(value->get<std::size_t>())
               : std::nullopt;
  }
  int degree() const {
    return static_cast<int>(std::min<std::size_t>(count("degree").value_or(1), 1'000'000));
  }
  std::string text(const char* key) const {
    const ParsedJson* value = find(key);
    return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
  }
  /// The elements of an array of objects.
  template <class Take>
  void each(const char* key, Take take) const {
    const ParsedJson* value = find(key);
    if (value == nullptr || !value->is_array()) return;
    for (const ParsedJson& one : *value) take(Members(one));
  }

 private:
  const ParsedJson* json_;
};

constexpr double kNotFinite = std::numeric_limits<double>::quiet_NaN();

std::optional<Estimate> parse_estimate(const Members& members, const char* key) {
  const ParsedJson* value = members.find(key);
  if (value == nullptr || !value->is_object()) return std::nullopt;
  const Members inner(*value);
  return Estimate{inner.number("value").value_or(kNotFinite),
                  inner.number("low").value_or(kNotFinite),
                  inner.number("high").value_or(kNotFinite)};
}

AuditErrors parse_errors(const Members& members) {
  return {parse_estimate(members, "invariance"), parse_estimate(members, "regular"),
          parse_estimate(members, "defining"),   parse_estimate(members, "given"),
          parse_estimate(members, "fitted"),     parse_estimate(members, "shuffled")};
}

std::optional<Verdict> parse_verdict(const std::string& text) {
  for (const Verdict verdict : {Verdict::kCollapsed, Verdict::kInvariant, Verdict::kGiven,
                                Verdict::kSome, Verdict::kNone}) {
    if (to_string(verdict) == text) return verdict;
  }
  return std::nullopt;
}

std::vector<ElementError> parse_elements(const Members& members) {
  std::vector<ElementError> result;
  members.each("per_element", [&](const Members& one) {
    result.push_back({static_cast<Element>(one.count("element").value_or(0)), one.text("word"),
                      one.number("error").value_or(kNotFinite)});
  });
  return result;
}

std::vector<std::string> parse_texts(const Members& members, const char* key) {
  std::vector<std::string> result;
  const ParsedJson* value = members.find(key);
  if (value == nullptr || !value->is_array()) return result;
  for (const ParsedJson& one : *value) {
    if (one.is_string()) result.push_back(one.get<std::string>());
  }
  return result;
}

FittedRepresentation parse_fitted(const Members& members) {
  FittedRepresentation fitted;
  fitted.rank = members.count("rank").value_or(0);
  fitted.homomorphism_defect = members.number("homomorphism_defect");
  fitted.distance_to_exact = members.number("distance_to_exact");
  fitted.regular_copies = members.count("regular_copies");
  fitted.reason = members.text("reason");
  members.each("multiplicities", [&](const Members& one) {
    fitted.multiplicities.push_back(
        {one.count("irrep").value_or(0),
         one.degree(),
         {one.number("value").value_or(kNotFinite), one.number("low").value_or(kNotFinite),
          one.number("high").value_or(kNotFinite)},
         one.count("exact")});
  });
  return fitted;
}

void parse_measures(const Members& all, AuditReport& report) {
  const auto inner = [&](const char* key, auto take) {
    if (const ParsedJson* value = all.find(key); value != nullptr && value->is_object()) {
      take(Members(*value));
    }
  };
  inner("theorem1", [&](const Members& one) {
    report.theorem =
        AuditTheorem{one.count("tried").value_or(0), one.count("samples").value_or(0),
                     one.count("held").value_or(0), one.number("distance"), one.number("bound")};
  });
  inner("probes", [&](const Members& one) {
    report.probes = AuditProbes{one.number("local").value_or(0), one.number("global"),
                                one.number("chance").value_or(0)};
  });
  inner("room", [&](const Members& one) {
    report.room = {one.count("invariants"), one.count("classes")};
  });
  inner("inputs", [&](const Members& one) {
    report.inputs = AuditInputs{one.number("unmoved").value_or(0),
                                one.number("norm_drift").value_or(kNotFinite)};
  });
  inner("floor", [&](const Members& one) {
    report.floor = AuditFloor{one.number("value").value_or(kNotFinite), one.number("inside"),
                              one.count("exact_elements").value_or(0), parse_elements(one)};
  });
  inner("quantiles", [&](const Members& one) {
    report.quantiles.emplace();
    for (const char* part : {"5", "25", "50", "75", "95"}) {
      report.quantiles->push_back(one.number(part).value_or(kNotFinite));
    }
  });
  inner("method", [&](const Members& one) {
    report.pairs = one.text("input") == "pairs";
    report.base_points = one.count("base_points").value_or(0);
    report.bootstrap = one.count("resamplings").value_or(0);
    report.seed = one.count("seed").value_or(0);
  });
}

void parse_lists(const Members& all, AuditReport& report) {
  if (const ParsedJson* spectrum = all.find("spectrum"); spectrum && spectrum->is_array()) {
    for (const ParsedJson& one : *spectrum) {
      report.spectrum.push_back(one.is_number() ? one.get<double>() : kNotFinite);
    }
  }
  report.per_element = parse_elements(all);
  all.each("per_irrep", [&](const Members& one) {
    report.per_irrep.push_back({one.count("irrep").value_or(0), one.degree(),
                                one.number("share").value_or(kNotFinite), one.number("error")});
  });
  all.each("worst", [&](const Members& one) {
    report.worst.push_back(
        {one.count("sample").value_or(0), one.number("error").value_or(kNotFinite)});
  });
  all.each("per_class", [&](const Members& one) {
    const ParsedJson* label = one.find("label");
    report.per_class.push_back(
        {label != nullptr && label->is_number_integer() ? label->get<std::int64_t>() : 0,
         one.count("samples").value_or(0), one.number("error").value_or(kNotFinite)});
  });
  all.each("groups", [&](const Members& one) {
    CandidateGroup candidate;
    candidate.name = one.text("group");
    candidate.order = one.count("order").value_or(0);
    candidate.found = one.find("subgroup") != nullptr;
    candidate.generators = one.text("subgroup");
    candidate.verdict = parse_verdict(one.text("verdict"));
    candidate.errors.invariance = parse_estimate(one, "invariance");
    candidate.errors.fitted = parse_estimate(one, "fitted");
    candidate.errors.shuffled = parse_estimate(one, "shuffled");
    candidate.homomorphism_defect = one.number("homomorphism_defect");
    report.groups.push_back(std::move(candidate));
  });
  report.remarks = parse_texts(all, "remarks");
  report.next = parse_texts(all, "next");
}

}  // namespace

AuditReport parse_audit(const std::string& json, const std::string& file) {
  const auto refuse = [&](const std::string& what) {
    throw FileError(
        {"this is no report of an audit", file, what, "audit again: algprior audit writes it"});
  };
  const ParsedJson document = ParsedJson::parse(json, nullptr, false);
  if (document.is_discarded() || !document.is_object()) refuse("one JSON object");
  const Members all(document);
  const auto verdict = parse_verdict(all.text("verdict"));
  const ParsedJson* errors = all.find("errors");
  if (!verdict || errors == nullptr || !errors->is_object() || all.text("group").empty()) {
    refuse("group, verdict and errors as algprior audit --json writes them");
  }
  AuditReport report;
  report.subject = all.text("subject");
  report.group = all.text("group");
  report.order = all.count("order").value_or(0);
  report.samples = all.count("samples").value_or(0);
  report.dimension = all.count("dimension").value_or(0);
  report.effective_rank = all.count("effective_rank").value_or(0);
  report.spread = all.number("spread").value_or(kNotFinite);
  report.relative_spread = all.number("relative_spread").value_or(kNotFinite);
  report.verdict = *verdict;
  report.audited = all.text("audited");
  report.errors = parse_errors(Members(*errors));
  if (const ParsedJson* fitted = all.find("fitted")) report.fitted = parse_fitted(Members(*fitted));
  parse_measures(all, report);
  parse_lists(all, report);
  return report;
}

}  // namespace algprior
