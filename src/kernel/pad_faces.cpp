#include "algprior/kernel/pad_faces.hpp"

#include "algprior/base/error.hpp"
#include "algprior/kernel/detail/translate.hpp"
#include "algprior/kernel/shape_text.hpp"

#include <algorithm>

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace algprior {

FacePadding::FacePadding(std::int64_t faces, std::int64_t height, std::int64_t width,
                         const std::vector<std::array<std::uint32_t, 2>>& table)
    : faces_(faces), height_(height), width_(width) {
  constexpr std::int64_t kMost = 1 << 15;
  bool proper = faces > 0 && height > 0 && width > 0 && std::max({faces, height, width}) <= kMost &&
                static_cast<std::int64_t>(table.size()) == faces * (height + 2) * (width + 2);
  const std::int64_t cells = proper ? faces * height * width : 0;
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

namespace {

at::Tensor pad(const at::Tensor& x, const FacePadding& padding) {
  if (x.dim() != 4 || x.size(0) % padding.faces() != 0 || x.size(2) != padding.height() ||
      x.size(3) != padding.width()) {
    throw InputError(
        {"a tensor has other faces than its padding", shape_text(x),
         fmt::format("(N * {}) x C x {} x {}", padding.faces(), padding.height(), padding.width()),
         "use data of the grid that the network was made for"});
  }
  const std::vector<std::int64_t> samples{x.size(0) / padding.faces(), padding.faces(), x.size(1),
                                          x.size(2), x.size(3)};
  const auto cells = x.reshape(samples).transpose(1, 2).flatten(2);
  const auto sources = padding.sources().to(x.device());
  const auto padded = 0.5 * (cells.index_select(2, sources[0]) + cells.index_select(2, sources[1]));
  return padded
      .view({samples[0], samples[2], padding.faces(), padding.height() + 2, padding.width() + 2})
      .transpose(1, 2)
      .flatten(0, 1);
}

}  // namespace

at::Tensor pad_faces(const at::Tensor& x, const FacePadding& padding) {
  return translated("faces cannot be padded", "", [&] { return pad(x, padding); });
}

}  // namespace algprior
