#include "algprior/action/resample.hpp"

#include "algprior/base/error.hpp"
#include "algprior/kernel/detail/translate.hpp"

#include <algorithm>
#include <numbers>

#include <ATen/ATen.h>

namespace algprior {
namespace {

// Numbers that at::grid_sampler takes for its modes.
constexpr std::int64_t kBilinear = 0;
constexpr std::int64_t kNearest = 1;
constexpr std::int64_t kZeroPadding = 0;

void check_images(const at::Tensor& x, const char* operation, std::int64_t most_dimensions = 4) {
  if (x.defined() && x.dim() >= 4 && x.dim() <= most_dimensions && x.is_floating_point()) return;
  throw InputError({std::string("cannot ") + operation + " this tensor",
                    at::toString(x.scalar_type()),
                    most_dimensions == 4 ? "floating-point images of shape N x C x H x W"
                                         : "floating-point images N x C x H x W or volumes",
                    "convert and reshape it first"});
}

// One d×d matrix for each of `count` images of d dimensions.
bool are_maps(const at::Tensor& pull_back, const at::Tensor& x, std::int64_t count) {
  const std::int64_t d = x.dim() - 2;
  return pull_back.sizes().equals({count, d, d});
}

// Where each pixel of an image comes from under each map, in grid_sample's units: M×H×W×2, or
// M×D×H×W×3 for volumes.
at::Tensor sources(const at::Tensor& pull_back, at::IntArrayRef extents) {
  // Offsets from the centre in double: the angle's own rounding would otherwise show at the rim.
  const auto options = pull_back.options().dtype(at::kDouble);
  std::vector<at::Tensor> axes;
  std::vector<double> scales;
  for (const std::int64_t extent : extents) {
    axes.push_back(at::arange(extent, options) - 0.5 * static_cast<double>(extent - 1));
    scales.push_back(2.0 / static_cast<double>(extent));
  }
  // The last axis of a tensor is the first coordinate of a point.
  auto coordinates = at::meshgrid(axes, "ij");
  std::reverse(coordinates.begin(), coordinates.end());
  std::reverse(scales.begin(), scales.end());
  const auto dimensions = static_cast<std::int64_t>(extents.size());
  const auto source = at::matmul(at::stack(coordinates, -1).reshape({1, -1, dimensions}),
                                 pull_back.to(at::kDouble).transpose(1, 2));
  // grid_sample without align_corners puts offset u at 2u/W.
  std::vector<std::int64_t> shape{-1};
  shape.insert(shape.end(), extents.begin(), extents.end());
  shape.push_back(dimensions);
  return (source * at::tensor(scales, options)).reshape(shape);
}

// One source grid for each image.
at::Tensor sample(const at::Tensor& x, const at::Tensor& grid, Resampling resampling) {
  if (resampling == Resampling::none) {
    throw InputError({"resampling is switched off", "Resampling::none", "bilinear or nearest", ""});
  }
  const auto mode = resampling == Resampling::bilinear ? kBilinear : kNearest;
  return at::grid_sampler(x, grid, mode, kZeroPadding, /*align_corners=*/false);
}

[[noreturn]] void refuse_maps() {
  throw InputError({"linear maps do not fit the batch", "",
                    "one 2 x 2 matrix for each image, 3 x 3 for a volume", ""});
}

}  // namespace

at::Tensor resample(const at::Tensor& x, const at::Tensor& pull_back, Resampling resampling) {
  check_images(x, "resample", 5);
  if (!pull_back.defined() || !are_maps(pull_back, x, x.size(0))) refuse_maps();
  return translated("images cannot be resampled", "", [&] {
    return sample(x, sources(pull_back, x.sizes().slice(2)).to(x.options()), resampling);
  });
}

at::Tensor resample(const at::Tensor& x, const at::Tensor& pull_back, const at::Tensor& map_of,
                    Resampling resampling) {
  check_images(x, "resample", 5);
  if (!pull_back.defined() || !map_of.defined() || pull_back.dim() != 3 ||
      !are_maps(pull_back, x, pull_back.size(0)) || map_of.dim() != 1 ||
      map_of.size(0) != x.size(0)) {
    refuse_maps();
  }
  return translated("images cannot be resampled", "", [&] {
    if (pull_back.size(0) >= x.size(0)) {
      return resample(x, pull_back.index_select(0, map_of), resampling);
    }
    const auto grids = sources(pull_back, x.sizes().slice(2)).to(x.options());
    return sample(x, grids.index_select(0, map_of), resampling);
  });
}

at::Tensor rotate(const at::Tensor& x, const at::Tensor& degrees, Resampling resampling) {
  check_images(x, "rotate");
  if (!degrees.defined() || degrees.dim() != 1 || degrees.size(0) != x.size(0)) {
    throw InputError(
        {"angles do not fit the batch", "", "one angle in degrees for each image", ""});
  }
  const auto angle = degrees.to(at::kDouble) * (std::numbers::pi / 180.0);
  const auto c = angle.cos();
  const auto s = angle.sin();
  return resample(x, at::stack({c, -s, s, c}, 1).reshape({-1, 2, 2}), resampling);
}

at::Tensor flip_horizontally(const at::Tensor& x, const at::Tensor& which) {
  if (!x.defined() || !which.defined() || x.dim() < 1 || which.dim() != 1 ||
      which.size(0) != x.size(0) || which.scalar_type() != at::kBool) {
    throw InputError({"flips do not fit the batch", "", "one bool for each image", ""});
  }
  std::vector<std::int64_t> shape(static_cast<std::size_t>(x.dim()), 1);
  shape[0] = x.size(0);
  return at::where(which.reshape(shape), x.flip({-1}), x);
}

}  // namespace algprior
