#include "algprior/action/latent.hpp"

#include "algprior/action/permute.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/memory.hpp"
#include "algprior/rep/constructions.hpp"

#include <string>

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace algprior {
namespace {

// A few roundings of a matrix product in float32 on coordinates of size 1.
constexpr double kDenseTolerance = 1e-4;

struct Layout {
  std::int64_t block = 0;   // dimension of one copy
  std::int64_t copies = 0;  // blocks that fit
  std::int64_t width = 0;   // whole latent space
};

std::string smaller_representation(const Group& group, std::int64_t dimension) {
  try {
    const auto size = static_cast<std::int64_t>(defining_representation(group).dimension());
    if (size <= dimension) return fmt::format("defining (dimension {})", size);
  } catch (const InputError&) {
    // A group without a permutation action of its own has no defining representation to offer.
  }
  return "trivial (dimension 1)";
}

Layout make_layout(const Representation& representation, std::int64_t dimension) {
  const auto block = static_cast<std::int64_t>(representation.dimension());
  if (!representation.is_real()) {
    throw InputError({"a complex representation cannot act on a real latent space",
                      fmt::format("a representation of {}", representation.group().name()),
                      "a real representation", "take the direct sum with its complex conjugate"});
  }
  if (block > dimension || dimension < 1) {
    throw InputError({"the representation does not fit the latent space",
                      fmt::format("dimension {} of a representation of {} in {} coordinates", block,
                                  representation.group().name(), dimension),
                      fmt::format("at least {} latent coordinates", block),
                      "widen the latent layer or choose a smaller representation, for example " +
                          smaller_representation(representation.group(), dimension)});
  }
  check_memory(3.0 * 8.0 * static_cast<double>(representation.group().order()) *
                   static_cast<double>(dimension),
               "the action on a latent space",
               fmt::format("{} elements of {} on {} coordinates", representation.group().order(),
                           representation.group().name(), dimension));
  return {block, dimension / block, dimension};
}

PermutationTable block_table(const Representation& representation, const Layout& layout) {
  const auto order = static_cast<std::int64_t>(representation.group().order());
  auto one = representation.gather_table();
  const auto block = at::from_blob(one.data(), {order, layout.block}, at::kLong).clone();
  const auto offset = at::arange(layout.copies, at::kLong) * layout.block;
  const auto copies = (block.unsqueeze(1) + offset.reshape({1, -1, 1})).reshape({order, -1});
  const auto fixed = at::arange(layout.copies * layout.block, layout.width, at::kLong);
  return make_permutation_table(at::cat({copies, fixed.expand({order, -1})}, 1));
}

at::Tensor matrix_stack(const Representation& representation) {
  const auto d = static_cast<std::int64_t>(representation.dimension());
  std::vector<at::Tensor> rows;
  for (const auto& matrix : representation.matrices()) {
    // Eigen stores columns first.
    Eigen::MatrixXd copy = matrix.transpose();
    rows.push_back(at::from_blob(copy.data(), {d, d}, at::kDouble).clone());
  }
  return at::stack(rows, 0);
}

at::Tensor apply_dense(const DeviceCopies& matrices, const Layout& layout, const at::Tensor& g,
                       const at::Tensor& z) {
  const auto moved = layout.copies * layout.block;
  const auto chosen = matrices.on(z.device()).index_select(0, g.to(z.device())).to(z.scalar_type());
  const auto blocks = z.narrow(1, 0, moved).reshape({-1, layout.copies, layout.block});
  const auto product = at::bmm(blocks, chosen.transpose(1, 2)).reshape({-1, moved});
  return at::cat({product, z.narrow(1, moved, layout.width - moved)}, 1);
}

bool is_integral(const at::Tensor& matrices) {
  return at::equal(matrices, matrices.round());
}

}  // namespace

Action latent_action(const Representation& representation, std::int64_t dimension,
                     LatentPath path) {
  const auto layout = make_layout(representation, dimension);
  const auto& group = representation.group();
  const auto name = fmt::format("action of {} on {} latent coordinates", group.name(), dimension);
  const auto check = [name](const at::Tensor& z, std::int64_t width) {
    if (z.dim() == 2 && z.size(1) == width) return;
    throw InputError({"a latent vector does not fit the " + name,
                      fmt::format("{} dimensions", z.dim()), fmt::format("shape N x {}", width),
                      "flatten the latent layer, or use channel_action for a grid"});
  };
  if (representation.is_permutation() && path == LatentPath::automatic) {
    const auto table = block_table(representation, layout);
    return Action(
        group, name, 0.0,
        [check, layout, table](const at::Tensor& g, const at::Tensor& z) {
          check(z, layout.width);
          return permute_places(table, g, z);
        },
        table.forward.original());
  }
  const auto matrices = matrix_stack(representation);
  return Action(
      group, name, is_integral(matrices) ? 0.0 : kDenseTolerance,
      [check, layout, matrices = DeviceCopies(matrices)](const at::Tensor& g, const at::Tensor& z) {
        check(z, layout.width);
        return apply_dense(matrices, layout, g, z);
      });
}

Action channel_action(const Representation& representation, std::int64_t channels,
                      LatentPath path) {
  const auto vectors = latent_action(representation, channels, path);
  return Action(representation.group(), vectors.name() + " at every grid point",
                vectors.tolerance(), [vectors](const at::Tensor& g, const at::Tensor& z) {
                  if (z.dim() < 3) {
                    throw InputError({"a latent grid has no positions", "", "shape N x C x …",
                                      "use latent_action for vectors"});
                  }
                  const auto last = z.movedim(1, -1);
                  std::int64_t positions = 1;  // not by division: a batch may be empty
                  for (std::int64_t i = 1; i + 1 < last.dim(); ++i) positions *= last.size(i);
                  const auto moved =
                      vectors(g.repeat_interleave(positions), last.reshape({-1, last.size(-1)}));
                  return moved.reshape(last.sizes()).movedim(-1, 1).contiguous();
                });
}

Action label_action(const Representation& representation) {
  const auto& group = representation.group();
  const auto order = static_cast<std::int64_t>(group.order());
  const auto classes = static_cast<std::int64_t>(representation.dimension());
  const auto rows = at::empty({order, classes}, at::kLong);
  auto* out = rows.data_ptr<std::int64_t>();
  for (Element g = 0; g < group.order(); ++g) {
    for (const auto image : representation.permutation(g)) *out++ = image;
  }
  return Action(
      group, fmt::format("action of {} on {} labels", group.name(), classes), 0.0,
      [rows = DeviceCopies(rows), classes](const at::Tensor& g, const at::Tensor& y) {
        if (y.scalar_type() != at::kLong ||
            (y.device().is_cpu() && y.numel() > 0 &&
             (y.min().item<std::int64_t>() < 0 || y.max().item<std::int64_t>() >= classes))) {
          throw InputError({"labels do not fit the label action", at::toString(y.scalar_type()),
                            fmt::format("int64 labels from 0 to {}", classes - 1), ""});
        }
        const auto tables = rows.on(y.device()).index_select(0, g.to(y.device()));
        return tables.gather(1, y.reshape({y.size(0), -1})).reshape(y.sizes());
      });
}

}  // namespace algprior
