#pragma once

#include "algprior/mesh/sphere_shape.hpp"
#include "algprior/report/figure.hpp"

#include <string>

namespace algprior::report {

/// A closed surface, its map to the sphere and its raster on a grid (a cube map unfolded to a
/// cross), the last two coloured by one channel of the shape's signal. Throws InputError for a
/// channel that the shape has not.
Figure shape_figure(const mesh::Mesh& surface, const mesh::SphereShape& shape,
                    const mesh::SphereGrid& grid, const std::string& name, int channel = 0);

}  // namespace algprior::report
