#include "algprior/paper/exploratory_table.hpp"

#include "algprior/base/table.hpp"
#include "algprior/paper/catalogue.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace algprior {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kRuns = 5;

std::optional<double> metric(const Result& result, const std::string& name) {
  const auto entry = result.metrics.find(name);
  return entry == result.metrics.end() ? std::nullopt : std::optional(entry->second);
}

const Result* find_null(const std::vector<Result>& results, const Json& name) {
  const auto found = std::find_if(results.begin(), results.end(), [&](const Result& result) {
    return result.id.experiment() == name[0] && result.id.changed_row() == name[1];
  });
  return found == results.end() ? nullptr : &*found;
}

// "share/r/1/4": of generator r, 4 eigenvalues at exp(2πi/n), in this share of the seeds.
std::string describe_shares(const Result& null, const std::string& prefix) {
  std::string text;
  for (const auto& [name, share] : null.metrics) {
    if (!name.starts_with(prefix) || share < 0.005) continue;
    text += fmt::format("{}{} in {:.0f} %", text.empty() ? "" : ", ", name.substr(prefix.size()),
                        100 * share);
  }
  return text;
}

void add_null(const Result& result, const Json& columns, ExploratoryTable& table) {
  ExploratoryRun run{fmt::format("null ×{:.0f}", metric(result, "seeds").value_or(0)), {}, true};
  for (const Json& column : columns) {
    run.values.push_back(metric(result, column["metric"].get<std::string>()));
  }
  run.values.push_back(metric(result, "median_algebra_loss"));
  run.values.resize(table.columns.size());
  table.null = run;
  const std::string prefix = columns[0].value("share", "");
  if (!prefix.empty()) {
    table.shares = fmt::format("null model, {}: {}", columns[0]["title"].get<std::string>(),
                               describe_shares(result, prefix));
  }
  const double unconverged = metric(result, "unconverged").value_or(0);
  table.shares += fmt::format("{}{:.1f} % of the seeds did not converge",
                              table.shares.empty() ? "null model: " : "; ",
                              100 * unconverged / metric(result, "seeds").value_or(1));
}

ExploratoryTable make_table(const Json& entry, const Json& columns,
                            const std::vector<Result>& results) {
  ExploratoryTable table;
  table.experiment = entry["experiment"];
  table.title = entry["title"];
  for (const Json& column : columns) table.columns.push_back(column["title"]);
  table.columns.insert(table.columns.end(), {"algebra", "equivariance", "orbits", "bound"});
  for (const Json& run : entry["runs"]) {
    ExploratoryRun line{fmt::format("paper {}", table.published.size() + 1), {}, true};
    for (const Json& value : run) line.values.emplace_back(value.get<double>());
    line.values.resize(table.columns.size());
    table.published.push_back(line);
  }
  std::set<std::uint64_t> seeds;
  for (const Result& result : results) {
    if (result.id.experiment() != table.experiment || result.id.changed_row() != "learned")
      continue;
    seeds.insert(result.id.seed);
    ExploratoryRun line{fmt::format("seed {}", result.id.seed), {}, true};
    for (const Json& column : columns) line.values.push_back(metric(result, column["metric"]));
    for (const char* name :
         {"algebra_loss", "equivariance_loss", "independent_orbits", "copies_of_regular"}) {
      line.values.push_back(metric(result, name));
    }
    line.converged = metric(result, "converged").value_or(0) != 0;
    table.ours.push_back(line);
  }
  table.missing = missing_runs(table.experiment, "", seeds, kRuns);
  if (const Result* null = find_null(results, entry["null"])) {
    add_null(*null, columns, table);
  } else {
    table.shares =
        "the null model is missing: " + missing_runs(entry["null"][0].get<std::string>(),
                                                     entry["null"][1].get<std::string>(), {}, 1);
  }
  return table;
}

ExploratoryTable make_probe_table(const Json& published, const std::vector<Result>& results) {
  ExploratoryTable table{.experiment = "persistence-c4",
                         .title = "Linear probes on an encoder trained to be invariant",
                         .columns = {"local probe", "global probe", "invariance loss"},
                         .published = {},
                         .ours = {},
                         .null = {},
                         .shares = "chance is 0.25",
                         .missing = ""};
  table.published.push_back({"paper, mean",
                             {published["local_probe_accuracy"][0].get<double>(),
                              published["global_probe_accuracy"][0].get<double>(), std::nullopt},
                             true});
  std::set<std::uint64_t> seeds;
  for (const Result& result : results) {
    if (result.id.experiment() != table.experiment) continue;
    seeds.insert(result.id.seed);
    table.ours.push_back(
        {fmt::format("seed {}", result.id.seed),
         {metric(result, "local_probe_accuracy"), metric(result, "global_probe_accuracy"),
          metric(result, "invariance_loss")},
         true});
  }
  table.missing = missing_runs(table.experiment, "", seeds, kRuns);
  return table;
}

std::string format_value(const std::optional<double>& value) {
  if (!value) return "–";
  if (*value == std::round(*value) && std::abs(*value) < 1000) return fmt::format("{:.0f}", *value);
  return std::abs(*value) < 0.05 ? fmt::format("{:.1e}", *value) : fmt::format("{:.2f}", *value);
}

void add_run(Table& text, const ExploratoryRun& run) {
  std::vector<std::string> cells{run.name};
  for (const auto& value : run.values) cells.push_back(format_value(value));
  cells.push_back(run.converged ? "" : "not converged");
  text.add_row(cells);
}

Json to_json(const ExploratoryRun& run) {
  Json values = Json::array();
  for (const auto& value : run.values) values.push_back(value ? Json(*value) : Json(nullptr));
  return {{"name", run.name}, {"values", values}, {"converged", run.converged}};
}

Json to_json(const std::vector<ExploratoryRun>& runs) {
  Json list = Json::array();
  for (const ExploratoryRun& run : runs) list.push_back(to_json(run));
  return list;
}

}  // namespace

std::vector<ExploratoryTable> make_exploratory_tables(const std::vector<Result>& results) {
  const Json published = Json::parse(published_table("exploratory"));
  std::vector<ExploratoryTable> tables;
  for (const Json& entry : published["experiments"]) {
    const Json& columns = published["groups"][entry["group"].get<std::string>()]["columns"];
    tables.push_back(make_table(entry, columns, results));
  }
  tables.push_back(make_probe_table(published["persistence"], results));
  return tables;
}

std::string to_text(const std::vector<ExploratoryTable>& tables, bool markdown, std::size_t width) {
  std::string result;
  for (const ExploratoryTable& table : tables) {
    std::vector<Column> columns{{"run"}};
    for (const std::string& title : table.columns) columns.push_back({title, Align::kRight});
    columns.push_back({""});
    Table text(columns);
    for (const ExploratoryRun& run : table.published) add_run(text, run);
    if (!table.published.empty() && !table.ours.empty()) text.add_rule();
    for (const ExploratoryRun& run : table.ours) add_run(text, run);
    if (table.null) {
      text.add_rule();
      add_run(text, *table.null);
    }
    result += fmt::format("{}{} ({})\n\n", markdown ? "### " : "", table.title, table.experiment);
    const std::string body = markdown    ? text.to_markdown()
                             : width > 0 ? text.to_text(width)
                                         : text.to_text();
    result += body + "\n";
    if (!table.shares.empty()) result += table.shares + "\n";
    if (!table.missing.empty()) result += "missing runs: " + table.missing + "\n";
    result += "\n";
  }
  return result;
}

std::string to_json(const std::vector<ExploratoryTable>& tables) {
  Json list = Json::array();
  for (const ExploratoryTable& table : tables) {
    list.push_back({{"experiment", table.experiment},
                    {"title", table.title},
                    {"columns", table.columns},
                    {"published", to_json(table.published)},
                    {"ours", to_json(table.ours)},
                    {"null", table.null ? to_json(*table.null) : Json(nullptr)},
                    {"shares", table.shares},
                    {"missing", table.missing}});
  }
  return list.dump(2) + "\n";
}

}  // namespace algprior
