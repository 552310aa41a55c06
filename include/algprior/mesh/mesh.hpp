#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <Eigen/Core>

namespace algprior::mesh {

using Point = Eigen::Vector3d;
/// Three corners, counter-clockwise as seen from outside.
using Face = std::array<std::uint32_t, 3>;

/// A triangle mesh in space, or on the unit sphere: positions and triples of their indices.
struct Mesh {
  std::vector<Point> vertices;
  std::vector<Face> faces;

  friend bool operator==(const Mesh&, const Mesh&) = default;
};

/// Throws InputError unless every corner of every face is a vertex and every coordinate is finite.
void check(const Mesh& mesh);

/// The area of each face. This and the four below trust the mesh to pass check().
std::vector<double> face_areas(const Mesh& mesh);

/// The sum of the faces' areas.
double total_area(const Mesh& mesh);

/// The volume enclosed by a closed mesh, by the divergence theorem; negative when the faces look
/// inwards.
double signed_volume(const Mesh& mesh);

/// The mean of the faces' centroids, weighted by area.
Point area_centroid(const Mesh& mesh);

/// The mesh scaled about the origin so that its area is `area`. Throws InputError when one of
/// the areas is zero or not finite.
Mesh scaled_to_area(Mesh mesh, double area);

/// The face across each side: side i of a face runs from corner i+1 to corner i+2 (mod 3), opposite
/// corner i. kNoFace on a boundary. O(F log F). Where more than two faces meet, an arbitrary pair
/// is joined: see inspect().
inline constexpr std::uint32_t kNoFace = 0xFFFFFFFF;
std::vector<std::array<std::uint32_t, 3>> face_neighbours(const std::vector<Face>& faces);

}  // namespace algprior::mesh
