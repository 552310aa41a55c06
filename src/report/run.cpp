#include "algprior/report/run.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/paper/catalogue.hpp"

#include <charconv>

#include <fmt/format.h>

namespace algprior::report {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargestSettings = std::uint64_t{1} << 20;
constexpr std::uint64_t kLargestAudit = std::uint64_t{16} << 20;
constexpr std::uint64_t kLargestMetrics = std::uint64_t{1} << 30;

// Calls `read` and keeps what it complains about.
template <class Read>
bool attempt(Run& run, Read read) {
  try {
    read();
    return true;
  } catch (const Error& error) {
    const Failure& failure = error.failure();
    run.problems.push_back(failure.what + ": " + failure.where +
                           (failure.expected.empty() ? "" : " (" + failure.expected + ")"));
    return false;
  }
}

// The names that settings and result do not give stand in the path: …/experiment/row/seed.
void name_by_path(Run& run) {
  const fs::path path = fs::absolute(run.folder).lexically_normal();
  const fs::path folder = path.filename().empty() ? path.parent_path() : path;
  const std::string last = folder.filename().string();
  std::uint64_t seed = 0;
  const auto [end, code] = std::from_chars(last.data(), last.data() + last.size(), seed);
  const bool numbered = code == std::errc() && end == last.data() + last.size();
  run.seed = numbered ? seed : 0;
  const fs::path row = numbered ? folder.parent_path() : folder;
  run.row = row.filename().string();
  run.experiment = row.parent_path().filename().string();
}

void name_by_settings(Run& run) {
  const auto get = [&](const char* key) {
    const auto entry = run.settings.find(key);
    return entry == run.settings.end() ? std::string() : entry->second;
  };
  const std::string family = get("experiment.family"), variant = get("experiment.variant");
  if (family.empty()) return;
  // A row with changes of its own ("regular@train.epochs=3") has them in its folder alone.
  const std::string row = get("experiment.row");
  if (!row.empty() && !run.row.starts_with(row)) run.row = row;
  run.experiment = variant.empty() ? family : family + "-" + variant;
  const std::string seed = get("experiment.seed");
  std::from_chars(seed.data(), seed.data() + seed.size(), run.seed);
}

RunState state_of(const Run& run, bool result_is_there) {
  if (!run.result) {
    if (result_is_there) return RunState::kDamaged;
    return is_held(run.folder) ? RunState::kRunning : RunState::kStopped;
  }
  return run.metric("diverged").value_or(0) != 0 ? RunState::kDiverged : RunState::kFinished;
}

// The paper's row that a row with changes was made from.
const PaperRow* paper_row_of(const Run& run) {
  const std::string row = run.row.substr(0, run.row.find('@'));
  for (const PaperRow& known : paper_rows()) {
    if (known.row == row && known.experiment() == run.experiment) return &known;
  }
  return nullptr;
}

}  // namespace

std::string to_string(RunState state) {
  switch (state) {
    case RunState::kFinished:
      return "finished";
    case RunState::kDiverged:
      return "diverged";
    case RunState::kRunning:
      return "running";
    case RunState::kStopped:
      return "stopped before the end";
    default:
      return "damaged";
  }
}

const std::vector<std::string>& audit_file_names() {
  static const std::vector<std::string> names{"audit.json", "audit-1.json", "audit-2.json",
                                              "audit-3.json", "audit-output.json"};
  return names;
}

std::string Run::name() const {
  return fmt::format("{}/{}/{}", experiment, row, seed);
}

bool Run::has(const std::string& file) const {
  std::error_code ignored;
  return !folder.empty() && fs::is_regular_file(folder / file, ignored);
}

std::optional<double> Run::metric(const std::string& name) const {
  if (!result) return std::nullopt;
  const auto entry = result->metrics.find(name);
  return entry == result->metrics.end() ? std::nullopt : std::optional(entry->second);
}

std::string Run::setting(const std::string& name) const {
  const auto own = settings.find(name);
  if (own != settings.end()) return own->second;
  const PaperRow* known = settings.empty() ? paper_row_of(*this) : nullptr;
  if (known == nullptr) return "";
  const auto all = parse_settings(std::string(known->toml), "a row of the paper");
  const auto entry = all.find(name);
  return entry == all.end() ? "" : entry->second;
}

bool is_run_folder(const fs::path& folder) {
  std::error_code ignored;
  for (const char* name : {"config.toml", "metrics.jsonl", "result.json", "checkpoint.apc"}) {
    if (fs::is_regular_file(folder / name, ignored)) return true;
  }
  return false;
}

Run read_run(const fs::path& folder) {
  Run run;
  run.folder = folder;
  run.source = folder.string();
  name_by_path(run);
  const fs::path config = folder / "config.toml", metrics = folder / "metrics.jsonl";
  if (run.has("config.toml")) {
    attempt(run, [&] {
      run.settings = parse_settings(read_file(config, kLargestSettings), config.string());
    });
    name_by_settings(run);
  } else {
    run.problems.push_back("there is no config.toml: the settings are not known");
  }
  if (run.has("metrics.jsonl")) {
    attempt(run, [&] { run.metrics.append(read_file(metrics, kLargestMetrics)); });
    if (run.metrics.bad_lines() > 0) {
      run.problems.push_back(fmt::format(
          "{} lines of metrics.jsonl cannot be read and are left out", run.metrics.bad_lines()));
    }
  }
  const bool result_is_there = run.has("result.json");
  if (result_is_there) attempt(run, [&] { run.result = read_result(folder / "result.json"); });
  if (run.result) {
    run.experiment = run.result->id.experiment();
    run.row = run.result->id.changed_row();
    run.seed = run.result->id.seed;
  }
  for (const std::string& name : audit_file_names()) {
    if (!run.has(name)) continue;
    attempt(run, [&] {
      const fs::path file = folder / name;
      run.audits.push_back(parse_audit(read_file(file, kLargestAudit), file.string()));
    });
  }
  if (run.result && run.has("metrics.jsonl")) {
    attempt(run, [&] { check_file(*run.result, folder, "metrics.jsonl"); });
  }
  run.state = state_of(run, result_is_there);
  if (run.state == RunState::kStopped && run.metrics.pending() > 0) {
    run.problems.push_back("the last line of metrics.jsonl is torn");
  }
  return run;
}

std::vector<RunGroup> group_runs(const std::vector<Run>& runs) {
  std::vector<RunGroup> groups;
  for (const Run& run : runs) {
    if (groups.empty() || groups.back().experiment != run.experiment ||
        groups.back().row != run.row) {
      groups.push_back({run.experiment, run.row, {}});
    }
    groups.back().runs.push_back(&run);
  }
  return groups;
}

}  // namespace algprior::report
