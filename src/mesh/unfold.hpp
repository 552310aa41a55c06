#pragma once

#include "algprior/mesh/mesh.hpp"

#include <vector>

namespace algprior::mesh {

/// Moves the vertices of folded faces of a sphere mesh to the mean of their neighbours, again and
/// again, now and then with one more ring around those that stayed folded; at most `sweeps` sweeps.
/// Returns the number of faces that are still folded.
std::size_t unfold(std::vector<Point>& vertices, const std::vector<Face>& faces, int sweeps);

}  // namespace algprior::mesh
