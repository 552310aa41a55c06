#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <Eigen/Core>

namespace algprior::mesh {

/// A mesh that became a shape.
struct ShapeEntry {
  std::string category;
  std::string id;
  std::uint32_t label = 0;  ///< the place of its category among all, sorted by name
  std::string source;
  std::string source_sha256;
  std::string sha256;  ///< of the tensors in shapes/category/id.safetensors
  Eigen::VectorXd mean, mean_square;
  std::map<std::string, std::string> remarks;

  /// "category/id.safetensors"
  std::string file() const { return category + "/" + id + ".safetensors"; }
};

/// A mesh that did not, and why.
struct RefusedMesh {
  std::string category, id, source, reason;
};

/// What prepare_shapes() made.
struct ShapeIndex {
  std::vector<std::string> categories;
  std::vector<ShapeEntry> shapes;
  std::vector<RefusedMesh> refused;
  std::vector<std::string> grids;
};

void write_index(const std::filesystem::path& folder, const ShapeIndex& index);

/// Throws FileError for a missing or damaged index.json.
ShapeIndex read_index(const std::filesystem::path& folder);

/// Per channel the mean and the standard deviation √(E₂ − μ²) over some of the shapes, each shape
/// weighing the same. Pixels are mapped by y = clip((x − (μ − 2.5σ))/5σ, 0, 1), input 2y − 1.
struct Normalisation {
  Eigen::VectorXd mean, deviation;
  float operator()(float value, Eigen::Index channel) const;
};
Normalisation normalisation(const ShapeIndex& index, const std::vector<std::size_t>& which);

/// Which shapes train and which test: per category a permutation by (seed, category), the first
/// `train` train, the next `test` (or as many as are left, at least one) test. Categories in
/// `skipped` are left out. Throws InputError for a category with too few shapes.
struct ShapeSplit {
  std::vector<std::size_t> train, test;
};
struct SplitOptions {
  std::size_t train = 10;
  std::size_t test = 4;
  std::uint64_t seed = 0;
  std::vector<std::string> skipped = {};
};
ShapeSplit split_shapes(const ShapeIndex& index, const SplitOptions& options);

/// The categories of SHREC'11 that the published experiments leave out.
const std::vector<std::string>& shrec11_skipped();

}  // namespace algprior::mesh
