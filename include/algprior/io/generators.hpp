#pragma once

#include "algprior/group/group.hpp"

#include <string>
#include <vector>

#include <Eigen/Core>

namespace algprior::io {

/// One matrix for each generator, real ones with imaginary part 0: the arrays of an NPZ or
/// safetensors file that are named like the generators, or one NPY array of shape [generators, d,
/// d] in their order. Shapes are compared before data is unpacked; what else an archive holds is
/// not read. Throws FileError and InputError that name the file and the generator: no array, no
/// square one, sizes that differ, a number that is not finite.
std::vector<Eigen::MatrixXcd> read_generators(const Group& group, const std::string& path);

}  // namespace algprior::io
