#include "algprior/kernel/face_norm.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/parallel.hpp"
#include "algprior/kernel/detail/translate.hpp"
#include "algprior/kernel/kernels.hpp"
#include "algprior/kernel/shape_text.hpp"
#include "plane.hpp"
#include "recycled_tensor.hpp"
#include "tensors.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/types.h>

namespace algprior {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

/// Where one channel of one sample lies: F stretches of H×W floats, and its padded faces. A plane
/// here is all of them one after the other.
struct FacePlanes {
  std::int64_t samples, channels, faces, height, width;
  const std::int64_t* sources = nullptr;  // of the padding; null: faces stay as they are

  std::int64_t face() const { return height * width; }
  std::int64_t cells() const { return faces * face(); }
  std::int64_t padded() const { return (height + 2) * (width + 2); }
  /// Which of the batch's planes is face f of an item, sample·channels + channel.
  std::int64_t place(std::int64_t item, std::int64_t f) const {
    return (item / channels * faces + f) * channels + item % channels;
  }

  /// visit(cell of the padded face, the two cells of the plane) for what surrounds face f.
  template <class Visit>
  void rim(std::int64_t f, const Visit& visit) const {
    const std::int64_t* one = sources + f * padded();
    const std::int64_t* two = one + faces * padded();
    const auto at = [&](std::int64_t i) { visit(i, one[i], two[i]); };
    const std::int64_t row = width + 2;
    for (std::int64_t i = 0; i < row; ++i) at(i);
    for (std::int64_t start = row; start < padded() - row; start += row) {
      at(start);
      at(start + row - 1);
    }
    for (std::int64_t i = padded() - row; i < padded(); ++i) at(i);
  }

  void pad(const float* plane, std::int64_t item, float* out) const {
    for (std::int64_t f = 0; f < faces; ++f) {
      float* to = out + place(item, f) * padded();
      for (std::int64_t row = 0; row < height; ++row) {
        std::copy_n(plane + (f * height + row) * width, width, to + (row + 1) * (width + 2) + 1);
      }
      rim(f, [=](std::int64_t i, std::int64_t a, std::int64_t b) {
        to[i] = 0.5F * (plane[a] + plane[b]);
      });
    }
  }
  /// The transpose of pad: what the padding was taken from gets its gradients too.
  void unpad(const float* dout, std::int64_t item, float* plane) const {
    for (std::int64_t f = 0; f < faces; ++f) {
      const float* from = dout + place(item, f) * padded();
      for (std::int64_t row = 0; row < height; ++row) {
        std::copy_n(from + (row + 1) * (width + 2) + 1, width, plane + (f * height + row) * width);
      }
    }
    for (std::int64_t f = 0; f < faces; ++f) {
      const float* from = dout + place(item, f) * padded();
      rim(f, [=](std::int64_t i, std::int64_t a, std::int64_t b) {
        plane[a] += 0.5F * from[i];
        plane[b] += 0.5F * from[i];
      });
    }
  }

  /// body(item, a buffer of one plane) for every channel of every sample.
  template <class Body>
  void each(const Body& body) const {
    const auto range = [&](std::int64_t begin, std::int64_t end) {
      std::vector<float> buffer(static_cast<std::size_t>(cells()));
      for (std::int64_t item = begin; item < end; ++item) body(item, buffer.data());
    };
    // Fewer floats than these are done before a second thread has woken up.
    constexpr std::int64_t kLarge = std::int64_t{1} << 15;
    const std::int64_t items = samples * channels;
    items* cells() < kLarge ? range(0, items) : parallel_for(items, range);
  }
};

FacePlanes planes_of(const at::Tensor& x, std::int64_t faces, const at::Tensor& sources) {
  return {x.size(0) / faces,
          x.size(1),
          faces,
          x.size(2),
          x.size(3),
          sources.numel() > 0 ? sources.data_ptr<std::int64_t>() : nullptr};
}

// Over all faces, from those of each: their squares are about their own means.
Moments moments_of(const FacePlanes& planes, const float* x, std::int64_t item) {
  Moments whole;
  double between = 0.0;
  for (std::int64_t f = 0; f < planes.faces; ++f) {
    const Moments face =
        kernel::plane_moments(x + planes.place(item, f) * planes.face(), planes.face());
    const double step = face.mean - whole.mean;
    whole.mean += step / static_cast<double>(f + 1);
    between += step * (face.mean - whole.mean);
    whole.squares += face.squares;
  }
  whole.squares += between * static_cast<double>(planes.face());
  return whole;
}

struct NormFaces : torch::autograd::Function<NormFaces> {
  static Variable forward(AutogradContext* context, const Variable& x, const Variable& weight,
                          const Variable& bias, const Variable& sources, std::int64_t faces,
                          double eps) {
    const FacePlanes planes = planes_of(x, faces, sources);
    auto sizes = x.sizes().vec();
    if (planes.sources != nullptr) {
      sizes[2] += 2;
      sizes[3] += 2;
    }
    auto out = kernel::make_empty(sizes, x.options());
    // Mean and 1/√(σ² + ε) of every item.
    const auto moments = at::empty({2, planes.samples * planes.channels}, x.options());
    const auto *from = x.data_ptr<float>(), *gamma = weight.data_ptr<float>(),
               *beta = bias.data_ptr<float>();
    auto *to = out.data_ptr<float>(), *mean = moments[0].data_ptr<float>(),
         *scale = moments[1].data_ptr<float>();
    planes.each([&](std::int64_t item, float* buffer) {
      const Moments of_item = moments_of(planes, from, item);
      const std::int64_t channel = item % planes.channels, size = planes.face();
      mean[item] = static_cast<float>(of_item.mean);
      scale[item] = static_cast<float>(
          1.0 / std::sqrt(of_item.squares / static_cast<double>(planes.cells()) + eps));
      const float slope = gamma[channel] * scale[item];
      const float shift = beta[channel] - slope * mean[item];
      const bool padded = planes.sources != nullptr;
      for (std::int64_t f = 0; f < faces; ++f) {
        const std::int64_t at = planes.place(item, f) * size;
        kernel::silu_plane(from + at, size, slope, shift, padded ? buffer + f * size : to + at);
      }
      if (padded) planes.pad(buffer, item, to);
    });
    context->save_for_backward({x, weight, bias, sources, moments});
    context->saved_data["faces"] = faces;
    return out;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    kernel::refuse_second_derivative();
    const auto saved = context->get_saved_variables();
    const auto &x = saved[0], &weight = saved[1], &bias = saved[2], &sources = saved[3],
               &moments = saved[4];
    const FacePlanes planes = planes_of(x, context->saved_data["faces"].toInt(), sources);
    const auto dout = gradients[0].contiguous();
    auto dx = kernel::make_empty(x.sizes(), x.options());
    // Σ du·(x − μ)/σ and Σ du of every item.
    const auto sums =
        at::empty({2, planes.samples, planes.channels}, at::TensorOptions(at::kDouble));
    const auto *from = x.data_ptr<float>(), *above = dout.data_ptr<float>(),
               *gamma = weight.data_ptr<float>(), *beta = bias.data_ptr<float>(),
               *mean = moments[0].data_ptr<float>(), *scale = moments[1].data_ptr<float>();
    auto* to = dx.data_ptr<float>();
    auto *products = sums[0].data_ptr<double>(), *gradient_sums = sums[1].data_ptr<double>();
    planes.each([&](std::int64_t item, float* buffer) {
      const std::int64_t channel = item % planes.channels, size = planes.face();
      if (sources.numel() > 0) planes.unpad(above, item, buffer);
      const auto gradient_of = [&](std::int64_t f) {
        return sources.numel() > 0 ? buffer + f * size : above + planes.place(item, f) * size;
      };
      const float slope = gamma[channel] * scale[item];
      const float shift = beta[channel] - slope * mean[item];
      kernel::PlaneSums of_item;
      for (std::int64_t f = 0; f < planes.faces; ++f) {
        const kernel::PlaneSums of_face = kernel::silu_sums(
            from + planes.place(item, f) * size, gradient_of(f), size, slope, shift, mean[item]);
        of_item.gradient += of_face.gradient;
        of_item.product += of_face.product;
      }
      const double sigma = scale[item];
      products[item] = of_item.product * sigma;
      gradient_sums[item] = of_item.gradient;
      const double share = static_cast<double>(slope) / static_cast<double>(planes.cells());
      const double b = -share * products[item] * sigma;
      const double c = -share * of_item.gradient - b * mean[item];
      const kernel::PlaneGradient way{slope, shift, slope, static_cast<float>(b),
                                      static_cast<float>(c)};
      for (std::int64_t f = 0; f < planes.faces; ++f) {
        const std::int64_t at = planes.place(item, f) * size;
        kernel::silu_gradient(from + at, gradient_of(f), size, way, to + at);
      }
    });
    const auto totals = sums.sum(1).to(at::kFloat);
    const auto none = at::Tensor();
    return {dx, totals[0], totals[1], none, none, none};
  }
};

void check_norm(const at::Tensor& x, const FaceNorm& norm, const FacePadding* padding) {
  const bool fits =
      x.dim() == 4 && norm.faces >= 1 && x.size(0) % norm.faces == 0 &&
      norm.weight.numel() == x.size(1) && norm.bias.numel() == x.size(1) &&
      (padding == nullptr || (padding->faces() == norm.faces && padding->height() == x.size(2) &&
                              padding->width() == x.size(3)));
  if (fits) return;
  throw InputError({"a tensor does not fit the norm of its faces", shape_text(x),
                    fmt::format("(N * {}) x {} x H x W", norm.faces, norm.weight.numel()),
                    "use data of the grid that the network was made for"});
}

}  // namespace

at::Tensor norm_faces_torch(const at::Tensor& x, const FaceNorm& norm, const FacePadding* padding) {
  check_norm(x, norm, padding);
  const std::vector<std::int64_t> sizes{x.size(0) / norm.faces, norm.faces, x.size(1), x.size(2),
                                        x.size(3)};
  const auto samples = x.reshape(sizes).transpose(1, 2);
  const auto y =
      at::silu(at::group_norm(samples.contiguous(), x.size(1), norm.weight, norm.bias, norm.eps));
  const auto faces = y.transpose(1, 2).reshape(x.sizes());
  return padding != nullptr ? pad_faces(faces, *padding) : faces;
}

at::Tensor norm_faces(const at::Tensor& x, const FaceNorm& norm, const FacePadding* padding) {
  return translated("faces cannot be normalised", "", [&] {
    check_norm(x, norm, padding);
    const bool native = kernels() != Kernels::torch && x.numel() > 0 && kernel::served(x) &&
                        kernel::served(norm.weight) && kernel::served(norm.bias);
    if (!native) return norm_faces_torch(x, norm, padding);
    return NormFaces::apply(x.contiguous(), norm.weight.contiguous(), norm.bias.contiguous(),
                            padding != nullptr ? padding->sources() : at::empty({0}, at::kLong),
                            norm.faces, norm.eps);
  });
}

}  // namespace algprior
