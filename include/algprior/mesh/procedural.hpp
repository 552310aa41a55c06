#pragma once

#include "algprior/base/progress.hpp"
#include "algprior/mesh/mesh.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace algprior::mesh {

/// Shapes that need no data: categories of bodies that bend, for tests and for those without
/// SHREC'11.
struct ProceduralOptions {
  int categories = 10;
  int instances = 30;     ///< of each category
  int level = 3;          ///< of the icosphere: 642 vertices
  double bending = 0.6;   ///< sd of a limb's whole bending angle
  double ripples = 0.02;  ///< amplitude of six low-frequency waves over the body
  std::uint64_t seed = 0;
};

/// The name of a category: "limbs-0", "superquadric-1", "waves-2", "dumbbell-3", "hand-4",
/// "limbs-5", … The five families take turns.
std::string procedural_category(int category);

/// One instance of a category: the icosphere carried to a star-shaped body drawn by (seed,
/// category), then varied by (seed, category, instance): limbs bent near-isometrically, lengths and
/// ripples changed, the whole turned at random. A closed surface of genus 0 of area 4π, for all
/// options within range. Throws InputError for others.
Mesh procedural_shape(int category, int instance, const ProceduralOptions& options = {});

/// All instances as `folder`/CATEGORY/NUMBER.off, the layout that scan_meshes() reads.
void write_procedural_shapes(const std::filesystem::path& folder,
                             const ProceduralOptions& options = {},
                             const ProgressSink& progress = {});

}  // namespace algprior::mesh
