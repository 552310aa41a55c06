#include "algprior/paper/statistics.hpp"
#include "algprior/report/markup.hpp"
#include "figure_kinds.hpp"
#include "page_parts.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace algprior::report {
namespace {

struct RowSummary {
  std::string row;
  Summary summary;
};

std::vector<RowSummary> summarize_rows(const std::vector<RunGroup>& groups,
                                       const std::string& metric) {
  std::vector<RowSummary> rows;
  for (const RunGroup& group : groups) {
    std::vector<double> values;
    for (const Run* run : group.runs) {
      if (const auto value = run->metric(metric); value && std::isfinite(*value)) {
        values.push_back(*value);
      }
    }
    if (!values.empty()) rows.push_back({group.row, summarize(values)});
  }
  return rows;
}

std::string summary_words(const RowSummary& row) {
  if (row.summary.count == 1) {
    return fmt::format("{} {} (1 run)", row.row, number_text(row.summary.mean));
  }
  return fmt::format("{} {} ± {} ({} runs)", row.row, number_text(row.summary.mean),
                     number_text(row.summary.deviation, 2), row.summary.count);
}

// "ddmnist-d4: the highest augmented_test_accuracy has regular …; the lowest cnn …".
std::string experiment_words(const std::string& experiment, const std::vector<RunGroup>& groups) {
  std::vector<const Run*> runs;
  for (const RunGroup& group : groups)
    runs.insert(runs.end(), group.runs.begin(), group.runs.end());
  const std::string metric = headline_metric(runs);
  std::string text = fmt::format("{}: {} in {}", experiment, count_text(runs.size(), "run"),
                                 count_text(groups.size(), "row"));
  auto rows = summarize_rows(groups, metric);
  if (rows.empty()) return text + "; no result to compare yet.";
  const bool higher = higher_is_better(metric);
  std::stable_sort(rows.begin(), rows.end(), [&](const RowSummary& a, const RowSummary& b) {
    return higher ? a.summary.mean > b.summary.mean : a.summary.mean < b.summary.mean;
  });
  text += fmt::format("; {} ({} is better): {}", metric, higher ? "higher" : "lower",
                      rows.size() > 1 ? "best " : "");
  text += summary_words(rows.front());
  if (rows.size() > 1) {
    text += ", last " + summary_words(rows.back());
    const double effect = (higher ? 1 : -1) * cohens_d(rows.front().summary, rows.back().summary);
    if (std::isfinite(effect)) text += fmt::format("; Cohen's d {:.1f}", effect);
  }
  return text + ".";
}

std::string states_words(const RunSet& set) {
  std::map<RunState, std::size_t> states;
  for (const Run& run : set.runs) ++states[run.state];
  std::string text;
  for (const auto& [state, count] : states) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, to_string(state));
  }
  return text;
}

// Names of groups, the first few.
std::string some_of(const std::set<std::string>& names) {
  constexpr std::size_t kShown = 6;
  std::vector<std::string> shown(names.begin(), names.end());
  const std::size_t more = shown.size() > kShown ? shown.size() - kShown : 0;
  if (more > 0) shown.resize(kShown);
  return fmt::format("{}{}", fmt::join(shown, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

// What tells runs of a set apart by name alone.
bool names_the_run(const std::string& key) {
  return key == "experiment.family" || key == "experiment.variant" || key == "experiment.row" ||
         key == "experiment.seed";
}

}  // namespace

PagePart summary_part(const RunSet& set) {
  std::string html = "<section id=\"summary\"><h2>Summary</h2>";
  if (set.runs.empty()) {
    html +=
        "<p>There is no run here yet. A run is a folder with config.toml, metrics.jsonl or "
        "result.json; <code>algprior demo</code> makes two.</p>";
    return {"summary", html + "</section>"};
  }
  std::map<std::string, std::vector<RunGroup>> experiments;
  for (const RunGroup& group : group_runs(set.runs)) experiments[group.experiment].push_back(group);
  html += fmt::format("<p>{} of {}: {}.</p><ul>", count_text(set.runs.size(), "run"),
                      count_text(experiments.size(), "experiment"), states_words(set));
  for (const auto& [experiment, groups] : experiments) {
    html += fmt::format("<li>{}</li>", escape(experiment_words(experiment, groups)));
  }
  html +=
      "</ul><p class=\"note\">Means over seeds ± sample standard deviation.</p><nav "
      "aria-label=\"Contents\"><ul>";
  for (const auto& [experiment, groups] : experiments) {
    html += fmt::format("<li><a href=\"#exp-{}\">{}</a>", to_slug(experiment), escape(experiment));
  }
  html += "<li><a href=\"#runs\">All runs</a></ul></nav></section>";
  return {"summary", html};
}

PagePart differences_part(const RunSet& set) {
  std::map<std::string, std::map<std::string, std::set<std::string>>> values;  // key, value, runs
  std::set<std::string> with_settings;
  const bool labelled = several_experiments(set);
  for (const RunGroup& group : group_runs(set.runs)) {
    for (const Run* run : group.runs) {
      if (run->settings.empty()) continue;
      with_settings.insert(group_label(group, labelled));
    }
  }
  if (with_settings.empty()) return {"differences", ""};
  std::set<std::string> keys;
  for (const Run& run : set.runs) {
    for (const auto& [key, value] : run.settings) keys.insert(key);
  }
  for (const RunGroup& group : group_runs(set.runs)) {
    for (const Run* run : group.runs) {
      if (run->settings.empty()) continue;
      for (const std::string& key : keys) {
        const auto entry = run->settings.find(key);
        const std::string value = entry == run->settings.end() ? "(not set)" : entry->second;
        values[key][value.empty() ? "\"\"" : value].insert(group_label(group, labelled));
      }
    }
  }
  std::vector<std::vector<std::string>> rows;
  for (const auto& [key, by_value] : values) {
    if (by_value.size() < 2 || names_the_run(key)) continue;
    for (const auto& [value, names] : by_value) rows.push_back({key, value, some_of(names)});
  }
  std::string html = "<section id=\"differences\"><h2>What differs between the runs' settings</h2>";
  html += rows.empty()
              ? "<p>Nothing but names and seeds.</p>"
              : html_table({"setting", "value", "runs"}, rows, "Settings that differ", false);
  return {"differences", html + "</section>"};
}

PagePart problems_part(const RunSet& set) {
  std::string items;
  for (const std::string& problem : set.problems) items += "<li>" + escape(problem);
  for (const Run& run : set.runs) {
    for (const std::string& problem : run.problems) {
      items += fmt::format("<li>{}: {}", escape(run.name()), escape(problem));
    }
  }
  if (items.empty()) return {"problems", ""};
  return {"problems", "<section id=\"problems\" class=\"bad\"><h2>What could not be read</h2><ul>" +
                          items + "</ul></section>"};
}

}  // namespace algprior::report
