// Functions on sphere meshes, sampled on grids.
#include "algprior/mesh/raster.hpp"

#include "algprior/base/error.hpp"
#include "algprior/group/geometry.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/mesh/cube_map.hpp"
#include "algprior/mesh/heat_kernel.hpp"
#include "algprior/mesh/mobius.hpp"
#include "algprior/mesh/sphere_map.hpp"
#include "shapes_for_tests.hpp"

#include <cmath>

#include <Eigen/SVD>
#include <gtest/gtest.h>

namespace algprior::mesh {
namespace {

Eigen::MatrixXf coordinates(const std::vector<Point>& vertices) {
  Eigen::MatrixXf signal(static_cast<Eigen::Index>(vertices.size()), 3);
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    signal.row(static_cast<Eigen::Index>(v)) = vertices[v].cast<float>().transpose();
  }
  return signal;
}

TEST(Locator, FindsTheTriangleThatContainsTheDirection) {
  const Mesh sphere = make_icosphere(3);
  const auto neighbours = face_neighbours(sphere.faces);
  SphereLocator locator(sphere.vertices, sphere.faces, neighbours);
  RandomStream random(RandomKey(1, "locator"));
  for (int i = 0; i < 2000; ++i) {  // jumps over the whole sphere
    const Point p = Point(random.normal(), random.normal(), random.normal()).normalized();
    const SphereHit hit = locator.locate(p);
    Point q = Point::Zero();
    double sum = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      ASSERT_GE(hit.weights[k], 0.0);
      sum += hit.weights[k];
      q += hit.weights[k] * sphere.vertices[sphere.faces[hit.face][k]];
    }
    ASSERT_NEAR(sum, 1.0, 1e-12);
    ASSERT_NEAR((q.normalized() - p).norm(), 0.0, 1e-9);
  }
}

TEST(Locator, AnswersOnFoldedFlatAndOpenMeshes) {
  Mesh sphere = make_icosphere(2);
  sphere.vertices[40] = sphere.vertices[3];    // a fold and faces without area
  sphere.vertices[90] = -sphere.vertices[90];  // a spike through the ball
  sphere.faces.resize(200);
  const auto neighbours = face_neighbours(sphere.faces);
  SphereLocator locator(sphere.vertices, sphere.faces, neighbours);
  for (const Point& p : grid_directions(half_offset_grid(12, 24))) {
    const SphereHit hit = locator.locate(p);
    ASSERT_LT(hit.face, sphere.faces.size());
    ASSERT_NEAR(hit.weights[0] + hit.weights[1] + hit.weights[2], 1.0, 1e-12);
  }
}

TEST(Raster, ConstantsStayAndCoordinatesAreTheDirections) {
  const Mesh sphere = make_icosphere(4);
  Eigen::MatrixXf signal(static_cast<Eigen::Index>(sphere.vertices.size()), 4);
  signal << coordinates(sphere.vertices), Eigen::VectorXf::Constant(signal.rows(), 7.0F);
  for (const SphereGrid& grid :
       {end_point_grid(12, 24), half_offset_grid(12, 24), cube_map_grid(6)}) {
    const auto directions = grid_directions(grid);
    const auto raster = raster_on_sphere(sphere.vertices, sphere.faces, signal, grid);
    ASSERT_EQ(raster.size(), 4 * grid.cells());
    for (std::size_t i = 0; i < grid.cells(); ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        // Flat triangles of edge e lie e²/8 below the sphere.
        ASSERT_NEAR(raster[k * grid.cells() + i], directions[i][static_cast<Eigen::Index>(k)],
                    2e-3);
      }
      ASSERT_NEAR(raster[3 * grid.cells() + i], 7.0F, 1e-5);
    }
  }
  EXPECT_THROW(raster_on_sphere(sphere.vertices, sphere.faces, signal.topRows(5), cube_map_grid(4)),
               InputError);
}

struct PreparedShape {
  Mesh mesh;
  std::vector<Point> sphere;
  Eigen::MatrixXf signal;
};

PreparedShape prepared(const Mesh& mesh) {
  return {mesh, map_to_sphere(mesh).vertices, heat_kernel_signature(mesh).cast<float>()};
}

TEST(Raster, OfATurnedSphereIsTheTurnedRasterExactlyOnTheCubeMap) {
  const PreparedShape shape = prepared(five_limbs(3));
  const Group group = make_group("Oh");
  const auto& matrices = *orthogonal_matrices(group);
  const SphereGrid grid = cube_map_grid(8);
  const auto tables = cube_map_permutations(group, 8);
  const auto plain = raster_on_sphere(shape.sphere, shape.mesh.faces, shape.signal, grid);
  for (Element g = 0; g < group.order(); ++g) {
    std::vector<Point> turned;
    for (const Point& p : shape.sphere) turned.push_back(matrices[g] * p);
    const auto raster = raster_on_sphere(turned, shape.mesh.faces, shape.signal, grid);
    for (std::size_t k = 0; k < 16; ++k) {
      for (std::size_t c = 0; c < grid.cells(); ++c) {
        const float expected = plain[k * grid.cells() + tables[g][c]];
        ASSERT_NEAR(raster[k * grid.cells() + c], expected, 1e-4F * (1.0F + std::abs(expected)));
      }
    }
  }
}

TEST(Raster, OfATurnedMeshIsTheRasterOfATurnedSphere) {
  // Turning the mesh before the way to the sphere turns the map: all of flow, centring and
  // signature commute with rotations.
  const Mesh mesh = five_limbs(3);
  RandomStream random(RandomKey(2, "raster"));
  const Eigen::Matrix3d turn = random_rotation(random);
  Mesh moved = mesh;
  for (Point& p : moved.vertices) p = turn * p;
  const PreparedShape shape = prepared(mesh), other = prepared(moved);
  EXPECT_LT(fit_mobius(shape.sphere, other.sphere).deviance, 1e-5);
  const SphereGrid grid = half_offset_grid(24, 48);
  std::vector<Point> follows = other.sphere;
  Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();
  for (std::size_t v = 0; v < follows.size(); ++v) {
    covariance += shape.sphere[v] * follows[v].transpose();
  }
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(covariance,
                                              Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Eigen::Matrix3d back = svd.matrixU() * svd.matrixV().transpose();
  for (Point& p : follows) p = back * p;
  const auto a = raster_on_sphere(shape.sphere, mesh.faces, shape.signal, grid);
  const auto b = raster_on_sphere(follows, mesh.faces, other.signal, grid);
  double difference = 0.0, size = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    size += a[i] * a[i];
  }
  EXPECT_LT(std::sqrt(difference / size), 1e-3);
}

}  // namespace
}  // namespace algprior::mesh
