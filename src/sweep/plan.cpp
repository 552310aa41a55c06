#include "algprior/sweep/plan.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/paths.hpp"
#include "algprior/base/suggest.hpp"
#include "algprior/io/bytes.hpp"
#include "algprior/io/checksum.hpp"
#include "algprior/paper/catalogue.hpp"
#include "algprior/paper/configured_run.hpp"
#include "algprior/paper/recipe_schema.hpp"
#include "algprior/toml/read_config.hpp"
#include "row_changes.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include <fmt/format.h>

namespace algprior::sweep {
namespace {

std::int64_t to_seed(const std::string& text) {
  std::int64_t seed = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc() || end != text.data() + text.size() || seed < 0) {
    throw InputError({"cannot read the seeds", "--seeds " + text,
                      "a count (3 means 0, 1, 2) or a list (4,7)", ""});
  }
  return seed;
}

std::vector<PaperRow> chosen_rows(const std::string& experiment,
                                  const std::vector<std::string>& rows) {
  const std::vector<PaperRow> all = rows_of(experiment);
  if (rows.empty()) return all;
  std::vector<PaperRow> chosen;
  for (const std::string& name : rows) {
    const auto row = std::find_if(all.begin(), all.end(),
                                  [&](const PaperRow& known) { return known.row == name; });
    if (row == all.end()) {
      std::vector<std::string> names;
      for (const PaperRow& known : all) names.emplace_back(known.row);
      throw InputError({"experiment " + experiment + " has no such row", name,
                        fmt::format("one of {}", fmt::join(names, ", ")),
                        did_you_mean(name, names)});
    }
    chosen.push_back(*row);
  }
  return chosen;
}

}  // namespace

// What distinguishes a run from the row as it stands: "@train.epochs=10". Such a run has a folder
// and a line in the table of its own, and never counts as the row itself.
std::string changes_of(const config::Config& row, const config::Config& run) {
  constexpr std::size_t kLongest = 100;  // of a part of a file's name, far from the system's bound
  std::string text;
  for (const config::Difference& change : config::differences(row, run)) {
    if (change.name == "experiment.reference") continue;  // run_id has it
    text += fmt::format("{}{}={}", text.empty() ? '@' : ',', change.name, change.after);
  }
  const auto odd = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) == 0 &&
           std::string_view("@,=.+-_").find(c) == std::string_view::npos;
  };
  text.erase(std::remove_if(text.begin(), text.end(), odd), text.end());
  // Of the changes alone: the seed must not give each run a row of its own.
  return text.size() <= kLongest ? text : "@" + io::sha256(io::as_bytes(text)).substr(0, 12);
}

Task make_task(const Source& source, std::int64_t seed, const std::vector<std::string>& changes) {
  const auto parse = [&](const std::vector<std::string>& overrides) {
    return config::parse_config(recipe_schema(), source.toml, source.name, overrides);
  };
  std::vector<std::string> overrides{"experiment.seed=" + std::to_string(seed)};
  const config::Config row = parse(overrides);
  overrides.insert(overrides.end(), changes.begin(), changes.end());
  overrides.push_back(fmt::format("experiment.row={}{}", row.get<std::string>("experiment.row"),
                                  changes_of(row, parse(overrides))));
  const config::Config config = parse(overrides);
  const std::string name = to_string(run_id(config));
  return {name, std::filesystem::absolute(runs_folder()) / name, config::to_toml(config)};
}

std::vector<std::int64_t> parse_seeds(const std::string& text) {
  std::vector<std::int64_t> seeds;
  if (text.find(',') == std::string::npos) {
    constexpr std::int64_t kMostSeeds = 10'000;  // each is a whole run
    const std::int64_t count = to_seed(text);
    if (count > kMostSeeds) {
      throw LimitError({"these are too many seeds", "--seeds " + text,
                        fmt::format("at most {} runs of a row", kMostSeeds),
                        "for a single seed of this number write a comma behind it"});
    }
    for (std::int64_t seed = 0; seed < count; ++seed) seeds.push_back(seed);
  } else {
    for (const std::string& part : split_list(text)) {
      const std::int64_t seed = to_seed(part);
      if (std::find(seeds.begin(), seeds.end(), seed) == seeds.end()) seeds.push_back(seed);
    }
  }
  if (seeds.empty()) {
    throw InputError({"there is no seed to run", "--seeds " + text, "at least one", ""});
  }
  return seeds;
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t comma = std::min(text.find(',', start), text.size());
    if (comma > start) parts.push_back(text.substr(start, comma - start));
    start = comma + 1;
  }
  return parts;
}

std::vector<Source> paper_sources(const std::vector<std::string>& experiments,
                                  const std::vector<std::string>& rows) {
  std::vector<Source> sources;
  for (const std::string& experiment : experiments) {
    for (const PaperRow& row : chosen_rows(experiment, rows)) {
      sources.push_back(
          {fmt::format("configs/paper/{}/{}-{}.toml", row.family, row.variant, row.row),
           std::string(row.toml)});
    }
  }
  return sources;
}

std::vector<Task> paper_tasks(const PaperPlan& plan) {
  const std::vector<Source> sources = paper_sources(plan.experiments, plan.rows);
  std::vector<Task> tasks;
  for (const std::int64_t seed : plan.seeds) {
    for (const Source& source : sources) tasks.push_back(make_task(source, seed, plan.overrides));
  }
  return tasks;
}

}  // namespace algprior::sweep
