#pragma once

#include "algprior/data/shapes.hpp"
#include "algprior/experiment/settings.hpp"
#include "algprior/mesh/sphere_grid.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace algprior {

/// [data] of shapes on the sphere: where they come from, which train, on which grid.
struct ShapeDataSettings {
  std::string source = "shrec11";
  std::vector<std::string> categories;
  std::int64_t procedural_categories = 10, detail = 3;
  std::int64_t train = 10, validation = 2, test = 4, maps = 31;
  std::string statistics = "all";
  std::string grid = "cube-32";
  std::string group = "Oh";

  void bind(config::Fields& fields);
  /// The shapes, split by the seed. Throws FileError where SHREC'11 has not been prepared.
  ShapeSplits load(std::uint64_t seed) const;
};

/// [head]: the classifier on the latents of a trained encoder.
struct HeadSettings {
  std::int64_t width = 128, gram = 64, hidden = 8320;
  bool finetune = false;
  bool unit = false;
  double learning_rate = 5e-4;
  std::int64_t warmup = 1, batch_size = 16, epochs = 21;

  void bind(config::Fields& fields);
  TrainSettings train() const;
};

}  // namespace algprior
