#pragma once

#include <filesystem>
#include <vector>

namespace algprior {

/// Where downloads and derived data are kept: $XDG_CACHE_HOME/algprior, else ~/.cache/algprior.
/// Throws InputError when there is neither a cache folder nor a home. Creates nothing.
std::filesystem::path cache_folder();

/// Where data sets are looked for, in this order: the folders of $ALGPRIOR_DATA (separated by ':'),
/// then cache_folder() when there is one.
std::vector<std::filesystem::path> data_folders();

/// Where runs are written: $ALGPRIOR_RUNS, else "runs" in the working folder.
std::filesystem::path runs_folder();

/// Whether this process could create files in the folder, or create the folder itself. Leaves
/// nothing behind.
bool is_writable(const std::filesystem::path& folder);

}  // namespace algprior
