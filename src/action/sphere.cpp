#include "algprior/action/sphere.hpp"

#include "algprior/action/latent.hpp"
#include "algprior/action/permute.hpp"
#include "algprior/base/error.hpp"
#include "algprior/kernel/shape_text.hpp"
#include "algprior/mesh/cube_map.hpp"
#include "algprior/mesh/resample.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace algprior {
namespace {

void check_cells(const at::Tensor& x, const std::vector<std::int64_t>& shape,
                 const std::string& name) {
  const auto axes = static_cast<std::int64_t>(shape.size());
  bool fits = x.dim() == axes + 2;
  for (std::int64_t i = 0; fits && i < axes; ++i) {
    fits = x.size(i + 2) == shape[static_cast<std::size_t>(i)];
  }
  if (fits) return;
  throw InputError({"a tensor does not fit the " + name, shape_text(x),
                    fmt::format("N x C x {}", fmt::join(shape, " x ")),
                    "make the action for the grid of the tensor"});
}

Action cube_map_action(const Group& group, int n, const std::string& name) {
  const auto rows = mesh::cube_map_permutations(group, n);
  const auto table = at::empty({static_cast<std::int64_t>(rows.size()), 6LL * n * n}, at::kLong);
  auto* out = table.data_ptr<std::int64_t>();
  for (const auto& row : rows) out = std::copy(row.begin(), row.end(), out);
  return Action(
      group, name, 0.0,
      [places = make_permutation_table(table), name, n](const at::Tensor& g, const at::Tensor& x) {
        check_cells(x, {6, n, n}, name);
        return permute_places(places, g, x.flatten(2)).view(x.sizes());
      });
}

// One gather for each corner of the stencils.
Action resampling_action(const Group& group, const mesh::Parallels& grid, const std::string& name) {
  const auto tables = mesh::resampling_stencils(group, grid);
  const auto order = static_cast<std::int64_t>(tables.size());
  const auto cells = static_cast<std::int64_t>(grid.cells());
  const auto sources = at::empty({4, order, cells}, at::kLong);
  const auto weights = at::empty({4, order, cells}, at::kFloat);
  auto* source = sources.data_ptr<std::int64_t>();
  auto* weight = weights.data_ptr<float>();
  for (std::size_t corner = 0; corner < 4; ++corner) {
    for (const auto& table : tables) {
      for (const mesh::SphereStencil& stencil : table) {
        *source++ = stencil.cells[corner];
        *weight++ = stencil.weights[corner];
      }
    }
  }
  const std::vector<std::int64_t> shape{static_cast<std::int64_t>(grid.colatitudes.size()),
                                        static_cast<std::int64_t>(grid.azimuths.size())};
  return Action(group, name, 3.0 * mesh::resampling_error(grid),
                [sources = DeviceCopies(sources), weights = DeviceCopies(weights), shape, name](
                    const at::Tensor& g, const at::Tensor& x) {
                  check_cells(x, shape, name);
                  const auto elements = g.to(x.device());
                  const auto flat = x.flatten(2);
                  at::Tensor sum;
                  for (std::int64_t corner = 0; corner < 4; ++corner) {
                    const auto from = sources.on(x.device())[corner].index_select(0, elements);
                    const auto share = weights.on(x.device())[corner].index_select(0, elements);
                    const auto part = flat.gather(2, from.unsqueeze(1).expand_as(flat)) *
                                      share.unsqueeze(1).to(x.scalar_type());
                    sum = sum.defined() ? sum + part : part;
                  }
                  return sum.view(x.sizes());
                });
}

}  // namespace

Action sphere_action(const Group& group, const mesh::SphereGrid& grid, int halvings) {
  const auto name = fmt::format("action of {} on the sphere grid {}{}", group.name(), grid.name(),
                                halvings > 0 ? fmt::format(" halved {} times", halvings) : "");
  if (grid.kind != mesh::GridKind::cube_map) {
    return resampling_action(group, mesh::parallels_of(grid, halvings), name);
  }
  const int n = halvings >= 0 && halvings < 12 ? grid.height >> halvings : 0;
  if (n < 1 || n << halvings != grid.height) {
    throw InputError({"a cube map cannot be pooled so often",
                      fmt::format("{} halved {} times", grid.name(), halvings),
                      "a side that can be halved so often", "cube-64 or cube-32 can, three times"});
  }
  return cube_map_action(group, n, name);
}

Action flat_action(const Representation& representation, std::int64_t cells) {
  const Action vectors = latent_action(representation, cells);
  const auto name = fmt::format("{} of each channel", vectors.name());
  return Action(
      representation.group(), name, vectors.tolerance(),
      [vectors, name, cells](const at::Tensor& g, const at::Tensor& z) {
        if (z.dim() < 3 || z.numel() != z.size(0) * z.size(1) * cells) {
          throw InputError({"a latent grid does not fit the " + name, shape_text(z),
                            fmt::format("N x C x … with {} cells a channel", cells), ""});
        }
        return vectors(g.repeat_interleave(z.size(1)), z.reshape({-1, cells})).view(z.sizes());
      });
}

}  // namespace algprior
