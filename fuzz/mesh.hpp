#pragma once

#include "algprior/mesh/mesh_file.hpp"
#include "algprior/mesh/topology.hpp"
#include "fuzz.hpp"

namespace algprior::fuzz {

inline constexpr mesh::MeshLimits kMeshLimits{.bytes = kLimit, .vertices = 20'000, .faces = 20'000};

/// A mesh that was read has only vertices that exist and finite coordinates (to_ply checks both),
/// and every question about it has an answer.
template <class Parse>
int run_mesh(const std::uint8_t* data, std::size_t size, Parse&& parse) {
  return run(data, size, [&](io::ByteView bytes) {
    const mesh::Mesh first = parse(bytes, "input", kMeshLimits);
    const mesh::Mesh again = mesh::parse_ply(mesh::to_ply(first), "again", kMeshLimits);
    require(again == first);
    const mesh::CleanedMesh cleaned = mesh::clean(first);
    require(cleaned.mesh.vertices.size() <= first.vertices.size());
    require(cleaned.origin.size() == cleaned.mesh.vertices.size());
    if (!first.faces.empty()) {
      const mesh::Topology topology = mesh::inspect(cleaned.mesh);
      require(mesh::why_not_sphere(topology).empty() ==
              (topology.is_closed_manifold() && topology.components == 1 && topology.genus() == 0));
    }
  });
}

}  // namespace algprior::fuzz
