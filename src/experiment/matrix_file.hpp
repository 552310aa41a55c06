#pragma once

#include "algprior/rep/representation.hpp"

#include <string>

namespace algprior {

/// The representation by matrices in a file, one array for each generator (io/generators.hpp).
/// `key` names the setting that gave the path. Throws InputError with key, file and array for
/// matrices that are complex, not finite or of other shapes, and with the relator for those that do
/// not satisfy the group's relations to 1e-5, which float32 allows.
Representation read_matrix_representation(const Group& group, const std::string& path,
                                          const std::string& key);

}  // namespace algprior
