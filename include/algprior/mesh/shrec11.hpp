#pragma once

#include "algprior/mesh/prepare.hpp"

#include <filesystem>
#include <string>

namespace algprior::mesh {

/// The first folder of meshes of SHREC'11 among data_folders(): in each, SHREC_11_CONF, then
/// shrec11, then shrec_16. Folders that prepare_shrec11() filled are passed over. Throws FileError
/// that says what to put where.
std::filesystem::path find_shrec11();

/// prepare_shapes() under the settings of the SHREC'11 experiment: area 4π, 16 heat kernel
/// signatures, 31 maps, rasters on the cube map of 32. Of SHREC_11_CONF the package's own maps are
/// taken. At the end a manifest of all files makes the folder the made data set "shrec11" (see
/// store/made.hpp).
ShapeIndex prepare_shrec11(const std::filesystem::path& source, const std::filesystem::path& output,
                           const ProgressSink& progress = {});

/// What was prepared and what was refused and why, and how to get the maps of the published
/// experiments where the folder was made without them.
std::string shrec11_remark(const std::filesystem::path& output);

}  // namespace algprior::mesh
