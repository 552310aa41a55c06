#pragma once

#include "algprior/sweep/manifest.hpp"
#include "terminal.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace algprior {

/// A frozen sweep and those of its tasks that an engine shall work off.
struct SweepWork {
  sweep::Manifest manifest;
  std::filesystem::path folder;
  std::vector<std::size_t> tasks;
};

/// Works the tasks off here, a process each, and returns when all have ended: at most
/// policy.max_parallel at the same time, a failed one again up to policy.retries times. What they
/// say goes to their logs and is passed on. Ctrl-C reaches them, and they stop by themselves.
/// Throws Error naming the runs that failed, after the others have ended.
void run_locally(const SweepWork& work, Terminal& terminal);

/// Hands the tasks to Slurm as one job array and returns its number.
std::string submit_to_slurm(const SweepWork& work);
/// The tasks that wait or run in arrays which were submitted before.
std::vector<std::size_t> queued_in_slurm(const std::filesystem::path& sweep);

/// Stops whoever works on the sweep: what was told is returned, a line each.
std::vector<std::string> cancel_sweep(const std::filesystem::path& sweep);

/// Who works on a sweep: the file "engine" of its folder.
struct EngineNote {
  std::string host;  ///< of the local engine
  long process = 0;
  std::vector<std::string> jobs;  ///< of Slurm
};
EngineNote read_engine_note(const std::filesystem::path& sweep);
void write_engine_note(const std::filesystem::path& sweep, const EngineNote& note);

}  // namespace algprior
