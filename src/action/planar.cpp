#include "algprior/action/planar.hpp"

#include "algprior/base/error.hpp"
#include "algprior/group/geometry.hpp"
#include "algprior/group/product.hpp"
#include "grid_table.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace algprior {
namespace {

constexpr double kBilinearTolerance = 0.05;
constexpr double kNearestTolerance = 0.35;
constexpr double kOrthogonal = 1e-6;

using Matrices = std::vector<Eigen::MatrixXd>;

Matrices matrices_of(const Group& group, Eigen::Index dimension, const char* kind) {
  const auto& matrices = orthogonal_matrices(group);
  if (matrices && matrices->front().rows() == dimension) return *matrices;
  throw InputError({fmt::format("the group has no {} action of its own", kind), group.name(),
                    dimension == 2 ? "C_n or D_n" : "cube, Oh, T, Td or Th",
                    "give a matrix for each generator with matrix_representation"});
}

Matrices matrices_of(const Representation& representation, std::size_t dimension) {
  const bool fitting = representation.dimension() == dimension && representation.is_real() &&
                       unitarity_defect(representation) < kOrthogonal;
  if (fitting) return representation.matrices();
  throw InputError({"the representation does not move points rigidly",
                    fmt::format("dimension {}", representation.dimension()),
                    fmt::format("real orthogonal {0} x {0} matrices", dimension), ""});
}

// Output at p is read at ρ(g)⁻¹p; the inverse of an orthogonal matrix is its transpose.
std::vector<GridMotion> pull_backs(const Matrices& matrices) {
  std::vector<GridMotion> motions;
  for (const auto& matrix : matrices) motions.push_back(to_grid_motion(matrix.transpose()));
  return motions;
}

at::Tensor pull_back_matrices(const Matrices& matrices) {
  const auto stack = at::empty({static_cast<std::int64_t>(matrices.size()), 2, 2}, at::kDouble);
  auto* out = stack.data_ptr<double>();
  for (const auto& matrix : matrices) {
    for (Eigen::Index row = 0; row < 2; ++row) {
      for (Eigen::Index column = 0; column < 2; ++column) *out++ = matrix(column, row);
    }
  }
  return stack;
}

void check_on_grid(const Group& group, const std::vector<GridMotion>& motions,
                   const std::string& next) {
  for (std::size_t g = 0; g < motions.size(); ++g) {
    if (!motions[g].empty()) continue;
    throw InputError({fmt::format("{} moves grid points off the grid", group.name()),
                      fmt::format("element {}", g), "turns by multiples of 90 degrees and flips",
                      next});
  }
}

void check_grid(const std::string& name, const std::vector<GridMotion>& motions,
                const at::Tensor& x, std::size_t dimensions) {
  if (x.dim() != static_cast<std::int64_t>(dimensions) + 2) {
    throw InputError({"a tensor does not fit the " + name, fmt::format("{} dimensions", x.dim()),
                      dimensions == 2 ? "N x C x H x W" : "N x C x D x H x W", ""});
  }
  const auto extents =
      std::vector<std::int64_t>(x.sizes().rbegin(), x.sizes().rbegin() + dimensions);
  for (const auto& motion : motions) {
    if (fits(motion, extents)) continue;
    throw InputError({"the " + name + " needs equal sides",
                      fmt::format("{} x {}", x.size(-2), x.size(-1)), "a square or a cube",
                      "pad or crop, or allow Resampling::bilinear"});
  }
}

at::Tensor permute_grid(GridTables& tables, const at::Tensor& g, const at::Tensor& x,
                        std::size_t dimensions) {
  const auto extents =
      std::vector<std::int64_t>(x.sizes().rbegin(), x.sizes().rbegin() + dimensions);
  return permute_places(tables.at(extents), g, x.flatten(2)).reshape(x.sizes());
}

Action exact_action(const Group& group, const Matrices& matrices, std::size_t dimensions,
                    const std::string& name, const std::string& next) {
  const auto motions = pull_backs(matrices);
  check_on_grid(group, motions, next);
  return Action(group, name, 0.0,
                [name, motions, dimensions, tables = std::make_shared<GridTables>(motions)](
                    const at::Tensor& g, const at::Tensor& x) {
                  check_grid(name, motions, x, dimensions);
                  return permute_grid(*tables, g, x, dimensions);
                });
}

Action resampling_action(const Group& group, const Matrices& matrices, Resampling resampling,
                         const std::string& name) {
  const auto motions = pull_backs(matrices);
  const double tolerance =
      resampling == Resampling::bilinear ? kBilinearTolerance : kNearestTolerance;
  return Action(
      group, name, tolerance,
      [name, motions, resampling, maps = DeviceCopies(pull_back_matrices(matrices)),
       tables = std::make_shared<GridTables>(motions)](const at::Tensor& g, const at::Tensor& x) {
        check_grid(name, {}, x, 2);
        const auto whole = at::empty({static_cast<std::int64_t>(motions.size())}, at::kBool);
        for (std::size_t i = 0; i < motions.size(); ++i) {
          whole.data_ptr<bool>()[i] = fits(motions[i], {x.size(3), x.size(2)});
        }
        const auto exact = whole.to(g.device()).index_select(0, g).to(x.device());
        if (exact.all().item<bool>()) return permute_grid(*tables, g, x, 2);
        const auto moved = resample(x, maps.on(x.device()), g.to(x.device()), resampling);
        return at::where(exact.reshape({-1, 1, 1, 1}), permute_grid(*tables, g, x, 2), moved);
      });
}

Action planar(const Group& group, const Matrices& matrices, Resampling resampling) {
  const auto name = "planar action of " + group.name();
  if (resampling != Resampling::none) return resampling_action(group, matrices, resampling, name);
  return exact_action(group, matrices, 2, name,
                      "allow resampling: planar_action(group, Resampling::bilinear), in a "
                      "configuration data.resampling = \"bilinear\"; or take a subgroup of D4");
}

Action volume(const Group& group, const Matrices& matrices) {
  return exact_action(group, matrices, 3, "volume action of " + group.name(),
                      "take a subgroup of Oh, the symmetries of the cube");
}

}  // namespace

Action planar_action(const Group& group, Resampling resampling) {
  return planar(group, matrices_of(group, 2, "planar"), resampling);
}

Action planar_action(const Representation& plane, Resampling resampling) {
  return planar(plane.group(), matrices_of(plane, 2), resampling);
}

std::vector<Action> planar_parts(const Group& product, Resampling resampling) {
  std::vector<Action> parts;
  for (const auto& factor : factors(product)) parts.push_back(planar_action(factor, resampling));
  return parts;
}

Action volume_action(const Group& group) {
  return volume(group, matrices_of(group, 3, "spatial"));
}

Action volume_action(const Representation& space) {
  return volume(space.group(), matrices_of(space, 3));
}

}  // namespace algprior
