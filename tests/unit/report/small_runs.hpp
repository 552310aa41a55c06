#pragma once

#include "../base/temporary_folder.hpp"
#include "algprior/report/run.hpp"

#include <filesystem>
#include <string>

namespace algprior::report {

/// What a made-up run folder holds.
struct SmallRun {
  std::string experiment = "ddmnist-d4";  ///< "<family>-<variant>"
  std::string row = "regular";
  int seed = 0;
  int epochs = 5;
  double accuracy = 0.8;
  bool finished = true;
  std::string group = "D4";
  std::string extra_settings = {};
};

/// Writes config.toml, metrics.jsonl and, when finished, result.json below `runs` and returns the
/// folder.
std::filesystem::path write_small_run(const std::filesystem::path& runs, const SmallRun& run);

/// The text of a metrics file: train/task falling, validation/accuracy rising to `accuracy`.
std::string metrics_text(int epochs, double accuracy);

/// How often `part` stands in `text`.
std::size_t count_of_text(const std::string& text, const std::string& part);

}  // namespace algprior::report
