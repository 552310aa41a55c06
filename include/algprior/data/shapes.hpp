#pragma once

#include "algprior/action/action.hpp"
#include "algprior/base/progress.hpp"
#include "algprior/data/dataset.hpp"
#include "algprior/mesh/procedural.hpp"
#include "algprior/mesh/shape_index.hpp"
#include "algprior/mesh/sphere_shape.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace algprior {

/// A shape on the sphere with the place of its category among all.
struct LabelledShape {
  mesh::SphereShape shape;
  std::int64_t label = 0;
  std::vector<std::array<std::uint32_t, 3>> neighbours;  ///< of the faces, for the rasters
};
using ShapeList = std::shared_ptr<const std::vector<LabelledShape>>;

/// Shapes to train, to validate and to test, and the statistics by which their maps are scaled.
struct ShapeSplits {
  std::vector<std::string> categories;  ///< by label
  ShapeList train, validation, test;
  mesh::Normalisation normalisation;
};

struct ShapeSplitOptions {
  std::int64_t train = 10, validation = 2, test = 8;  ///< shapes of each category
  std::uint64_t seed = 0;                             ///< of the split
  std::vector<std::string> categories = {};           ///< empty: all
  std::vector<std::string> skipped = {};
  bool training_statistics = false;  ///< of the training shapes alone, not of all that are used
};

/// Shapes that prepare_shapes() made, split a category at a time by the seed; a category that has
/// fewer than asked for tests on what is left, at least one. Throws FileError for a missing or
/// damaged file, InputError for a category that does not exist or has too few shapes.
ShapeSplits read_shapes(const std::filesystem::path& folder, const ShapeSplitOptions& options);

/// The same of shapes that need no data, made here: fractions of a second each on all threads.
ShapeSplits make_procedural_shapes(mesh::ProceduralOptions shapes, std::int64_t copies,
                                   const ShapeSplitOptions& options);

/// Which maps of the shapes a data set has, and what stands beside a map as its partner.
struct ShapeMapOptions {
  /// Sample i is a map of shape i mod count, drawn anew in every epoch: its own with probability
  /// 1/5, else one of the others. Otherwise every `stride`-th map of every shape, in order.
  bool drawn = false;
  std::int64_t maps = 31;  ///< of each shape, at most
  std::int64_t stride = 1;
  /// The partner is another map of the shape, uniform (g is the identity); otherwise g·x for a
  /// uniform g.
  bool partner_maps = false;
};

/// Maps on a grid, N×C×grid in [−1, 1], made when they are asked for: about a millisecond each at
/// 6144 cells. y is the category. Throws InputError when the options ask for maps that a shape has
/// not.
Dataset make_shape_maps(std::string name, const ShapeSplits& splits, const ShapeList& shapes,
                        const mesh::SphereGrid& grid, const Action& action,
                        const ShapeMapOptions& options = {});

}  // namespace algprior
