#pragma once

#include "algprior/base/progress.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace algprior {

/// A data set that `algprior data get` makes or prepares here instead of downloading it. Its files
/// lie in one folder with a manifest, which store/made.hpp writes, finds and verifies; so list,
/// path and verify need nothing more than the name.
struct MadeSet {
  std::string name;
  std::string sentence;  ///< what it is, for `algprior data list --json`
  std::string unit;      ///< what progress counts: "steps", "meshes"
  /// Fills the folder; called again, it goes on where it stopped.
  std::function<void(const std::filesystem::path& folder, const ProgressSink& progress)> make;
  /// What a person should know of the folder once it is made; may be empty.
  std::function<std::string(const std::filesystem::path& folder)> remark = {};
};

/// Every made set: to add one is to add a line to this table (data_made.cpp).
const std::vector<MadeSet>& made_sets();

}  // namespace algprior
