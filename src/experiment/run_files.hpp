#pragma once

#include <filesystem>

namespace algprior {

inline constexpr const char* kDivergedFile = "diverged.txt";
inline constexpr const char* kWeightsFile = "model.safetensors";
inline constexpr const char* kResultFile = "result.json";

/// Throws InputError for a run that diverged or has not finished, FileError when its weights are
/// not those that its result vouches for.
void check_weights_file(const std::filesystem::path& folder);

}  // namespace algprior
