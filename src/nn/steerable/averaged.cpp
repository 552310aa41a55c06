// mean_g λ(g) T_g of kernels between fields of a finite group. T_g = S_g ⊗ ψ_out(g) ⊗ ψ_in(g) keeps
// each pair of irreducible parts and each ring of functions of one frequency to itself, so the mean
// is a small matrix for each kind of these, whatever the size of group, fields and kernel.
#include "algprior/base/error.hpp"
#include "checks.hpp"
#include "kernel_parts.hpp"
#include "tensors.hpp"

#include <cmath>
#include <map>
#include <tuple>

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <unsupported/Eigen/KroneckerProduct>

namespace algprior::steerable {
namespace {

/// Coordinates of free kernels that T_g mixes by the same matrices.
struct Sector {
  std::int64_t size = 0;                ///< functions · dim ψ_out · dim ψ_in
  at::Tensor family;                    ///< |G| × (size · size): T_gᵀ
  std::vector<std::int64_t> positions;  ///< columns of the weights, `size` for each place
};

/// The coordinates of free kernels in the order of the weights: parts of the output, of the input,
/// frequencies, rings, then (function, coordinate of ψ_out, coordinate of ψ_in).
struct FreeCoordinates {
  std::vector<std::int64_t> out_place, in_irrep;
  std::vector<double> factors;  ///< what each is multiplied with, once and for all
  std::vector<Sector> sectors;
  std::vector<std::int64_t> targets;  ///< where each stands in [out, in, function]
};

Sector make_sector(const Steering& steering, const SpatialBasis& space, const SpatialBlock& block,
                   const Irrep& out, const Irrep& in) {
  Sector sector;
  sector.size = block.functions * out.dimension() * in.dimension();
  std::vector<at::Tensor> moved;
  for (std::size_t g = 0; g < steering.space.size(); ++g) {
    const Eigen::MatrixXd fibre = Eigen::kroneckerProduct(out.matrices[g], in.matrices[g]);
    const Eigen::MatrixXd action =
        Eigen::kroneckerProduct(spatial_action(space, block, steering.space[g]), fibre);
    moved.push_back(to_float_tensor(action.transpose()).flatten());
  }
  sector.family = at::stack(moved);
  return sector;
}

// The squared norms of the projected coordinates, sampled on a ring.
std::vector<double> projected_norms(const Sector& sector, const Eigen::MatrixXd& functions) {
  const auto mean = sector.family.mean(0).view({sector.size, -1}).to(at::kDouble).contiguous();
  const Eigen::MatrixXd gram = functions * functions.transpose();
  std::vector<double> norms;
  for (std::int64_t e = 0; e < sector.size; ++e) {
    const Eigen::Map<const RowMatrix> coefficients(mean[e].data_ptr<double>(), gram.rows(),
                                                   sector.size / gram.rows());
    norms.push_back((coefficients.transpose() * gram * coefficients).trace());
  }
  return norms;
}

FreeCoordinates free_coordinates(const KernelSpace& where, bool normalised) {
  const FieldType &out = where.out.type, &in = where.in.type;
  const Steering& steering = *out.steering;
  const auto functions = static_cast<std::int64_t>(where.space.functions());
  FreeCoordinates result;
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, std::size_t> known;
  for (std::size_t o = 0; o < out.irreps.size(); ++o) {
    for (std::size_t i = 0; i < in.irreps.size(); ++i) {
      const Irrep &to = steering.irreps[out.irreps[o]], &from = steering.irreps[in.irreps[i]];
      std::int64_t function = 0;
      for (std::size_t k = 0; k < where.space.blocks.size(); ++k) {
        const SpatialBlock& block = where.space.blocks[k];
        const auto [found, fresh] =
            known.emplace(std::tuple(out.irreps[o], in.irreps[i], k), result.sectors.size());
        if (fresh) result.sectors.push_back(make_sector(steering, where.space, block, to, from));
        Sector& sector = result.sectors[found->second];
        for (const Eigen::MatrixXd& samples : block.samples) {
          const auto norms = normalised ? projected_norms(sector, samples) : std::vector<double>();
          const auto fibre = to.dimension() * from.dimension();
          for (std::int64_t e = 0; e < sector.size; ++e) {
            const std::int64_t m = e / fibre, a = e % fibre / from.dimension(),
                               b = e % from.dimension();
            sector.positions.push_back(static_cast<std::int64_t>(result.targets.size()));
            result.targets.push_back(((out.offset(o) + a) * in.dimension() + in.offset(i) + b) *
                                         functions +
                                     function + m);
            result.out_place.push_back(static_cast<std::int64_t>(o));
            result.in_irrep.push_back(static_cast<std::int64_t>(in.irreps[i]));
            const auto size = static_cast<double>(to.dimension());
            const double norm = normalised ? norms[static_cast<std::size_t>(e)] / size : 0;
            constexpr double kVanishes = 1e-9;
            result.factors.push_back(!normalised        ? size
                                     : norm > kVanishes ? 1 / std::sqrt(norm)
                                                        : 1.0);
          }
          function += block.functions;
        }
      }
    }
  }
  return result;
}

// How often each coordinate is listed: once for each constituent of ψ_out ⊗ ψ_in.
std::vector<std::int64_t> listings(const FieldType& out, const FreeCoordinates& all) {
  std::vector<std::int64_t> times;
  for (std::size_t e = 0; e < all.out_place.size(); ++e) {
    const auto irrep = out.irreps[static_cast<std::size_t>(all.out_place[e])];
    times.push_back(static_cast<std::int64_t>(
        constituents(*out.steering, irrep, static_cast<std::size_t>(all.in_irrep[e]))));
  }
  return times;
}

// All functions on the points, in the order of the coordinates.
at::Tensor sampled_functions(const SpatialBasis& space) {
  std::vector<at::Tensor> rows;
  for (const SpatialBlock& block : space.blocks) {
    for (const Eigen::MatrixXd& samples : block.samples) rows.push_back(to_float_tensor(samples));
  }
  return at::cat(rows);
}

// Kernels (pairs × out × in × points) between irreducible parts, turned by Q on both sides.
at::Tensor turn_fields(const at::Tensor& kernels, const KernelSpace& where) {
  const FieldType &out = where.out.type, &in = where.in.type;
  at::Tensor turned = kernels;
  if (!out.basis.isIdentity()) {
    const auto q = to_float_tensor(out.basis).to(kernels.options());
    turned = at::matmul(q, turned.flatten(2)).view(kernels.sizes());
  }
  if (!in.basis.isIdentity()) {
    const auto q = to_float_tensor(in.basis).to(kernels.options());
    turned = at::matmul(q, turned.flatten(0, 1)).view(kernels.sizes());
  }
  return turned;
}

}  // namespace

KernelMap lambda_averaged(const KernelSpace& where, const Likelihood& likelihood,
                          const AveragedOptions& options) {
  const auto shape = checked_shape(where);
  check_pair(where.space, where.out.type, where.in.type);
  const auto elements = density(likelihood).size(0);
  if (!where.out.type.steering->group) return coupled_average(where, likelihood, options);
  const Steering& steering = *where.out.type.steering;
  if (elements != static_cast<std::int64_t>(steering.space.size())) {
    throw InputError({"a density is not on the group of its layer",
                      fmt::format("{} elements", elements),
                      fmt::format("{} of {}", steering.space.size(), steering.name),
                      "make it with make_likelihood of the layer's steering"});
  }
  const FreeCoordinates all = free_coordinates(where, options.normalised);
  const auto count = static_cast<std::int64_t>(all.targets.size());
  const auto rows =
      repeat_each(options.duplicates ? listings(where.out.type, all)
                                     : std::vector<std::int64_t>(all.targets.size(), 1));
  const auto which = at::tensor(rows, at::kLong);
  const auto factors = at::tensor(all.factors, at::kDouble).to(at::kFloat);
  // Sector after sector, and from there to [out, in, function].
  struct Mixed {
    at::Tensor columns, family;
    std::int64_t size;
  };
  std::vector<Mixed> sectors;
  std::vector<std::int64_t> places(all.targets.size());
  std::int64_t place = 0;
  for (const Sector& sector : all.sectors) {
    sectors.push_back({at::tensor(sector.positions, at::kLong), sector.family, sector.size});
    for (const std::int64_t position : sector.positions) {
      const auto target = all.targets[static_cast<std::size_t>(position)];
      places[static_cast<std::size_t>(target)] = place++;
    }
  }
  const auto gather = at::tensor(places, at::kLong);
  const auto functions = sampled_functions(where.space);
  return {shape,
          {{"weight", start_weights(where, pick(all.out_place, rows), pick(all.in_irrep, rows))}},
          {likelihood.coefficients},
          [=](const auto& values) {
            const auto device = values[0].device();
            const auto weight = fold(values[0], which, count) * factors.to(values[0].options());
            const auto mean =
                density(likelihood).unsqueeze(0) / static_cast<double>(likelihood.fourier.size(0));
            std::vector<at::Tensor> averaged;
            for (const auto& [columns, family, size] : sectors) {
              const auto action = mean.mm(family.to(weight.options())).view({size, size});
              averaged.push_back(weight.index_select(1, columns.to(device))
                                     .view({-1, size})
                                     .mm(action)
                                     .view({weight.size(0), -1}));
            }
            const auto coordinates = at::cat(averaged, 1).index_select(1, gather.to(device));
            const auto kernels = coordinates.view({-1, functions.size(0)})
                                     .mm(functions.to(weight.options()))
                                     .view({weight.size(0), where.out.type.dimension(),
                                            where.in.type.dimension(), functions.size(1)});
            return as_kernel(turn_fields(kernels, where), where, shape);
          }};
}

}  // namespace algprior::steerable
