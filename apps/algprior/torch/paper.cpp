#include "algprior/base/cpu.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/interrupt.hpp"
#include "algprior/base/paths.hpp"
#include "algprior/base/suggest.hpp"
#include "algprior/experiment/run.hpp"
#include "algprior/io/bytes.hpp"
#include "algprior/io/checksum.hpp"
#include "algprior/kernel/kernels.hpp"
#include "algprior/paper/catalogue.hpp"
#include "algprior/paper/result_table.hpp"
#include "algprior/toml/read_config.hpp"
#include "entries.hpp"
#include "processes.hpp"
#include "run_report.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace algprior {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t comma = std::min(text.find(',', start), text.size());
    if (comma > start) parts.push_back(text.substr(start, comma - start));
    start = comma + 1;
  }
  return parts;
}

std::int64_t to_seed(const std::string& text) {
  std::int64_t seed = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc() || end != text.data() + text.size() || seed < 0) {
    throw InputError({"cannot read the seeds", "--seeds " + text,
                      "a count (3 means 0, 1, 2) or a list (4,7)", ""});
  }
  return seed;
}

std::vector<std::int64_t> to_seeds(const std::string& text) {
  std::vector<std::int64_t> seeds;
  if (text.find(',') != std::string::npos) {
    for (const std::string& part : split(text)) {
      const std::int64_t seed = to_seed(part);
      if (std::find(seeds.begin(), seeds.end(), seed) == seeds.end()) seeds.push_back(seed);
    }
  } else {
    constexpr std::int64_t kMostSeeds = 10'000;  // each is a whole run
    const std::int64_t count = to_seed(text);
    if (count > kMostSeeds) {
      throw LimitError({"these are too many seeds", "--seeds " + text,
                        fmt::format("at most {} runs of a row", kMostSeeds),
                        "for a single seed of this number write a comma behind it"});
    }
    for (std::int64_t seed = 0; seed < count; ++seed) seeds.push_back(seed);
  }
  if (seeds.empty()) {
    throw InputError({"there is no seed to run", "--seeds " + text, "at least one", ""});
  }
  return seeds;
}

std::vector<PaperRow> chosen_rows(const std::string& experiment, const std::string& rows) {
  const std::vector<PaperRow> all = rows_of(experiment);
  if (rows.empty()) return all;
  std::vector<PaperRow> chosen;
  for (const std::string& name : split(rows)) {
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

struct PlannedRun {
  PaperRow row;
  std::int64_t seed;
};

// Seeds outermost, so that an early stop leaves whole rows of few seeds, not few rows of all seeds.
std::vector<PlannedRun> plan(const PaperRunRequest& request) {
  std::vector<PlannedRun> runs;
  for (const std::int64_t seed : to_seeds(request.seeds)) {
    for (const std::string& experiment : request.experiments) {
      for (const PaperRow& row : chosen_rows(experiment, request.rows)) runs.push_back({row, seed});
    }
  }
  return runs;
}

// What distinguishes a run from the row as the paper has it: "@train.epochs=10". Such a run has a
// folder and a line in the table of its own, and never counts as the row itself.
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

config::Config to_config(const PlannedRun& run, const PaperRunRequest& request) {
  const std::string source =
      fmt::format("configs/paper/{}/{}-{}.toml", run.row.family, run.row.variant, run.row.row);
  const auto parse = [&](const std::vector<std::string>& overrides) {
    return config::parse_config(experiment_schema(), run.row.toml, source, overrides);
  };
  std::vector<std::string> overrides{"experiment.seed=" + std::to_string(run.seed)};
  const config::Config row = parse(overrides);
  if (request.epochs) overrides.push_back("train.epochs=" + std::to_string(*request.epochs));
  overrides.insert(overrides.end(), request.overrides.begin(), request.overrides.end());
  overrides.push_back(
      fmt::format("experiment.row={}{}", run.row.row, changes_of(row, parse(overrides))));
  return parse(overrides);
}

// One process a run: a run's numbers depend on its number of threads alone, not on its neighbours.
std::vector<std::string> child_command(const PlannedRun& run, const PaperRunRequest& request,
                                       const Context& context) {
  std::vector<std::string> words{"paper",
                                 "run",
                                 run.row.experiment(),
                                 "--rows",
                                 std::string(run.row.row),
                                 "--seeds",
                                 std::to_string(run.seed) + ",",
                                 "--threads",
                                 std::to_string(context.threads),
                                 "--kernels",
                                 request.kernels};
  if (context.terminal.json()) words.emplace_back("--json");
  if (request.epochs) {
    words.insert(words.end(), {"--epochs", std::to_string(*request.epochs)});
  }
  for (const std::string& text : request.overrides) words.insert(words.end(), {"--set", text});
  return words;
}

}  // namespace

int run_paper(const PaperRunRequest& request, Context& context) {
  set_kernels(to_kernels(request.kernels));
  const std::vector<PlannedRun> runs = plan(request);
  std::vector<config::Config> configs;  // all checked before the first run
  for (const PlannedRun& run : runs) configs.push_back(to_config(run, request));
  std::vector<Result> results;
  const int jobs = request.jobs.value_or(usable_cores() / context.threads);
  if (jobs > 1 && runs.size() > 1) {
    std::vector<std::vector<std::string>> commands;
    for (const PlannedRun& run : runs) {
      commands.push_back(child_command(run, request, context));
    }
    run_processes(commands, jobs, context.terminal);
    for (const auto& config : configs) {
      results.push_back(read_result(runs_folder() / to_string(run_id(config)) / "result.json"));
    }
  } else {
    for (const auto& config : configs) {
      results.push_back(run_or_resume(config, "algprior paper run", context.terminal));
    }
  }
  if (context.terminal.json()) {
    Json list = Json::array();
    for (const Result& result : results) list.push_back(Json::parse(to_json(result)));
    context.terminal.print_json(list);
  } else {
    const std::string page = write_run_page(configs, "paper-run", context.terminal);
    context.terminal.print(to_text(results) + "run folders: " + runs_folder().string() + "\n" +
                           (page.empty() ? "" : "page: " + page + "\n"));
  }
  return 0;
}

}  // namespace algprior
