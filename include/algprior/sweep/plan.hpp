#pragma once

#include "algprior/config/config.hpp"
#include "algprior/sweep/manifest.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace algprior::sweep {

/// Rows of the paper's tables × seeds, changed in the same way.
struct PaperPlan {
  std::vector<std::string> experiments;  ///< "ddmnist-d4"
  std::vector<std::string> rows;         ///< empty: all
  std::vector<std::int64_t> seeds;
  std::vector<std::string> overrides;  ///< "train.epochs=10"
};

/// The runs, seeds outermost, so that an early stop leaves whole rows of few seeds, not few rows of
/// all seeds. A row that is changed has a name, and so a folder and a line in tables, of its own,
/// "regular@train.epochs=10". Throws InputError for unknown experiments, rows and settings.
std::vector<Task> paper_tasks(const PaperPlan& plan);

/// "3" means the seeds 0, 1, 2; "4,7" just these; "4," just 4. Throws InputError.
std::vector<std::int64_t> parse_seeds(const std::string& text);

/// The parts between commas, empty ones left out.
std::vector<std::string> split_list(const std::string& text);

/// The sweep that a TOML file describes:
///
///     [sweep]
///     name = "weights"
///     file = "my.toml"            # or paper = ["ddmnist-d4"], rows = ["cnn", "regular"]
///     seeds = 3                   # or [0, 4]
///     set = ["train.epochs=20"]   # of every run
///     [grid]                      # every combination
///     "prior.weight" = [0.1, 1.0]
///     [[runs]]                    # or a list; each of them × the grid × the seeds
///     "network.kind" = "mlp"
///     [slurm]
///     partition = "main"
///
/// Every configuration is checked here. Throws InputError with the place of what is wrong.
Manifest read_sweep(const std::filesystem::path& path);
/// The same of the file's text; `path` is for messages, and sweep.file stands beside it.
Manifest parse_sweep(const std::string& toml, const std::filesystem::path& path);

}  // namespace algprior::sweep
