#pragma once

#include "algprior/group/group.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

namespace algprior::steerable {

/// An irreducible representation ψ over R, by one orthogonal matrix for each element of a Steering.
struct Irrep {
  std::vector<Eigen::MatrixXd> matrices;
  int frequency = -1;  ///< of continuous groups: l of the harmonics that carry it …
  int parity = 0;      ///< … and 1 where −1 acts as −1

  std::int64_t dimension() const { return matrices.front().rows(); }
};

/// A group as far as kernels ask for it: orthogonal matrices M_g of the plane or of space, and
/// irreducible representations ψ(g) for the same elements. Of a finite group these are all
/// elements; of a continuous one a few that generate a dense subgroup, which is as good: what they
/// leave fixed, the group leaves fixed.
struct Steering {
  std::string name;
  int axes = 2;
  std::vector<Eigen::MatrixXd> space;   ///< M_g
  std::vector<Irrep> irreps;            ///< the trivial one first
  std::vector<std::size_t> generators;  ///< which of the elements generate the group
  std::optional<Group> group;           ///< nothing for a continuous group
};
using SteeringPtr = std::shared_ptr<const Steering>;

/// What becomes of groups that move pixels off the grid.
enum class Grid {
  exact,   ///< they are refused
  sampled  ///< kernels are equivariant as functions; sampled, networks are so up to interpolation
};

/// The planar or spatial matrices of a catalogue group (geometry.hpp) with its irreducible
/// representations over R, in the order of the character table. Throws InputError for a group
/// without such matrices, and for one that moves pixels off the grid unless `grid` allows it,
/// naming what fits.
SteeringPtr make_steering(const Group& group, Grid grid = Grid::exact);

/// {e} on the grid of as many axes: its equivariant kernels are all kernels.
SteeringPtr make_trivial_steering(int axes);

/// How many of the irreducible representations occur in ψ_a ⊗ ψ_b, each counted once. For finite
/// groups.
std::size_t constituents(const Steering& steering, std::size_t a, std::size_t b);

}  // namespace algprior::steerable
