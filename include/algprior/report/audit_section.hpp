#pragma once

#include "algprior/audit/audit.hpp"
#include "algprior/report/figure.hpp"
#include "algprior/report/page.hpp"

#include <string>
#include <vector>

namespace algprior::report {

/// What an audit can show: errors with their intervals, multiplicities of the fitted
/// representation beside the regular one, errors by group element and by irreducible part, the
/// spectrum of embedded orbits. Only what the report holds.
std::vector<Figure> audit_figures(const AuditReport& audit);

/// The audit as a section of a page: verdict in words, figures, remarks and what to try next.
PagePart audit_part(const AuditReport& audit, const std::string& id);

/// The audit as a page of its own.
Page audit_page(const AuditReport& audit, const std::string& title);

}  // namespace algprior::report
