// What a surface is: closed, manifold, connected, genus.
#include "algprior/mesh/topology.hpp"

#include "algprior/base/error.hpp"
#include "algprior/mesh/refine.hpp"
#include "algprior/mesh/sphere_map.hpp"
#include "shapes_for_tests.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace algprior::mesh {
namespace {

Mesh joined(Mesh a, const Mesh& b, const Point& shift) {
  const auto offset = static_cast<std::uint32_t>(a.vertices.size());
  for (const Point& p : b.vertices) a.vertices.push_back(p + shift);
  for (const Face& f : b.faces) a.faces.push_back({f[0] + offset, f[1] + offset, f[2] + offset});
  return a;
}

std::string reason(const Mesh& mesh) {
  return why_not_sphere(inspect(mesh));
}

TEST(Topology, SpheresAreSpheresAndToriAreNot) {
  for (int level = 0; level < 4; ++level) {
    const Topology topology = inspect(make_icosphere(level));
    EXPECT_EQ(topology.euler_characteristic(), 2);
    EXPECT_TRUE(topology.is_closed_manifold());
    EXPECT_EQ(why_not_sphere(topology), "");
  }
  const Topology topology = inspect(torus(8, 5));
  EXPECT_EQ(topology.euler_characteristic(), 0);
  EXPECT_EQ(topology.genus(), 1);
  EXPECT_EQ(why_not_sphere(topology), "its genus is 1 (Euler characteristic 0)");
}

TEST(Topology, EachWayNotToBeASphereIsNamed) {
  const Mesh sphere = make_icosphere(1);
  Mesh open = sphere;
  open.faces.pop_back();
  EXPECT_EQ(reason(open), "3 edges have one face only: the surface is open");
  EXPECT_EQ(reason(joined(sphere, sphere, {5, 0, 0})), "it has 2 components");
  Mesh turned = sphere;
  std::swap(turned.faces[7][0], turned.faces[7][1]);
  EXPECT_EQ(reason(turned), "the faces at 3 edges disagree on which side is outside");
  Mesh crowded = sphere;
  crowded.faces.push_back(sphere.faces[0]);
  EXPECT_EQ(reason(crowded), "3 edges have more than two faces: not a manifold");
  // Two spheres that touch in one vertex are connected and closed, but pinched there.
  const Mesh touching = clean(joined(sphere, sphere, sphere.vertices[0] - sphere.vertices[3])).mesh;
  EXPECT_EQ(inspect(touching).pinched_vertices, 1);
  EXPECT_EQ(reason(touching), "the surface touches itself at 1 vertices: not a manifold");
  EXPECT_EQ(reason({}), "it has no faces");
  for (const Mesh& mesh : {open, turned, crowded, touching, Mesh{}}) {
    EXPECT_THROW(flow_to_sphere(mesh), InputError);
    EXPECT_THROW(harmonic_to_sphere(mesh), InputError);
  }
}

TEST(Topology, CleaningMergesPlacesAndKeepsTheSurface) {
  const Mesh sphere = make_icosphere(1);
  // Every face with corners of its own, and a vertex of no face.
  Mesh soup;
  for (const Face& face : sphere.faces) {
    const auto first = static_cast<std::uint32_t>(soup.vertices.size());
    for (const std::uint32_t corner : face) soup.vertices.push_back(sphere.vertices[corner]);
    soup.faces.push_back({first, first + 1, first + 2});
  }
  soup.vertices.emplace_back(9, 9, 9);
  soup.faces.push_back({0, 0, 1});
  const CleanedMesh cleaned = clean(soup);
  EXPECT_EQ(reason(cleaned.mesh), "");
  EXPECT_EQ(cleaned.mesh.vertices.size(), sphere.vertices.size());
  EXPECT_EQ(cleaned.merged_vertices, 3 * sphere.faces.size() - sphere.vertices.size());
  EXPECT_EQ(cleaned.removed_faces, 1);
  EXPECT_EQ(cleaned.removed_vertices, 1);
  for (std::size_t v = 0; v < cleaned.origin.size(); ++v) {
    EXPECT_EQ(cleaned.mesh.vertices[v], soup.vertices[cleaned.origin[v]]);
  }
  EXPECT_EQ(clean(sphere).mesh, sphere);
}

TEST(Topology, NeighboursShareTheirSide) {
  const Mesh sphere = make_icosphere(2);
  const auto neighbours = face_neighbours(sphere.faces);
  for (std::uint32_t f = 0; f < sphere.faces.size(); ++f) {
    for (std::uint32_t i = 0; i < 3; ++i) {
      const std::uint32_t g = neighbours[f][i];
      ASSERT_NE(g, kNoFace);
      const Face& other = sphere.faces[g];
      for (const std::uint32_t k : {1U, 2U}) {
        EXPECT_EQ(std::count(other.begin(), other.end(), sphere.faces[f][(i + k) % 3]), 1);
      }
      EXPECT_NE(g, f);
    }
  }
}

}  // namespace
}  // namespace algprior::mesh
