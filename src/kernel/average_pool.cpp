#include "algprior/kernel/average_pool.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/parallel.hpp"
#include "algprior/kernel/detail/translate.hpp"
#include "algprior/kernel/kernels.hpp"
#include "plane.hpp"
#include "recycled_tensor.hpp"
#include "tensors.hpp"

#include <algorithm>

#include <torch/csrc/autograd/custom_function.h>
#include <torch/types.h>

namespace algprior {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

std::array<int, 3> plane_size(at::IntArrayRef sizes) {
  std::array<int, 3> plane = {1, 1, 1};
  for (std::size_t axis = 2; axis < sizes.size(); ++axis)
    plane[3 - (sizes.size() - axis)] = static_cast<int>(sizes[axis]);
  return plane;
}

void check(const at::Tensor& x, const Pool& pool) {
  kernel::check_pool(pool);
  bool fits = x.defined() && (x.dim() == 5 || (x.dim() == 4 && pool.kernel[0] == 1));
  const auto size = fits ? plane_size(x.sizes()) : std::array<int, 3>{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    fits = fits && size[axis] + 2 * pool.padding[axis] >= pool.kernel[axis];
  if (fits) return;
  throw InputError({"a pooling window does not fit its tensor",
                    "a tensor of " + std::to_string(x.dim()) + " axes",
                    "N×C×H×W or N×C×D×H×W, each axis at least as long as the window",
                    "check the size of the images"});
}

struct AveragePool : torch::autograd::Function<AveragePool> {
  static Variable forward(AutogradContext* context, const Variable& x_, const Pool& pool) {
    const auto x = x_.contiguous();
    const auto in = plane_size(x.sizes());
    auto out_sizes = x.sizes().vec();
    for (std::size_t axis = 2; axis < out_sizes.size(); ++axis) {
      const auto a = static_cast<int>(3 - (out_sizes.size() - axis));
      out_sizes[axis] = pool.out(a, in[a]);
    }
    auto out = kernel::make_empty(out_sizes, x.options());
    each_plane(pool, in, x.size(0) * x.size(1), x.data_ptr<float>(), out.data_ptr<float>(), false);
    context->saved_data["kernel"] = kernel::last_axes(pool.kernel, 3);
    context->saved_data["stride"] = kernel::last_axes(pool.stride, 3);
    context->saved_data["padding"] = kernel::last_axes(pool.padding, 3);
    context->saved_data["sigma"] = pool.sigma;
    context->saved_data["sizes"] = x.sizes().vec();
    return out;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    kernel::refuse_second_derivative();
    const auto load = [&](const char* name, std::array<int, 3>& to) {
      const auto values = context->saved_data[name].toIntVector();
      for (std::size_t i = 0; i < 3; ++i) to[i] = static_cast<int>(values[i]);
    };
    Pool pool;
    load("kernel", pool.kernel);
    load("stride", pool.stride);
    load("padding", pool.padding);
    pool.sigma = context->saved_data["sigma"].toDouble();
    const auto sizes = context->saved_data["sizes"].toIntVector();
    const auto dout = gradients[0].contiguous();
    auto dx = kernel::make_empty(sizes, dout.options());
    each_plane(pool, plane_size(sizes), sizes[0] * sizes[1], dout.data_ptr<float>(),
               dx.data_ptr<float>(), true);
    return {dx, at::Tensor()};
  }

  static void each_plane(const Pool& pool, const std::array<int, 3>& in, std::int64_t planes,
                         const float* from, float* to, bool back) {
    const std::int64_t in_size = std::int64_t{in[0]} * in[1] * in[2];
    const std::int64_t out_size =
        std::int64_t{pool.out(0, in[0])} * pool.out(1, in[1]) * pool.out(2, in[2]);
    parallel_for(planes, [&](std::int64_t begin, std::int64_t end) {
      std::vector<float> scratch(static_cast<std::size_t>(kernel::pool_scratch(pool, in)));
      for (std::int64_t plane = begin; plane < end; ++plane) {
        if (back)
          kernel::unpool_plane(pool, in, from + plane * out_size, scratch.data(),
                               to + plane * in_size);
        else
          kernel::pool_plane(pool, in, from + plane * in_size, scratch.data(),
                             to + plane * out_size);
      }
    });
  }
};

// matrix · x along one axis.
at::Tensor along_axis(const at::Tensor& x, const at::Tensor& matrix, std::int64_t axis) {
  if (axis == x.dim() - 1) return at::matmul(x, matrix.t());
  auto shape = x.sizes().vec();
  shape[static_cast<std::size_t>(axis)] = matrix.size(0);
  const auto rows = x.flatten(0, axis - 1).flatten(2);  // … × axis × rest
  return at::matmul(matrix, rows).reshape(shape);
}

// A Gaussian is a product over the axes, and so is the pooling: a banded matrix each.
at::Tensor gaussian_pool_torch(const at::Tensor& x, const Pool& pool) {
  at::Tensor result = x;
  for (std::int64_t axis = 2; axis < x.dim(); ++axis) {
    const auto a = static_cast<std::size_t>(3 - (x.dim() - axis));
    const int in = static_cast<int>(x.size(axis)), out = pool.out(static_cast<int>(a), in);
    float taps[kernel::kLargestGaussian];
    kernel::gaussian_taps(pool.kernel[a], pool.sigma, taps);
    const at::Tensor matrix = at::zeros({out, in});
    auto entries = matrix.accessor<float, 2>();
    for (int o = 0; o < out; ++o)
      for (int tap = 0; tap < pool.kernel[a]; ++tap) {
        const int i = o * pool.stride[a] - pool.padding[a] + tap;
        if (i >= 0 && i < in) entries[o][i] = taps[tap];
      }
    result = along_axis(result, matrix.to(x.options()), axis);
  }
  return result;
}

}  // namespace

at::Tensor average_pool_torch(const at::Tensor& x, const Pool& pool) {
  check(x, pool);
  if (pool.sigma > 0) return gaussian_pool_torch(x, pool);
  const auto axes = x.dim() - 2;
  const auto window = kernel::last_axes(pool.kernel, axes);
  const auto stride = kernel::last_axes(pool.stride, axes);
  const auto padding = kernel::last_axes(pool.padding, axes);
  if (axes == 2) return at::avg_pool2d(x, window, stride, padding);
  const auto in = plane_size(x.sizes());
  const bool large = in[0] >= pool.kernel[0] && in[1] >= pool.kernel[1] && in[2] >= pool.kernel[2];
  if (large) return at::avg_pool3d(x, window, stride, padding);
  // LibTorch takes no volume that is smaller than the window before it is padded.
  std::vector<std::int64_t> both_sides;
  for (auto p = padding.rbegin(); p != padding.rend(); ++p)
    both_sides.insert(both_sides.end(), 2, *p);
  return at::avg_pool3d(at::constant_pad_nd(x, both_sides), window, stride);
}

at::Tensor average_pool(const at::Tensor& x, const Pool& pool) {
  check(x, pool);
  const bool native = kernels() != Kernels::torch && kernel::served(x);
  return translated("a tensor cannot be pooled", "", [&] {
    return native ? AveragePool::apply(x, pool) : average_pool_torch(x, pool);
  });
}

}  // namespace algprior
