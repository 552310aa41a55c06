#include "algprior/nn/steerable/continuous.hpp"
#include "kernel_parts.hpp"
#include "tensors.hpp"

#include <cmath>

#include <ATen/ATen.h>

namespace algprior::steerable {
namespace {

/// Weights that belong to one ψ, and where its coefficients stand.
struct Stretch {
  std::int64_t first, count, dimension, coefficient;
};

// Rows stand in the order of ψ, and so do the coefficients of a likelihood.
std::vector<Stretch> stretches(const Steering& steering, const CoupledBasis& basis) {
  std::vector<Stretch> result;
  std::int64_t coefficient = 0, row = 0;
  const auto size = static_cast<std::int64_t>(basis.irrep.size());
  for (std::size_t psi = 0; psi < steering.irreps.size() && row < size; ++psi) {
    const auto d = steering.irreps[psi].dimension();
    const std::int64_t first = row;
    while (row < size && basis.irrep[static_cast<std::size_t>(row)] == psi) ++row;
    if (row > first) result.push_back({first, row - first, d, coefficient});
    coefficient += d * d;
  }
  return result;
}

int band_limit(const Steering& steering, const Likelihood& likelihood) {
  std::int64_t known = 0;
  int highest = 0;
  for (const Irrep& irrep : steering.irreps) {
    if (known == likelihood.coefficients.size(0)) break;
    known += irrep.dimension() * irrep.dimension();
    highest = irrep.frequency;
  }
  return highest;
}

}  // namespace

KernelMap coupled_average(const KernelSpace& where, const Likelihood& likelihood,
                          const AveragedOptions& options) {
  const FieldType& out = where.out.type;
  const Steering& steering = *out.steering;
  CoupledBasis basis =
      solve_coupled_basis(where.space, out, where.in.type, band_limit(steering, likelihood));
  std::vector<std::int64_t> times = basis.choices;
  // With both parities the published system lists nothing twice.
  const bool once = !options.duplicates || steering.irreps.at(1).frequency == 0;
  if (once) times.assign(times.size(), 1);
  for (std::int64_t row = 0; row < basis.kernels.size(); ++row) {
    const auto place =
        static_cast<std::size_t>(basis.kernels.out_place[static_cast<std::size_t>(row)]);
    basis.kernels.elements.row(row) *=
        static_cast<double>(steering.irreps[out.irreps[place]].dimension());
  }
  const auto rows = repeat_each(times);
  const auto which = at::tensor(rows, at::kLong);
  const auto elements = to_float_tensor(basis.kernels.elements);
  const auto parts = stretches(steering, basis);
  const auto shape = where.shape();
  const auto count = basis.kernels.size();
  return {shape,
          {{"weight", start_weights(where, pick(basis.kernels.out_place, rows),
                                    pick(basis.kernels.in_irrep, rows))}},
          {likelihood.coefficients},
          [=](const auto& values) {
            const at::Tensor weight = fold(values[0], which, count);
            const auto transform = likelihood.inverse.to(weight.options()).mv(density(likelihood));
            std::vector<at::Tensor> averaged;
            for (const Stretch& part : parts) {
              const auto d = part.dimension;
              // mean λ(g) ψ(g), since the columns of the transform are √d ψ_ij.
              const auto mean = transform.narrow(0, part.coefficient, d * d).view({d, d}) /
                                std::sqrt(static_cast<double>(d));
              averaged.push_back(weight.narrow(1, part.first, part.count)
                                     .reshape({weight.size(0), -1, d})
                                     .matmul(mean.t())
                                     .flatten(1));
            }
            return as_kernel(at::cat(averaged, 1).mm(elements.to(weight.options())), where, shape);
          }};
}

}  // namespace algprior::steerable
