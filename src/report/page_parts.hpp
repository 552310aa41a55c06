#pragma once

#include "algprior/report/page.hpp"

#include <string>
#include <vector>

namespace algprior::report {

/// A table with a header row; with `numeric` all columns but the first are aligned right. In a
/// scrolling region with a name, so that keyboards reach what a narrow screen hides.
std::string html_table(const std::vector<std::string>& columns,
                       const std::vector<std::vector<std::string>>& rows, const std::string& name,
                       bool numeric = true);

std::string html_figure(const Figure& figure, const std::string& id);

PagePart summary_part(const RunSet& set);
PagePart differences_part(const RunSet& set);
PagePart runs_part(const RunSet& set);
PagePart problems_part(const RunSet& set);
/// Tables of the paper that the runs belong to.
std::vector<PagePart> result_parts(const RunSet& set);
/// The audits that runs have, a section each.
std::vector<PagePart> audit_parts(const RunSet& set);
/// For each experiment a heading and the figures that its runs fill.
std::vector<PagePart> figure_parts(const RunSet& set);

}  // namespace algprior::report
