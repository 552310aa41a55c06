#include "algprior/nn/pair_maps.hpp"

#include "algprior/base/error.hpp"
#include "algprior/kernel/detail/translate.hpp"
#include "algprior/nn/polar.hpp"
#include "algprior/nn/seeded.hpp"
#include "weight_count.hpp"

#include <cmath>

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/nn/module.h>

namespace algprior::nn {
namespace {

constexpr double kMassFloor = 1e-8, kRootFloor = 1e-8;
constexpr double kFunctionStart = 0.01;  // deviation of the eigenfunctions before the polar factor
constexpr double kRidge = 1e-4;

constexpr const char* kNotTaken = "latents do not fit the map between pairs";

at::Tensor view_as_grid(const at::Tensor& cells, at::IntArrayRef shape) {
  std::vector<std::int64_t> sizes = shape.vec();
  if (!sizes.empty()) sizes[0] = cells.size(0);
  double numbers = sizes.empty() ? -1.0 : 1.0;
  for (const std::int64_t size : sizes) numbers *= size < 0 ? NAN : static_cast<double>(size);
  if (numbers != static_cast<double>(cells.numel())) {
    throw InputError({kNotTaken, fmt::format("a grid of shape {}", fmt::join(shape, " x ")),
                      fmt::format("{} numbers", cells.numel()), "give the shape of the latents"});
  }
  return cells.reshape(sizes);
}

}  // namespace

NeuralIsometry::NeuralIsometry(std::uint64_t seed, std::int64_t cells, std::int64_t k)
    : module_(std::make_shared<torch::nn::Module>("isometry")) {
  if (k < 1 || k > cells) {
    throw InputError({"an operator has at most as many eigenfunctions as there are cells",
                      fmt::format("{} of {} cells", k, cells), fmt::format("1 to {}", cells), ""});
  }
  WeightCount weights;
  weights.add_linear(k, cells);
  weights.check(fmt::format("{} eigenfunctions on {} cells", k, cells));
  const SeededInitialisation seeded(seed);
  mass_ = module_->register_parameter("mass", at::ones({cells}));
  functions_ = module_->register_parameter("functions", at::randn({cells, k}) * kFunctionStart);
  values_ = module_->register_parameter("values", at::randn({k}) / static_cast<double>(k));
}

NeuralIsometry::Operator NeuralIsometry::now() const {
  const auto mass = mass_.square() + kMassFloor;
  const auto root = mass.sqrt().unsqueeze(1);
  return {polar_factor(root * functions_) / root, mass, values_.square().cumsum(0)};
}

at::Tensor NeuralIsometry::Operator::spectrum(const at::Tensor& z) const {
  return translated(kNotTaken, "spectrum",
                    [&] { return at::matmul(z.flatten(2), mass.unsqueeze(1) * functions); });
}

at::Tensor NeuralIsometry::Operator::grid(const at::Tensor& a, at::IntArrayRef shape) const {
  return translated(kNotTaken, "grid",
                    [&] { return view_as_grid(at::matmul(a, functions.t()), shape); });
}

at::Tensor NeuralIsometry::Operator::isometry(const at::Tensor& a, const at::Tensor& b) const {
  return translated(kNotTaken, "isometry", [&] {
    const auto mask = at::exp(-(values.unsqueeze(1) - values.unsqueeze(0)).abs());
    return polar_factor(mask * at::matmul(b.transpose(1, 2), a), Polar::special);
  });
}

at::Tensor NeuralIsometry::Operator::multiplicity() const {
  const auto mask = at::exp(-(values.unsqueeze(1) - values.unsqueeze(0)).abs());
  const auto laplacian = at::diag(mask.sum(1)) - mask;
  return (laplacian.square().sum() + kRootFloor).sqrt() / static_cast<double>(values.numel());
}

at::Tensor rotate_spectrum(const at::Tensor& rotation, const at::Tensor& a) {
  return translated(kNotTaken, "rotation", [&] { return at::matmul(a, rotation.transpose(1, 2)); });
}

NeuralFourier::NeuralFourier(std::uint64_t seed, std::int64_t cells, std::int64_t dimension,
                             std::int64_t copies)
    : dimension_(dimension), module_(std::make_shared<torch::nn::Module>("fourier")) {
  if (cells < 1 || dimension < 1 || copies < 1) {
    throw InputError({"the adapter of a Fourier transform cannot be built",
                      fmt::format("{} cells, {} x {}", cells, dimension, copies),
                      "sizes of at least 1", ""});
  }
  WeightCount weights;
  weights.add(2.0 * static_cast<double>(cells) * static_cast<double>(dimension) *
              static_cast<double>(copies));
  weights.check(fmt::format("an adapter of {} cells to {} x {}", cells, dimension, copies));
  const SeededInitialisation seeded(seed);
  const auto width = dimension * copies;
  forth_ = module_->register_parameter(
      "forth", at::randn({cells, width}) / std::sqrt(static_cast<double>(cells)));
  back_ = module_->register_parameter(
      "back", at::randn({width, cells}) / std::sqrt(static_cast<double>(width)));
}

at::Tensor NeuralFourier::adapt(const at::Tensor& z) const {
  return translated(kNotTaken, "adapter", [&] { return at::matmul(z.flatten(2), forth_); });
}

at::Tensor NeuralFourier::grid(const at::Tensor& h, at::IntArrayRef shape) const {
  return translated(kNotTaken, "grid", [&] { return view_as_grid(at::matmul(h, back_), shape); });
}

at::Tensor NeuralFourier::rows(const at::Tensor& h) const {
  if (!h.defined() || h.dim() < 2 || h.size(0) < 1 || h[0].numel() % dimension_ != 0) {
    throw InputError(
        {kNotTaken, "rows", fmt::format("a multiple of {} numbers a sample", dimension_), ""});
  }
  return h.reshape({h.size(0), -1, dimension_});
}

at::Tensor NeuralFourier::transition(const at::Tensor& h, const at::Tensor& partner) const {
  const auto from = rows(h), to = rows(partner);
  if (from.size(1) <= dimension_) {
    throw InputError({"a linear map between these latents fits any pair",
                      fmt::format("{} equations for {} columns", from.size(1), dimension_),
                      "more rows than columns", "take more channels, or a smaller dimension"});
  }
  return translated(kNotTaken, "transition", [&] {
    const auto normal = at::matmul(from.transpose(1, 2), from);
    const auto ridge = kRidge * normal.diagonal(0, 1, 2).mean(1).view({-1, 1, 1});
    const auto damped = normal + ridge * at::eye(dimension_, normal.options());
    return at::linalg_solve(damped, at::matmul(from.transpose(1, 2), to));
  });
}

at::Tensor NeuralFourier::move(const at::Tensor& transition, const at::Tensor& h) const {
  return translated(kNotTaken, "transition",
                    [&] { return at::matmul(rows(h), transition).reshape(h.sizes()); });
}

}  // namespace algprior::nn
