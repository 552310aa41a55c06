#include "algprior/base/error.hpp"
#include "algprior/paper/exploratory_table.hpp"
#include "algprior/paper/paper_table.hpp"
#include "algprior/report/markup.hpp"
#include "page_parts.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace algprior::report {
namespace {

// "curves" shows again, smaller, what the single curves show.
bool belongs_on_page(const FigureOffer& offer) {
  return offer.needs.empty() && offer.name != "curves";
}

RunSet runs_of_experiment(const RunSet& set, const std::string& experiment) {
  RunSet part;
  const bool null = experiment.starts_with("null");
  for (const Run& run : set.runs) {
    // The null model is what multiplicities are compared with.
    if (run.experiment == experiment || (!null && run.experiment.starts_with("null-"))) {
      part.runs.push_back(run);
    }
  }
  // Figures take their names and their first run from the beginning.
  std::stable_partition(part.runs.begin(), part.runs.end(),
                        [&](const Run& run) { return run.experiment == experiment; });
  return part;
}

PagePart broken_figure(const std::string& id, const FigureOffer& offer, const Error& error) {
  return {id, fmt::format("<p id=\"{}\" class=\"bad\">{}: {}. {}</p>", id, escape(offer.title),
                          escape(error.failure().what), escape(error.failure().where))};
}

void add_figure(const std::string& prefix, const FigureOffer& offer, const RunSet& set,
                std::vector<PagePart>& parts) {
  const std::string id = "fig-" + to_slug(prefix) + "-" + to_slug(offer.name);
  try {
    parts.push_back({id, html_figure(make_figure(offer.name, set), id)});
  } catch (const Error& error) {
    parts.push_back(broken_figure(id, offer, error));
  }
}

}  // namespace

std::string html_table(const std::vector<std::string>& columns,
                       const std::vector<std::vector<std::string>>& rows, const std::string& name,
                       bool numeric) {
  // End tags that HTML allows to leave out are left out: the numbers are most of the page.
  std::string html = fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table{}><thead><tr>",
      escape(name), numeric ? " class=\"num\"" : "");
  for (const std::string& column : columns) html += "<th scope=\"col\">" + escape(column);
  html += "<tbody>";
  for (const auto& row : rows) {
    html += "<tr>";
    for (const std::string& cell : row) html += "<td>" + escape(cell);
  }
  return html + "</table></div>";
}

std::string html_figure(const Figure& figure, const std::string& id) {
  std::string html = fmt::format(
      "<figure id=\"{0}\"{1}><div class=\"chart\"><svg width=\"{2}\" height=\"{3}\" viewBox=\"0 0 "
      "{2} {3}\" role=\"img\" "
      "aria-labelledby=\"{0}-t {0}-d\"><title id=\"{0}-t\">{4}</title><desc "
      "id=\"{0}-d\">{5}</desc>{6}"
      "</svg></div><figcaption>{5}</figcaption>",
      id, figure.cursor ? " data-cursor=\"1\"" : "", coordinate(figure.width),
      coordinate(figure.height), escape(figure.title), escape(figure.description), figure.body);
  if (!figure.numbers.rows.empty()) {
    html += fmt::format(
        "<details><summary>Numbers: {}</summary>{}", escape(figure.title),
        html_table(figure.numbers.columns, figure.numbers.rows, "Numbers of " + figure.title));
    if (!figure.numbers.note.empty()) {
      html += fmt::format("<p class=\"note\">{}</p>", escape(figure.numbers.note));
    }
    html += "</details>";
  }
  return html + "</figure>";
}

std::vector<PagePart> figure_parts(const RunSet& set) {
  std::vector<PagePart> parts;
  std::vector<std::string> experiments;
  for (const Run& run : set.runs) {
    if (experiments.empty() || experiments.back() != run.experiment) {
      experiments.push_back(run.experiment);
    }
  }
  for (const std::string& experiment : experiments) {
    const RunSet own = runs_of_experiment(set, experiment);
    const std::string heading = "exp-" + to_slug(experiment);
    parts.push_back({heading, fmt::format("<h2 id=\"{}\">{}</h2>", heading, escape(experiment))});
    const std::size_t before = parts.size();
    for (const FigureOffer& offer : list_figures(own)) {
      if (belongs_on_page(offer) && !offer.name.starts_with("table/")) {
        add_figure(experiment, offer, own, parts);
      }
    }
    if (parts.size() == before) {
      const std::string id = heading + "-empty";
      parts.push_back(
          {id, fmt::format("<p id=\"{}\" class=\"note\">These runs have nothing to draw "
                           "yet.</p>",
                           id)});
    }
  }
  return parts;
}

std::vector<PagePart> result_parts(const RunSet& set) {
  std::vector<PagePart> parts;
  for (const FigureOffer& offer : list_figures(set)) {
    if (offer.needs.empty() && offer.name.starts_with("table/"))
      add_figure("all", offer, set, parts);
  }
  // What learned representations became, run by run, beside the paper's.
  std::vector<Result> results;
  std::set<std::string> experiments;
  for (const Run& run : set.runs) {
    if (!run.result) continue;
    results.push_back(*run.result);
    experiments.insert(run.experiment);
  }
  for (const ExploratoryTable& table : make_exploratory_tables(results)) {
    if (!experiments.contains(table.experiment) || table.ours.empty()) continue;
    std::vector<std::string> columns{"run"};
    columns.insert(columns.end(), table.columns.begin(), table.columns.end());
    columns.push_back("");
    std::vector<std::vector<std::string>> rows;
    const auto add = [&](const ExploratoryRun& run) {
      std::vector<std::string> row{run.name};
      for (const auto& value : run.values) row.push_back(value ? number_text(*value, 3) : "–");
      row.push_back(run.converged ? "" : "not converged");
      rows.push_back(std::move(row));
    };
    for (const auto& run : table.published) add(run);
    for (const auto& run : table.ours) add(run);
    if (table.null) add(*table.null);
    const std::string id = "table-" + to_slug(table.experiment);
    parts.push_back(
        {id, fmt::format("<section id=\"{}\"><h3>{}</h3>{}<p class=\"note\">{}</p></section>", id,
                         escape(table.title), html_table(columns, rows, table.title),
                         escape(table.shares))});
  }
  if (!parts.empty()) {
    parts.insert(parts.begin(), {"results", "<h2 id=\"results\">Results beside the paper's</h2>"});
  }
  return parts;
}

}  // namespace algprior::report
