#include "algprior/kernel/pad_faces.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/parallel.hpp"
#include "algprior/kernel/kernels.hpp"
#include "tensors.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/types.h>

namespace algprior {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

/// Walks over the faces of all planes: rows inside a face are one stretch, what surrounds them
/// comes from the table. Forward copies, backward adds to where the values came from.
struct FaceWalk {
  std::int64_t samples, channels, faces, height, width;
  const std::int64_t* sources;

  std::int64_t cells() const { return faces * height * width; }
  std::int64_t padded() const { return (height + 2) * (width + 2); }

  template <bool kBack, class Face, class Plane>
  void over(Face* face_values, Plane* plane_values) const {
    const std::int64_t second = faces * padded();
    const auto body = [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t item = begin; item < end; ++item) {
        const std::int64_t n = item / channels, c = item % channels;
        Plane* plane = plane_values + item * cells();
        for (std::int64_t f = 0; f < faces; ++f) {
          Face* face = face_values + ((n * faces + f) * channels + c) * padded();
          const auto rim = [&](std::int64_t place) {
            const std::int64_t one = sources[f * padded() + place];
            const std::int64_t two = sources[second + f * padded() + place];
            if constexpr (kBack) {
              plane[one] += 0.5F * face[place];
              plane[two] += 0.5F * face[place];
            } else {
              face[place] = 0.5F * (plane[one] + plane[two]);
            }
          };
          for (std::int64_t i = 0; i < width + 2; ++i) rim(i);
          for (std::int64_t row = 0; row < height; ++row) {
            const std::int64_t start = (row + 1) * (width + 2);
            auto* inside = plane + (f * height + row) * width;
            rim(start);
            if constexpr (kBack) {
              for (std::int64_t i = 0; i < width; ++i) inside[i] += face[start + 1 + i];
            } else {
              std::copy_n(inside, width, face + start + 1);
            }
            rim(start + width + 1);
          }
          for (std::int64_t i = padded() - width - 2; i < padded(); ++i) rim(i);
        }
      }
    };
    // Fewer floats than these are moved before a second thread has woken up.
    constexpr std::int64_t kLarge = std::int64_t{1} << 17;
    const std::int64_t items = samples * channels;
    items* cells() < kLarge ? body(0, items) : parallel_for(items, body);
  }
};

struct PadFaces : torch::autograd::Function<PadFaces> {
  static Variable forward(AutogradContext* context, const Variable& x_,
                          const FacePadding& padding) {
    const auto x = x_.contiguous();
    context->save_for_backward({padding.sources()});
    context->saved_data["sizes"] = x.sizes().vec();
    const FaceWalk walk{x.size(0), x.size(1), x.size(2),
                        x.size(3), x.size(4), padding.sources().data_ptr<std::int64_t>()};
    auto out = at::empty(
        {walk.samples * walk.faces, walk.channels, walk.height + 2, walk.width + 2}, x.options());
    walk.over<false>(out.data_ptr<float>(), x.data_ptr<float>());
    return out;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    kernel::refuse_second_derivative();
    const auto sources = context->get_saved_variables()[0];
    const auto sizes = context->saved_data["sizes"].toIntVector();
    const auto dout = gradients[0].contiguous();
    const FaceWalk walk{sizes[0], sizes[1], sizes[2],
                        sizes[3], sizes[4], sources.data_ptr<std::int64_t>()};
    auto dx = at::zeros(sizes, dout.options());
    walk.over<true>(dout.data_ptr<float>(), dx.data_ptr<float>());
    return {dx, at::Tensor()};
  }
};

void check_faces(const at::Tensor& x, const FacePadding& padding) {
  if (x.dim() == 5 && x.size(2) == padding.faces() && x.size(3) == padding.height() &&
      x.size(4) == padding.width()) {
    return;
  }
  throw InputError(
      {"a tensor has other faces than its padding", fmt::format("{}", fmt::join(x.sizes(), " x ")),
       fmt::format("N x C x {} x {} x {}", padding.faces(), padding.height(), padding.width()),
       "use data of the grid that the network was made for"});
}

}  // namespace

FacePadding::FacePadding(std::int64_t faces, std::int64_t height, std::int64_t width,
                         const std::vector<std::array<std::uint32_t, 2>>& table)
    : faces_(faces), height_(height), width_(width) {
  const auto cells = static_cast<std::uint32_t>(faces * height * width);
  bool proper = faces > 0 && height > 0 && width > 0 &&
                static_cast<std::int64_t>(table.size()) == faces * (height + 2) * (width + 2);
  for (std::size_t i = 0; proper && i < table.size(); ++i) {
    const auto place = static_cast<std::int64_t>(i);
    const std::int64_t face = place / ((height + 2) * (width + 2));
    const std::int64_t row = place / (width + 2) % (height + 2) - 1;
    const std::int64_t column = place % (width + 2) - 1;
    proper = table[i][0] < cells && table[i][1] < cells;
    if (row >= 0 && row < height && column >= 0 && column < width) {
      const auto own = static_cast<std::uint32_t>((face * height + row) * width + column);
      proper = proper && table[i][0] == own && table[i][1] == own;
    }
  }
  if (!proper) {
    throw InputError(
        {"a table does not pad these faces",
         fmt::format("{} entries for {} faces of {} x {}", table.size(), faces, height, width),
         "two cells for every cell of the padded faces, those inside themselves", ""});
  }
  sources_ = at::empty({2, static_cast<std::int64_t>(table.size())}, at::kLong);
  auto* out = sources_.data_ptr<std::int64_t>();
  for (const std::size_t which : {0U, 1U}) {
    for (const auto& entry : table) *out++ = entry[which];
  }
}

at::Tensor pad_faces_torch(const at::Tensor& x, const FacePadding& padding) {
  check_faces(x, padding);
  const auto flat = x.flatten(2);
  const auto sources = padding.sources().to(x.device());
  const auto padded = 0.5 * (flat.index_select(2, sources[0]) + flat.index_select(2, sources[1]));
  return padded
      .view({x.size(0), x.size(1), padding.faces(), padding.height() + 2, padding.width() + 2})
      .transpose(1, 2)
      .flatten(0, 1);
}

at::Tensor pad_faces(const at::Tensor& x, const FacePadding& padding) {
  check_faces(x, padding);
  if (kernels() == Kernels::torch || !kernel::served(x)) return pad_faces_torch(x, padding);
  return PadFaces::apply(x, padding);
}

}  // namespace algprior
