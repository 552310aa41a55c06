#include "algprior/base/text.hpp"
#include "algprior/report/markup.hpp"
#include "figure_kinds.hpp"
#include "page_parts.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>

#include <fmt/format.h>

namespace algprior::report {
namespace {

using Rows = std::vector<std::vector<std::string>>;

struct StateMark {
  std::string_view sign, cls;
};

StateMark mark_of(RunState state) {
  switch (state) {
    case RunState::kFinished:
      return {"✓", "finished"};
    case RunState::kRunning:
      return {"▶", "running"};
    case RunState::kDiverged:
      return {"↯", "diverged"};
    case RunState::kStopped:
      return {"■", "stopped"};
    default:
      return {"✕", "damaged"};
  }
}

std::string state_cell(RunState state) {
  const StateMark mark = mark_of(state);
  return fmt::format(
      "<span class=\"state state-{}\"><span aria-hidden=\"true\">{}</span> {}</span>", mark.cls,
      mark.sign, to_string(state));
}

std::string run_id(std::size_t index) {
  return fmt::format("run-{}", index);
}

// The settings that all runs of an experiment share are shown once, not with each run.
std::map<std::string, std::string> shared_settings(const std::vector<const Run*>& runs) {
  std::map<std::string, std::string> shared;
  bool first = true;
  for (const Run* run : runs) {
    if (run->settings.empty()) continue;
    if (first) shared = run->settings;
    first = false;
    std::erase_if(shared, [&](const auto& entry) {
      const auto own = run->settings.find(entry.first);
      return own == run->settings.end() || own->second != entry.second;
    });
  }
  return shared;
}

// What the run's process said of itself when it took the folder.
std::string command_of(const Run& run) {
  if (run.folder.empty()) return "";
  std::ifstream file(run.folder / ".lock");
  std::string line(1024, '\0');
  file.read(line.data(), static_cast<std::streamsize>(line.size()));
  line.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
  line = line.substr(0, line.find('\n'));
  const std::size_t since = line.find(" since ");
  const std::size_t colon = since == std::string::npos ? since : line.find(": ", since);
  return colon == std::string::npos ? "" : line.substr(colon + 2);
}

Rows provenance_of(const Run& run) {
  Rows rows{{"place", run.source}, {"seed", std::to_string(run.seed)}};
  if (const std::string command = command_of(run); !command.empty()) {
    rows.push_back({"started by", command});
  }
  if (!run.result) return rows;
  const Result& result = *run.result;
  rows.push_back({"commit", result.commit.empty() ? "not recorded" : result.commit});
  rows.push_back({"threads", std::to_string(result.threads)});
  rows.push_back({"kernels", result.kernels});
  for (const auto& [key, value] : result.machine) rows.push_back({"machine: " + key, value});
  rows.push_back({"parameters", std::to_string(result.parameters)});
  rows.push_back({"training time", format_duration(result.seconds)});
  rows.push_back({"configuration", result.config_hash.substr(0, 16)});
  std::string departures;
  for (const std::string& name : result.reference)
    departures += (departures.empty() ? "" : ", ") + name;
  if (!departures.empty()) rows.push_back({"departures of the published code", departures});
  return rows;
}

std::string details_of(const Run& run, std::size_t index,
                       const std::map<std::string, std::string>& shared) {
  std::string html =
      fmt::format("<details id=\"{}\"><summary>{}</summary>", run_id(index), escape(run.name()));
  for (const std::string& problem : run.problems)
    html += fmt::format("<p class=\"bad\">{}</p>", escape(problem));
  html += html_table({"", ""}, provenance_of(run), "Provenance of " + run.name(), false);
  Rows settings;
  for (const auto& [key, value] : run.settings) {
    if (!shared.contains(key)) settings.push_back({key, value});
  }
  if (!settings.empty()) {
    html += html_table({"own setting", "value"}, settings, "Own settings of " + run.name(), false);
  }
  if (run.result && !run.result->metrics.empty()) {
    Rows metrics;
    for (const auto& [name, value] : run.result->metrics)
      metrics.push_back({name, number_text(value, 5)});
    html += html_table({"metric", "value"}, metrics, "Metrics of " + run.name());
  }
  return html + "</details>";
}

std::string epochs_text(const Run& run) {
  const std::int64_t done = run.result ? run.result->epochs : run.metrics.last_epoch();
  const std::string planned = run.setting("train.epochs");
  if (run.result || planned.empty()) return std::to_string(done);
  return fmt::format("{} of {}", done, planned);
}

}  // namespace

PagePart runs_part(const RunSet& set) {
  if (set.runs.empty()) return {"runs", ""};
  std::string html =
      "<section id=\"runs\"><h2>All runs</h2><div class=\"scroll\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"All runs\"><table><thead><tr><th scope=\"col\">run<th scope=\"col\">state"
      "<th scope=\"col\" class=\"n\">epochs<th scope=\"col\">result<th scope=\"col\" "
      "class=\"n\">time"
      "<tbody>";
  std::map<std::string, std::vector<const Run*>> experiments;
  for (const Run& run : set.runs) experiments[run.experiment].push_back(&run);
  std::map<std::string, std::string> headlines;
  for (const auto& [experiment, runs] : experiments) headlines[experiment] = headline_metric(runs);
  for (std::size_t i = 0; i < set.runs.size(); ++i) {
    const Run& run = set.runs[i];
    const std::string& metric = headlines[run.experiment];
    const auto value = run.metric(metric);
    html += fmt::format(
        "<tr><td><a href=\"#{}\">{}</a><td>{}<td class=\"n\">{}<td>{}<td class=\"n\">{}", run_id(i),
        escape(run.name()), state_cell(run.state), escape(epochs_text(run)),
        value ? escape(metric + " " + number_text(*value)) : "–",
        run.result ? format_duration(run.result->seconds) : "–");
  }
  html += "</table></div>";
  for (const auto& [experiment, runs] : experiments) {
    html += fmt::format("<h3>{}</h3>", escape(experiment));
    const auto shared = shared_settings(runs);
    if (!shared.empty()) {
      Rows rows;
      for (const auto& [key, value] : shared) rows.push_back({key, value});
      html += fmt::format(
          "<details><summary>{} that all runs of {} share</summary>{}</details>",
          count_text(rows.size(), "setting"), escape(experiment),
          html_table({"setting", "value"}, rows, "Shared settings of " + experiment, false));
    }
    for (const Run* run : runs) {
      html += details_of(*run, static_cast<std::size_t>(run - set.runs.data()), shared);
    }
  }
  return {"runs", html + "</section>"};
}

}  // namespace algprior::report
