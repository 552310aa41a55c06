#pragma once

#include "algprior/audit/audit.hpp"
#include "algprior/paper/result.hpp"
#include "algprior/report/metric_log.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace algprior::report {

/// What became of a run.
enum class RunState {
  kFinished,  ///< it has a result
  kDiverged,  ///< it has a result that says so
  kRunning,   ///< no result, and a living process holds its folder
  kStopped,   ///< no result, and nobody works on it
  kDamaged    ///< its result cannot be read
};

/// "finished", "diverged", "running", "stopped before the end", "damaged"
std::string to_string(RunState state);

/// A run as it stands on disk: what can be read, and in words what cannot.
struct Run {
  std::filesystem::path folder;  ///< empty for a result file alone
  std::string source;            ///< the path, for readers
  std::string experiment, row;
  std::uint64_t seed = 0;
  RunState state = RunState::kStopped;
  std::optional<Result> result;
  std::map<std::string, std::string> settings;  ///< "train.epochs" → "20", from config.toml
  MetricLog metrics;
  std::vector<AuditReport> audits;  ///< of audit.json and its like, one for each layer
  std::vector<std::string> problems;

  /// "ddmnist-d4/regular/0"
  std::string name() const;
  /// Whether the folder holds a file of this name.
  bool has(const std::string& file) const;
  std::optional<double> metric(const std::string& name) const;
  /// The setting, or else that of the paper's row with the same names; "" when there is neither.
  std::string setting(const std::string& name) const;
};

struct RunSet {
  std::vector<Run> runs;              ///< by experiment, row, seed
  std::vector<std::string> problems;  ///< files that are no runs but look like ones
};

/// The files that `algprior audit RUN` leaves in a run: of layer 0, of further layers, of the
/// output.
const std::vector<std::string>& audit_file_names();

/// One run folder. Never throws for what the folder holds: that goes to `problems`.
Run read_run(const std::filesystem::path& folder);

/// The run folders at or below each path, and the result files of results folders. A run that
/// stands in both counts once, its folder is taken. Throws InputError for a path that does not
/// exist or a file that is no result; an empty folder has no runs.
RunSet find_runs(const std::vector<std::filesystem::path>& paths);

/// Whether a folder looks like a run: it has a configuration, metrics, a result or a checkpoint.
bool is_run_folder(const std::filesystem::path& folder);

/// Whether a living process holds the folder (base/lock.hpp), found without touching the lock: by
/// the kernel's list, or, for a holder on another machine, by a file of the folder written in the
/// last ten minutes.
bool is_held(const std::filesystem::path& folder);

/// A TOML file as a flat list. Throws FileError with the place of an error.
std::map<std::string, std::string> parse_settings(const std::string& toml,
                                                  const std::string& source);

/// Runs of one experiment and row: they differ in their seeds.
struct RunGroup {
  std::string experiment, row;
  std::vector<const Run*> runs;
};

/// In the order of the runs. References into `runs`.
std::vector<RunGroup> group_runs(const std::vector<Run>& runs);

}  // namespace algprior::report
