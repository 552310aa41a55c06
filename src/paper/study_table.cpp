#include "algprior/paper/study_table.hpp"

#include "algprior/base/metric.hpp"
#include "algprior/base/table.hpp"
#include "algprior/base/text.hpp"
#include "algprior/paper/catalogue.hpp"

#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace algprior {
namespace {

using Json = nlohmann::ordered_json;

/// The runs of one row, by seed.
using StudyRuns = std::map<std::uint64_t, const Result*>;

StudyRuns study_runs(const std::vector<Result>& results, std::string_view family,
                     const std::string& variant, const std::string& row) {
  StudyRuns runs;
  for (const Result& result : results) {
    if (result.id.family == family && result.id.variant == variant &&
        result.id.changed_row() == row) {
      runs[result.id.seed] = &result;
    }
  }
  return runs;
}

std::optional<Summary> study_summary(const StudyRuns& runs, const std::string& metric) {
  std::vector<double> values;
  for (const auto& [seed, run] : runs) {
    const auto value = run->metrics.find(metric);
    if (value != run->metrics.end()) values.push_back(value->second);
  }
  return values.empty() ? std::nullopt : std::optional(summarize(values));
}

std::optional<PairedDifference> study_difference(const StudyRuns& runs, const StudyRuns& others,
                                                 const std::string& metric) {
  std::vector<double> differences;
  for (const auto& [seed, run] : runs) {
    const auto other = others.find(seed);
    if (other == others.end()) continue;
    const auto a = run->metrics.find(metric), b = other->second->metrics.find(metric);
    if (a == run->metrics.end() || b == other->second->metrics.end()) continue;
    differences.push_back(a->second - b->second);
  }
  return differences.empty() ? std::nullopt : std::optional(paired_difference(differences));
}

std::string summary_text(const std::optional<Summary>& summary) {
  if (!summary) return "–";
  return summary->count > 1 ? fmt::format("{:.3f} ({:.3f})", summary->mean, summary->deviation)
                            : fmt::format("{:.3f}", summary->mean);
}

std::string difference_text(const std::optional<PairedDifference>& difference) {
  if (!difference) return "";
  if (!difference->half_width) return fmt::format("{:+.3f}", difference->mean);
  return fmt::format("{:+.3f} ± {:.3f}", difference->mean, *difference->half_width);
}

Json summary_json(const std::optional<Summary>& summary) {
  if (!summary) return nullptr;
  return {{"mean", summary->mean}, {"deviation", summary->deviation}, {"runs", summary->count}};
}

}  // namespace

StudyTable make_study_table(std::string_view name, const std::vector<Result>& results) {
  const Json study = Json::parse(study_text(name));
  StudyTable table{std::string(name), study.at("note"), study.at("metrics"), {}};
  const std::uint64_t wanted = study.at("runs");
  for (const Json& entry : study.at("rows")) {
    StudyRow row;
    row.variant = entry.at("variant");
    row.row = entry.at("row");
    row.title = entry.at("title");
    const StudyRuns runs = study_runs(results, name, row.variant, row.row);
    for (const std::string& metric : table.metrics) {
      row.values.push_back(study_summary(runs, metric));
    }
    std::vector<double> seconds;
    std::set<std::uint64_t> seeds;
    for (const auto& [seed, run] : runs) {
      seeds.insert(seed);
      if (run->epochs > 0) seconds.push_back(run->seconds / static_cast<double>(run->epochs));
    }
    if (!seconds.empty()) row.epoch_seconds = summarize(seconds);
    if (entry.contains("against")) {
      const StudyRuns others = study_runs(results, name, row.variant, entry["against"]);
      row.difference = study_difference(runs, others, table.metrics.at(0));
    }
    row.command = missing_runs(std::string(name) + "-" + row.variant, row.row, seeds, wanted);
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string to_text(const StudyTable& table, bool markdown, std::size_t width) {
  std::vector<Column> columns{{"row"}, {"runs", Align::kRight}};
  int rank = 0;
  for (const std::string& name : table.metrics) {
    const Metric* metric = find_metric(name);
    columns.push_back({metric ? std::string(metric->title) : name, Align::kRight, rank++});
    if (rank == 1) columns.push_back({"difference", Align::kRight});
  }
  columns.push_back({"s an epoch", Align::kRight, rank});
  Table text(columns);
  std::string missing;
  for (const StudyRow& row : table.rows) {
    std::size_t runs = row.values.at(0) ? row.values[0]->count : 0;
    std::vector<std::string> cells{row.title, std::to_string(runs)};
    for (std::size_t i = 0; i < row.values.size(); ++i) {
      cells.push_back(summary_text(row.values[i]));
      if (i == 0) cells.push_back(difference_text(row.difference));
    }
    cells.push_back(row.epoch_seconds ? fmt::format("{:.1f}", row.epoch_seconds->mean) : "–");
    text.add_row(std::move(cells));
    if (!row.command.empty()) missing += "  " + row.command + "\n";
  }
  std::string out = markdown ? text.to_markdown() : width ? text.to_text(width) : text.to_text();
  out += "\n";
  for (const std::string& line : wrap_words(table.note, markdown || !width ? 100 : width)) {
    out += line + "\n";
  }
  if (!missing.empty() && !markdown) out += "\nMissing runs:\n" + missing;
  return out;
}

std::string to_json(const StudyTable& table) {
  Json json{{"study", table.name}, {"note", table.note}, {"rows", Json::array()}};
  for (const StudyRow& row : table.rows) {
    Json entry{{"variant", row.variant}, {"row", row.row}, {"title", row.title}};
    for (std::size_t i = 0; i < table.metrics.size(); ++i) {
      entry["metrics"][table.metrics[i]] = summary_json(row.values[i]);
    }
    entry["seconds_an_epoch"] = summary_json(row.epoch_seconds);
    entry["paired_difference"] = nullptr;
    if (row.difference) {
      entry["paired_difference"] = {{"mean", row.difference->mean},
                                    {"pairs", row.difference->count},
                                    {"half_width", nullptr}};
      if (row.difference->half_width) {
        entry["paired_difference"]["half_width"] = *row.difference->half_width;
      }
    }
    entry["command"] = row.command;
    json["rows"].push_back(std::move(entry));
  }
  return json.dump(2) + "\n";
}

}  // namespace algprior
