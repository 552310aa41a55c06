#include "algprior/action/axis.hpp"

#include "algprior/action/latent.hpp"
#include "algprior/base/error.hpp"
#include "algprior/kernel/shape_text.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace algprior {

Action axis_action(const Representation& representation, std::int64_t axis) {
  const auto length = static_cast<std::int64_t>(representation.dimension());
  if (axis < 0) {
    throw InputError({"there is no such axis", fmt::format("axis {}", axis),
                      "0 for the first axis of a sample", ""});
  }
  const Action vectors = latent_action(representation, length);
  const auto name = fmt::format("action of {} on axis {}", representation.group().name(), axis);
  return Action(representation.group(), name, vectors.tolerance(),
                [vectors, name, axis, length](const at::Tensor& g, const at::Tensor& x) {
                  // Compared without adding, which a large axis would overflow.
                  if (axis >= x.dim() - 1 || x.size(axis + 1) != length) {
                    throw InputError({"samples do not fit the " + name, shape_text(x),
                                      fmt::format("length {} along this axis", length),
                                      "choose another axis or another representation"});
                  }
                  const auto last = x.movedim(axis + 1, -1);
                  std::int64_t rows = 1;
                  for (std::int64_t i = 1; i + 1 < last.dim(); ++i) rows *= last.size(i);
                  const auto moved = vectors(g.repeat_interleave(rows), last.reshape({-1, length}));
                  return moved.reshape(last.sizes()).movedim(-1, axis + 1).contiguous();
                });
}

}  // namespace algprior
