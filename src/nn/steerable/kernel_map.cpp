#include "algprior/nn/steerable/kernel_map.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/memory.hpp"
#include "checks.hpp"
#include "kernel_parts.hpp"
#include "tensors.hpp"

#include <cmath>
#include <map>
#include <set>

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace algprior::steerable {
namespace {

at::Tensor uniform(std::vector<std::int64_t> shape, double bound) {
  return at::rand(shape) * (2 * bound) - bound;
}

std::int64_t fan_in(const std::vector<std::int64_t>& shape) {
  std::int64_t product = 1;
  for (std::size_t i = 1; i < shape.size(); ++i) product *= shape[i];
  return product;
}

}  // namespace

at::Tensor as_kernel(const at::Tensor& pairs, const KernelSpace& where,
                     const std::vector<std::int64_t>& shape) {
  return pairs
      .view({where.out.copies, where.in.copies, where.out.type.dimension(),
             where.in.type.dimension(), -1})
      .permute({0, 2, 1, 3, 4})
      .reshape(shape);
}

at::Tensor start_weights(const KernelSpace& where, const std::vector<std::int64_t>& out_place,
                         const std::vector<std::int64_t>& in_irrep) {
  std::map<std::int64_t, std::set<std::int64_t>> kinds;
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> counts;
  for (std::size_t e = 0; e < out_place.size(); ++e) {
    kinds[out_place[e]].insert(in_irrep[e]);
    ++counts[{out_place[e], in_irrep[e]}];
  }
  const auto size = static_cast<std::int64_t>(out_place.size());
  at::Tensor deviation = at::empty({size});
  for (std::size_t e = 0; e < out_place.size(); ++e) {
    const auto reach = static_cast<double>(kinds[out_place[e]].size());
    const auto number = static_cast<double>(where.in.copies * counts[{out_place[e], in_irrep[e]}]);
    deviation[static_cast<std::int64_t>(e)] = 1 / std::sqrt(reach * number);
  }
  return at::randn({where.out.copies * where.in.copies, size}) * deviation;
}

std::vector<std::int64_t> repeat_each(const std::vector<std::int64_t>& times) {
  std::vector<std::int64_t> rows;
  for (std::size_t i = 0; i < times.size(); ++i) {
    rows.insert(rows.end(), static_cast<std::size_t>(times[i]), static_cast<std::int64_t>(i));
  }
  return rows;
}

std::vector<std::int64_t> pick(const std::vector<std::int64_t>& values,
                               const std::vector<std::int64_t>& rows) {
  std::vector<std::int64_t> picked;
  for (const std::int64_t row : rows) picked.push_back(values[static_cast<std::size_t>(row)]);
  return picked;
}

at::Tensor fold(const at::Tensor& weight, const at::Tensor& rows, std::int64_t count) {
  if (rows.size(0) == count) return weight;
  return at::zeros({weight.size(0), count}, weight.options())
      .index_add(1, rows.to(weight.device()), weight);
}

std::vector<std::int64_t> checked_shape(const KernelSpace& where) {
  check_fields(where.in);
  check_fields(where.out);
  const double in =
      static_cast<double>(where.in.copies) * static_cast<double>(where.in.type.dimension());
  const double out =
      static_cast<double>(where.out.copies) * static_cast<double>(where.out.type.dimension());
  // The kernel, its gradient, its weights with Adam's moments.
  constexpr double kBytes = 5 * sizeof(float);
  check_memory(kBytes * in * out * std::pow(where.space.options.kernel, where.space.options.axes),
               "a steerable convolution", fmt::format("{} to {} channels", in, out));
  return where.shape();
}

std::vector<std::int64_t> KernelSpace::shape() const {
  std::vector<std::int64_t> result = {out.channels(), in.channels()};
  for (int axis = 0; axis < space.options.axes; ++axis) result.push_back(space.options.kernel);
  return result;
}

KernelMap free_kernel(const KernelSpace& where) {
  const auto shape = checked_shape(where);
  const double bound = 1 / std::sqrt(static_cast<double>(fan_in(shape)));
  return {
      shape, {{"weight", uniform(shape, bound)}}, {}, [](const auto& values) { return values[0]; }};
}

KernelMap projected(const KernelSpace& where) {
  const auto shape = checked_shape(where);
  const PairBasisPtr basis = equivariant_basis(where.space, where.out.type, where.in.type);
  const auto elements = to_float_tensor(basis->elements);
  return {shape,
          {{"weight", start_weights(where, basis->out_place, basis->in_irrep)}},
          {},
          [where, elements, shape](const auto& values) {
            return as_kernel(values[0].mm(elements.to(values[0].options())), where, shape);
          }};
}

KernelMap sum(const std::string& a_name, const KernelMap& a, const std::string& b_name,
              const KernelMap& b) {
  if (a.shape != b.shape || !a.kernel || !b.kernel) {
    throw InputError(
        {"kernels of two shapes cannot be added",
         fmt::format("{} and {}", fmt::join(a.shape, " x "), fmt::join(b.shape, " x ")),
         "maps between the same fields on the same points", ""});
  }
  KernelMap both{a.shape, {}, a.shared, {}};
  both.shared.insert(both.shared.end(), b.shared.begin(), b.shared.end());
  for (const auto& [name, start] : a.parameters) {
    both.parameters.emplace_back(a_name + "_" + name, start);
  }
  for (const auto& [name, start] : b.parameters) {
    both.parameters.emplace_back(b_name + "_" + name, start);
  }
  const auto middle = static_cast<std::ptrdiff_t>(a.parameters.size());
  both.kernel = [first = a.kernel, second = b.kernel, middle](const auto& values) {
    return first({values.begin(), values.begin() + middle}) +
           second({values.begin() + middle, values.end()});
  };
  return both;
}

KernelMap position_relaxed(const KernelSpace& where) {
  const auto shape = checked_shape(where);
  const PairBasisPtr basis = equivariant_basis(where.space, where.out.type, where.in.type);
  const auto points = where.space.points();
  const auto elements = to_float_tensor(basis->elements).view({basis->size(), -1, points});
  const auto start =
      std::vector<std::int64_t>{where.out.copies, where.in.copies, basis->size(), points};
  const double bound = 1 / std::sqrt(static_cast<double>(where.in.copies * points));
  return {shape,
          {{"weight", uniform(start, bound)}},
          {},
          [where, elements, shape, points](const auto& values) {
            // Point by point a matrix product of weights and elements.
            const auto weight = values[0].flatten(0, 1).permute({2, 0, 1});
            const auto at_points = elements.to(values[0].options()).permute({2, 0, 1});
            return as_kernel(weight.bmm(at_points).permute({1, 2, 0}).reshape({-1, points}), where,
                             shape);
          }};
}

KernelMap bank_mixed(const KernelSpace& where, std::int64_t banks) {
  const auto shape = checked_shape(where);
  check_pair(where.space, where.out.type, where.in.type);
  if (banks < 1) {
    throw InputError({"relaxed group convolutions mix free kernels", fmt::format("{} banks", banks),
                      "at least 1", ""});
  }
  const Steering& steering = *where.out.type.steering;
  const auto order = static_cast<std::int64_t>(steering.space.size());
  if (!steering.group || !where.out.type.permutation || where.out.type.dimension() != order ||
      where.space.options.kind != SpatialKind::pixels) {
    throw InputError(
        {"relaxed group convolutions are pixel by pixel, with regular outputs",
         fmt::format("fields of {} channels, group {}", where.out.type.dimension(), steering.name),
         "regular fields of a finite group and SpatialKind::pixels", ""});
  }
  check_memory(5 * sizeof(float) * static_cast<double>(banks) *
                   static_cast<double>(shape[0] / order * shape[1]) *
                   static_cast<double>(where.space.points()),
               "a relaxed group convolution", fmt::format("{} banks", banks));
  const FieldType scalar = field_of_irreps(where.out.type.steering, {0});
  std::vector<at::Tensor> moved;
  for (std::int64_t g = 0; g < order; ++g) {
    moved.push_back(to_float_tensor(
        moved_kernels(where.space, scalar, where.in.type, static_cast<std::size_t>(g)).elements));
  }
  // |G| × (in·points) × (in·points); the first is orthogonal and takes ψ's own coordinates to the
  // irreducible ones.
  const auto family = moved[0].t().matmul(at::stack(moved));
  const auto out = where.out.copies, copies = where.in.copies, size = family.size(1);
  const double bound = 1 / std::sqrt(static_cast<double>(copies * where.space.points()));
  const bool lifting = where.in.type.dimension() != order;
  const double equal = 1.0 / static_cast<double>(lifting ? banks : banks * order);
  return {shape,
          {{"weight", uniform({banks, out * copies, size}, bound)},
           {"mixture", at::full({banks, order}, equal)}},
          {},
          [=](const auto& values) {
            const auto mixed = at::einsum("lpf,lh->hpf", {values[0], values[1]});
            const auto rows = mixed.bmm(family.to(mixed.options()));  // h × pairs × in·points
            return rows.view({order, out, copies, -1}).permute({1, 0, 2, 3}).reshape(shape);
          }};
}

}  // namespace algprior::steerable
