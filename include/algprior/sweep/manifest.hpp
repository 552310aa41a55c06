#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace algprior::sweep {

/// One run of a sweep: its whole configuration, and its folder, which follows from it.
struct Task {
  std::string name;              ///< "ddmnist-d4/regular/0", below the runs folder
  std::filesystem::path folder;  ///< absolute
  std::string config;            ///< TOML that reads back to all settings
};

/// What a Slurm job is asked for; "" leaves a choice to the cluster.
struct SlurmSettings {
  std::string partition, account, time, memory;
  std::int64_t warning = 60;  ///< seconds before the end of its time at which a run stops by itself
  bool requeue = true;        ///< a run that was stopped goes back into the queue
  std::vector<std::string> options;  ///< further ones of sbatch: "--constraint=avx512"
};

/// How the runs are worked off, not what they are.
struct Policy {
  int threads = 1;  ///< of each run
  std::string kernels = "auto";
  int retries = 0;         ///< how often a run that failed is begun anew
  bool fail_fast = false;  ///< the first run that fails ends the others
  int max_parallel = 0;    ///< runs at the same time; 0: as many as there are cores for
  SlurmSettings slurm;
};

/// A sweep, frozen: later changes of the files that it was made of do not reach it.
struct Manifest {
  std::string name;
  std::vector<Task> tasks;
  Policy policy;
};

/// Where the sweep of a name lives: <runs>/sweeps/<name>. Throws InputError for a name that would
/// leave it.
std::filesystem::path sweep_folder(const std::string& name);

/// JSON with a checksum, in the file "manifest" of the folder. Throws InputError when the folder
/// holds another sweep, naming what differs; the same one is left as it is.
void freeze(const Manifest& manifest, const std::filesystem::path& folder);

/// Throws InputError when there is no sweep, FileError when the file was changed or is damaged.
Manifest read_manifest(const std::filesystem::path& folder);
/// The same of its text.
Manifest parse_manifest(const std::string& text, const std::string& source);
std::string to_text(const Manifest& manifest);

}  // namespace algprior::sweep
