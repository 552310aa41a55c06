#include "algprior/paper/paper_table.hpp"

#include "algprior/base/table.hpp"
#include "algprior/base/text.hpp"
#include "algprior/paper/catalogue.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace algprior {
namespace {

using Json = nlohmann::ordered_json;
using CellKey = std::pair<std::string, std::string>;  // (variant, row)

using Seeds = std::set<std::uint64_t>;

struct Runs {
  std::vector<double> values;
  Seeds seeds;
};

std::map<CellKey, Runs> runs_of(std::string_view family, const std::string& metric,
                                const std::vector<Result>& results) {
  std::map<CellKey, Runs> runs;
  for (const Result& result : results) {
    const auto value = result.metrics.find(metric);
    if (result.id.family != family || value == result.metrics.end()) continue;
    Runs& row = runs[{result.id.variant, result.id.changed_row()}];
    row.values.push_back(value->second);
    row.seeds.insert(result.id.seed);
  }
  return runs;
}

std::optional<Summary> summary_of(const std::map<CellKey, Runs>& runs, const CellKey& key) {
  const auto entry = runs.find(key);
  return entry == runs.end() ? std::nullopt : std::optional(summarize(entry->second.values));
}

bool can_run(std::string_view family, const std::string& variant, const std::string& row) {
  return std::any_of(paper_rows().begin(), paper_rows().end(), [&](const PaperRow& known) {
    return known.family == family && known.variant == variant && known.row == row;
  });
}

std::string format_cell(const Summary& summary) {
  return summary.count > 1
             ? fmt::format("{:.3f} ({:.3f}) ×{}", summary.mean, summary.deviation, summary.count)
             : fmt::format("{:.3f} ×1", summary.mean);
}

std::string format_published(const Summary& summary) {
  return summary.count > 1 ? fmt::format("{:.3f} ({:.3f})", summary.mean, summary.deviation)
                           : fmt::format("{:.3f}", summary.mean);
}

std::string format_effect(const std::optional<double>& effect) {
  return effect ? fmt::format("{:.1f}{}", *effect, effect_stars(*effect)) : "";
}

Json to_json(const std::optional<Summary>& summary) {
  if (!summary) return nullptr;
  return {{"runs", summary->count}, {"mean", summary->mean}, {"deviation", summary->deviation}};
}

}  // namespace

PaperTable make_paper_table(std::string_view name, const std::vector<Result>& results) {
  const Json published = Json::parse(published_table(name));
  const std::string_view family = name.substr(0, name.find('-'));
  PaperTable table{std::string(name),
                   published["metric"],
                   published["variants"],
                   {},
                   published.value("note", "")};
  const auto runs = runs_of(family, table.metric, results);
  const std::string method = published["ours"];
  const std::size_t count = published["runs"];
  const std::uint64_t wanted = published.value("wanted", count);
  const double sign = published["better"] == "higher" ? 1 : -1;

  // A row may stand in a table for comparison and come from another experiment of the family.
  const auto fill = [&](PaperCell& cell, const std::string& column, const std::string& variant,
                        const std::string& row, std::uint64_t seeds) {
    cell.ours = summary_of(runs, {variant, row});
    const auto best = summary_of(runs, {column, method});
    if (cell.ours && best && row != method) {
      const double effect = sign * cohens_d(*best, *cell.ours);
      if (effect == effect) cell.effect = effect;
    }
    if (!can_run(family, variant, row)) return;
    const auto found = runs.find({variant, row});
    cell.command = missing_runs(fmt::format("{}-{}", family, variant), row,
                                found == runs.end() ? Seeds{} : found->second.seeds, seeds);
  };
  for (const Json& entry : published["rows"]) {
    PaperTableRow row{entry["row"], entry["title"], entry.value("imported", false), {}};
    for (const std::string& variant : table.variants) {
      PaperCell cell;
      if (entry.contains(variant)) {
        // A number without a deviation counts as one run.
        const Json& numbers = entry[variant];
        cell.published = numbers.size() > 1 ? Summary{count, numbers[0], numbers[1]}
                                            : Summary{1, numbers[0], 0.0};
      }
      fill(cell, variant, entry.value("from", variant), row.row, entry.value("wanted", wanted));
      row.cells.push_back(std::move(cell));
    }
    table.rows.push_back(std::move(row));
  }
  for (const auto& entry : runs) {
    // No structured binding: clang 14 does not let a lambda capture one.
    const std::string& run_variant = entry.first.first;
    const std::string& run_row = entry.first.second;
    const bool shown = std::any_of(table.rows.begin(), table.rows.end(),
                                   [&](const PaperTableRow& row) { return row.row == run_row; });
    const bool belongs = std::count(table.variants.begin(), table.variants.end(), run_variant) > 0;
    if (shown || !belongs) continue;
    PaperTableRow row{run_row, run_row, false, {}};
    for (const std::string& variant : table.variants) {
      fill(row.cells.emplace_back(), variant, variant, run_row, wanted);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

namespace {

// Runs under other settings are rows whose names spell these out: on a terminal they would take the
// width of the numbers, so a long one is numbered and spelled out below.
struct SettingNotes {
  std::string label(const std::string& title) {
    constexpr std::size_t kLongest = 32;
    const std::size_t at = title.find('@');
    if (title.size() <= kLongest || at == std::string::npos) return title;
    const std::string setting = title.substr(at + 1);
    const auto found = std::ranges::find(settings, setting);
    const auto number = found - settings.begin() + 1;
    if (found == settings.end()) settings.push_back(setting);
    return fmt::format("{}, setting {}", title.substr(0, at), number);
  }

  std::vector<std::string> settings;
};

}  // namespace

std::string to_text(const PaperTable& table, bool markdown, std::size_t width) {
  std::vector<Column> columns{{"model", Align::kLeft}};
  for (const std::string& variant : table.variants) {
    columns.push_back({variant + " paper", Align::kRight});
    columns.push_back({variant + " ours", Align::kRight});
    columns.push_back({"effect", Align::kRight});
  }
  const bool bounded = width > 0 && !markdown;
  Table text(columns);
  SettingNotes notes;
  std::string missing;
  for (const PaperTableRow& row : table.rows) {
    std::vector<std::string> cells{(bounded ? notes.label(row.title) : row.title) +
                                   (row.imported ? " (imported)" : "")};
    for (const PaperCell& cell : row.cells) {
      cells.push_back(cell.published ? format_published(*cell.published) : "–");
      cells.push_back(cell.ours ? format_cell(*cell.ours) : cell.command.empty() ? "–" : "missing");
      cells.push_back(format_effect(cell.effect));
      if (!cell.command.empty()) missing += "  " + cell.command + "\n";
    }
    text.add_row(std::move(cells));
  }
  std::string result = markdown  ? text.to_markdown()
                       : bounded ? text.to_text(width)
                                 : text.to_text();
  const auto add_note = [&](const std::string& note) {
    const std::vector<std::string> lines =
        bounded ? wrap_words(note, width) : std::vector<std::string>{note};
    for (const std::string& line : lines) result += line + "\n";
  };
  result += "\n";
  for (std::size_t i = 0; i < notes.settings.size(); ++i) {
    result += fmt::format("setting {}: {}\n", i + 1, notes.settings[i]);
  }
  add_note(fmt::format(
      "{}: mean (sample standard deviation) × runs. Effect: Cohen's d of the method against the "
      "row, our runs; * medium, ** large, *** very large.",
      table.metric));
  if (!table.note.empty()) add_note(table.note);
  if (!missing.empty()) result += "\nMissing runs, and what fills them:\n" + missing;
  return result;
}

std::string to_json(const PaperTable& table) {
  Json rows = Json::array();
  for (const PaperTableRow& row : table.rows) {
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const PaperCell& cell = row.cells[i];
      rows.push_back({{"variant", table.variants[i]},
                      {"row", row.row},
                      {"imported", row.imported},
                      {"published", to_json(cell.published)},
                      {"ours", to_json(cell.ours)},
                      {"effect", cell.effect ? Json(*cell.effect) : Json()},
                      {"command", cell.command}});
    }
  }
  const Json document{{"table", table.name}, {"metric", table.metric}, {"cells", rows}};
  return document.dump(2) + "\n";
}

}  // namespace algprior
