#include "algprior/action/permute.hpp"

#include "algprior/base/error.hpp"
#include "algprior/kernel/detail/latent.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <torch/csrc/autograd/custom_function.h>

namespace algprior {
namespace {

// LibTorch's own gradient of gather is a scatter-add, which sums in no fixed order on a GPU. A
// permutation needs no sum.
struct PermutePlaces : torch::autograd::Function<PermutePlaces> {
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x,
                            const at::Tensor& forward_table, const at::Tensor& backward_table,
                            const at::Tensor& g) {
    context->save_for_backward({backward_table, forward_table, g});
    return gather_places(x, forward_table, g.to(x.device()));
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    const auto saved = context->get_saved_variables();
    // Applied through the same function, so that a second derivative exists.
    return {apply(gradients[0], saved[0], saved[1], saved[2]), at::Tensor(), at::Tensor(),
            at::Tensor()};
  }
};

}  // namespace

PermutationTable make_permutation_table(const at::Tensor& forward) {
  if (!forward.defined() || forward.dim() != 2 || forward.scalar_type() != at::kLong) {
    throw InputError({"a permutation table has the wrong form", "",
                      "an int64 matrix with a row for each group element", ""});
  }
  const auto [sorted, backward] = forward.sort(/*dim=*/1);
  const auto places = at::arange(forward.size(1), forward.options());
  if (!at::equal(sorted, places.expand_as(sorted))) {
    throw InputError({"a permutation table has a row that is not a permutation", "",
                      fmt::format("each of 0 … {} once in every row", forward.size(1) - 1), ""});
  }
  return {DeviceCopies(forward.contiguous()), DeviceCopies(backward.contiguous())};
}

at::Tensor permute_places(const PermutationTable& table, const at::Tensor& g, const at::Tensor& x) {
  const auto places = table.forward.original().size(1);
  if (!x.defined() || x.dim() < 2 || x.size(-1) != places) {
    throw InputError(
        {"a permutation of places does not fit the tensor",
         fmt::format("last dimension {}", !x.defined() || x.dim() < 2 ? 0 : x.size(-1)),
         fmt::format("last dimension {}", places), ""});
  }
  const auto elements = table.forward.original().size(0);
  if (!g.defined() || g.dim() != 1 || g.size(0) != x.size(0) || g.scalar_type() != at::kLong ||
      (g.device().is_cpu() && g.numel() > 0 &&
       (g.min().item<std::int64_t>() < 0 || g.max().item<std::int64_t>() >= elements))) {
    throw InputError(
        {"group elements do not fit the batch", "",
         fmt::format("an int64 vector with an element below {} for each sample", elements), ""});
  }
  return PermutePlaces::apply(x, table.forward.on(x.device()), table.backward.on(x.device()), g);
}

}  // namespace algprior
