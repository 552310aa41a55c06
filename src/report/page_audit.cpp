#include "algprior/report/audit_section.hpp"
#include "algprior/report/markup.hpp"
#include "page_parts.hpp"

#include <fmt/format.h>

namespace algprior::report {
namespace {

std::vector<std::vector<std::string>> measures_of(const AuditReport& audit) {
  std::vector<std::vector<std::string>> rows{
      {"samples", std::to_string(audit.samples)},
      {"elements of the group", std::to_string(audit.order)},
      {"coordinates of z", std::to_string(audit.dimension)},
      {"directions in which z varies", std::to_string(audit.effective_rank)}};
  if (audit.fitted.homomorphism_defect) {
    rows.push_back({"homomorphism defect of the fitted representation",
                    number_text(*audit.fitted.homomorphism_defect, 3)});
  }
  if (audit.theorem && audit.theorem->distance && audit.theorem->bound) {
    rows.push_back(
        {"Theorem 1, median distance and bound",
         fmt::format("{} ≤ {} (held on {} of {} orbits)", number_text(*audit.theorem->distance, 3),
                     number_text(*audit.theorem->bound, 3), audit.theorem->held,
                     audit.theorem->samples)});
  }
  if (audit.probes) {
    rows.push_back({"g read from z by a map for each orbit, by one map, by chance",
                    fmt::format("{}, {}, {}", number_text(audit.probes->local, 3),
                                audit.probes->global ? number_text(*audit.probes->global, 3) : "–",
                                number_text(audit.probes->chance, 3))});
  }
  if (audit.room.invariants) {
    rows.push_back({"invariant numbers left by exact equivariance",
                    audit.room.classes ? fmt::format("{} for {} classes", *audit.room.invariants,
                                                     *audit.room.classes)
                                       : std::to_string(*audit.room.invariants)});
  }
  if (audit.floor) {
    rows.push_back({"floor: g⁻¹(g·x) against x", number_text(audit.floor->value, 3)});
  }
  return rows;
}

std::string list_of(const std::string& heading, const std::vector<std::string>& lines) {
  if (lines.empty()) return "";
  std::string html = fmt::format("<p>{}</p><ul>", escape(heading));
  for (const std::string& line : lines) html += fmt::format("<li>{}</li>", escape(line));
  return html + "</ul>";
}

std::string candidates_of(const AuditReport& audit) {
  if (audit.groups.empty()) return "";
  std::vector<std::vector<std::string>> rows;
  const auto cell = [](const std::optional<Estimate>& one) {
    return one ? number_text(one->value, 3) : std::string("–");
  };
  for (const CandidateGroup& one : audit.groups) {
    rows.push_back({one.name, std::to_string(one.order), cell(one.errors.invariance),
                    cell(one.errors.fitted), cell(one.errors.shuffled),
                    one.verdict ? algprior::to_string(*one.verdict) : "no such subgroup"});
  }
  return html_table({"candidate", "order", "invariance", "fitted", "shuffled", "verdict"}, rows,
                    "Candidate groups");
}

}  // namespace

PagePart audit_part(const AuditReport& audit, const std::string& id) {
  const std::string subject = audit.subject.empty() ? audit.group : audit.subject;
  std::string html = fmt::format("<section id=\"{}\"><h3>Audit: {}</h3><p><strong>{}</strong></p>",
                                 id, escape(subject), escape(verdict_sentence(audit)));
  html += html_table({"", ""}, measures_of(audit), "Audit of " + subject, false);
  for (const Figure& figure : audit_figures(audit)) {
    html += html_figure(figure, id + "-" + to_slug(figure.name));
  }
  html += candidates_of(audit) + list_of("To know before believing it:", audit.remarks) +
          list_of("To try next:", audit.next);
  return {id, html + "</section>"};
}

Page audit_page(const AuditReport& audit, const std::string& title) {
  return {title,
          {{"audits", "<h2 id=\"audits\">Is the encoder equivariant?</h2>"},
           audit_part(audit, "audit-0")}};
}

std::vector<PagePart> audit_parts(const RunSet& set) {
  std::vector<PagePart> parts;
  for (const Run& run : set.runs) {
    for (const AuditReport& audit : run.audits) {
      parts.push_back(audit_part(audit, fmt::format("audit-{}", parts.size())));
    }
  }
  if (!parts.empty()) {
    parts.insert(parts.begin(), {"audits", "<h2 id=\"audits\">Are the encoders equivariant?</h2>"});
  }
  return parts;
}

}  // namespace algprior::report
