#include "algprior/nn/steerable/steering.hpp"

#include "algprior/base/error.hpp"
#include "algprior/group/geometry.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/rep/irreps.hpp"

#include <cmath>

#include <fmt/format.h>

namespace algprior::steerable {
namespace {

bool permutes_pixels(const Eigen::MatrixXd& matrix) {
  constexpr double kRounding = 1e-9;
  return ((matrix.array() - matrix.array().round()).abs() < kRounding).all();
}

}  // namespace

SteeringPtr make_steering(const Group& group, Grid grid) {
  const auto& matrices = orthogonal_matrices(group);
  if (!matrices) {
    throw InputError({"a group does not act on the plane or on space",
                      fmt::format("group \"{}\"", group.name()),
                      "Cn, Dn, or a group of the cube: cube, Oh, T, Td, Th",
                      "choose one of these, or make a group from orthogonal matrices"});
  }
  auto steering = std::make_shared<Steering>();
  steering->name = group.name();
  steering->space = *matrices;
  steering->axes = static_cast<int>(matrices->front().rows());
  for (const Eigen::MatrixXd& matrix : *matrices) {
    if (grid == Grid::sampled || permutes_pixels(matrix)) continue;
    throw InputError(
        {"a group moves pixels off the grid", fmt::format("group \"{}\"", group.name()),
         steering->axes == 2 ? "D4, C4, D2, C2, D1" : "cube, Oh, T, Td, Th",
         "take one of these, or allow Grid::sampled: equivariant up to interpolation"});
  }
  for (const RealIrreducible& one : real_irreducible_representations(character_table(group))) {
    steering->irreps.push_back({one.representation.matrices()});
  }
  steering->generators.assign(group.generators().begin(), group.generators().end());
  steering->group = group;
  return steering;
}

SteeringPtr make_trivial_steering(int axes) {
  if (axes != 2 && axes != 3) {
    throw InputError(
        {"a kernel has no centre to turn about", fmt::format("{} axes", axes), "2 or 3 axes", ""});
  }
  auto steering = std::make_shared<Steering>();
  steering->name = "C1";
  steering->axes = axes;
  steering->space = {Eigen::MatrixXd::Identity(axes, axes)};
  steering->irreps.push_back({{Eigen::MatrixXd::Ones(1, 1)}});
  steering->group = make_group("C1");
  return steering;
}

std::size_t constituents(const Steering& steering, std::size_t a, std::size_t b) {
  if (a >= steering.irreps.size() || b >= steering.irreps.size() || !steering.group) {
    throw InputError({"a product of irreducible representations cannot be taken apart",
                      fmt::format("numbers {} and {} of {}", a, b, steering.name),
                      fmt::format("numbers below {} of a finite group", steering.irreps.size()),
                      ""});
  }
  std::size_t count = 0;
  for (const Irrep& one : steering.irreps) {
    double product = 0;
    for (std::size_t g = 0; g < steering.space.size(); ++g) {
      product += one.matrices[g].trace() * steering.irreps[a].matrices[g].trace() *
                 steering.irreps[b].matrices[g].trace();
    }
    constexpr double kHalf = 0.5;
    if (product / static_cast<double>(steering.space.size()) > kHalf) ++count;
  }
  return count;
}

}  // namespace algprior::steerable
