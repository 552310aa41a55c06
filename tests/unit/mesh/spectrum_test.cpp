// The Laplacian's spectrum and the heat kernel signature.
#include "algprior/base/error.hpp"
#include "algprior/mesh/eigenpairs.hpp"
#include "algprior/mesh/heat_kernel.hpp"
#include "algprior/mesh/mobius.hpp"
#include "algprior/mesh/procedural.hpp"
#include "shapes_for_tests.hpp"

#include <cmath>
#include <numbers>

#include <Eigen/SparseCholesky>
#include <gtest/gtest.h>

namespace algprior::mesh {
namespace {

TEST(Laplacian, KillsConstantsAndMeasuresLinearFunctions) {
  const Mesh mesh = five_limbs(3);
  const SparseMatrix stiffness = cotangent_laplacian(mesh);
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(stiffness.rows());
  EXPECT_LT((stiffness * ones).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_NEAR(ones.dot(mass_matrix(mesh) * ones), total_area(mesh), 1e-10);
  EXPECT_NEAR(lumped_masses(mesh).sum(), total_area(mesh), 1e-10);
  // The three coordinates have together the energy Σ|∇x|² = 2 on any surface.
  double energy = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    Eigen::VectorXd x(stiffness.rows());
    for (Eigen::Index v = 0; v < x.size(); ++v)
      x[v] = mesh.vertices[static_cast<std::size_t>(v)][axis];
    energy += x.dot(stiffness * x);
  }
  EXPECT_NEAR(energy, 2.0 * total_area(mesh), 1e-9 * energy);
}

TEST(Spectrum, TheIcosphereHasTheSpheresEigenvalues) {
  // l(l+1) with multiplicity 2l+1; what 162 and 642 vertices make of 2, 6 and 12.
  const struct {
    int level;
    double second, third, fourth;
  } known[] = {{2, 2.000, 5.864, 11.33}, {3, 2.000, 5.966, 11.83}};
  for (const auto& row : known) {
    const Mesh sphere = make_icosphere(row.level);
    const auto values =
        smallest_eigenpairs(cotangent_laplacian(sphere), lumped_masses(sphere), 16).values;
    EXPECT_NEAR(values[0], 0.0, 1e-9);
    EXPECT_NEAR(values.segment(1, 3).mean(), row.second, 0.02);
    EXPECT_NEAR(values.segment(4, 5).mean(), row.third, 0.01);
    EXPECT_NEAR(values.segment(9, 7).mean(), row.fourth, 0.02);
  }
}

TEST(Spectrum, LanczosAgreesWithTheDenseDecompositionAndMissesNothing) {
  const Mesh mesh = make_icosphere(3);  // multiplicities, at which Lanczos might fail
  ASSERT_GT(static_cast<Eigen::Index>(mesh.vertices.size()), kDenseOrder);
  const SparseMatrix stiffness = cotangent_laplacian(mesh);
  const Eigen::VectorXd masses = lumped_masses(mesh);
  const Eigenpairs few = smallest_eigenpairs(stiffness, masses, 128);
  const Eigenpairs all = smallest_eigenpairs(stiffness, masses, stiffness.rows());
  for (int k = 0; k < 128; ++k)
    EXPECT_NEAR(few.values[k], all.values[k], 1e-6 * (1 + all.values[k]));
  const Eigen::MatrixXd gram = few.vectors.transpose() * masses.asDiagonal() * few.vectors;
  EXPECT_LT((gram - Eigen::MatrixXd::Identity(128, 128)).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(Spectrum, SylvestersInertiaCountsAsManyEigenvaluesAsWereFound) {
  const Mesh mesh = procedural_shape(0, 0, {.level = 4});
  const SparseMatrix stiffness = cotangent_laplacian(mesh);
  const Eigen::VectorXd masses = lumped_masses(mesh);
  const Eigenpairs pairs = smallest_eigenpairs(stiffness, masses, 64);
  const double shift = 0.5 * (pairs.values[59] + pairs.values[60]);
  ASSERT_GT(pairs.values[60] - pairs.values[59], 1e-6);
  SparseMatrix shifted = stiffness;
  for (Eigen::Index v = 0; v < shifted.rows(); ++v) shifted.coeffRef(v, v) -= shift * masses[v];
  const Eigen::SimplicialLDLT<SparseMatrix> solver(shifted);
  EXPECT_EQ((solver.vectorD().array() < 0.0).count(), 60);
}

TEST(Spectrum, WrongShapesAreRefused) {
  const Mesh mesh = make_icosphere(1);
  const SparseMatrix stiffness = cotangent_laplacian(mesh);
  EXPECT_THROW(smallest_eigenpairs(stiffness, Eigen::VectorXd::Ones(3), 4), InputError);
  EXPECT_THROW(smallest_eigenpairs(stiffness, Eigen::VectorXd::Zero(stiffness.rows()), 4),
               InputError);
  EXPECT_EQ(smallest_eigenpairs(stiffness, lumped_masses(mesh), 1000).values.size(), 42);
}

TEST(HeatKernel, IsConstantOnTheSphereAndTendsToOneOverTheArea) {
  const Mesh sphere = scaled_to_area(make_icosphere(4), 4.0 * std::numbers::pi);
  const Eigen::MatrixXd signature = heat_kernel_signature(sphere, {.eigenpairs = 64});
  const auto known = heat_times({});
  ASSERT_EQ(signature.cols(), 16);
  for (std::size_t s = 8; s < 16; ++s) {  // earlier times see the single triangles
    double expected = 0.0;                // Σ (2l+1)/4π e^{−l(l+1)t}
    for (int l = 0; l < 40; ++l) {
      expected += (2 * l + 1) / (4.0 * std::numbers::pi) * std::exp(-l * (l + 1) * known[s]);
    }
    const auto column = signature.col(static_cast<Eigen::Index>(s)).array();
    EXPECT_LT((column - expected).abs().maxCoeff(), 0.02 * expected) << s;
  }
  const double last =
      heat_kernel_signature(sphere, {.eigenpairs = 9, .times = 1, .first = 50.0, .last = 50.0})
          .mean();
  EXPECT_NEAR(last, 1.0 / (4.0 * std::numbers::pi), 1e-4);
  const auto times = heat_times({});
  EXPECT_DOUBLE_EQ(times.front(), 0.01);
  EXPECT_NEAR(times[3], std::pow(10.0, -2 + 2.0 * 3 / 15), 1e-12);
  EXPECT_NEAR(times.back(), 1.0, 1e-12);
  EXPECT_THROW(heat_times({.first = 0.0}), InputError);
}

TEST(HeatKernel, DoesNotChangeUnderMotionsAndItsIntegralIsTheTrace) {
  const Mesh mesh = five_limbs(2);
  RandomStream random(RandomKey(1, "motion"));
  const Eigen::Matrix3d turn = random_rotation(random);
  Mesh moved = mesh;
  for (Point& p : moved.vertices) p = turn * p + Point(1, 2, 3);
  const Eigen::MatrixXd signature = heat_kernel_signature(mesh);
  EXPECT_LT((signature - heat_kernel_signature(moved)).cwiseAbs().maxCoeff(), 1e-7);
  const Eigen::VectorXd masses = lumped_masses(mesh);
  const auto values = smallest_eigenpairs(cotangent_laplacian(mesh), masses, 128).values;
  EXPECT_NEAR(masses.dot(signature.col(15)), (-values.array()).exp().sum(), 1e-5);
}

}  // namespace
}  // namespace algprior::mesh
