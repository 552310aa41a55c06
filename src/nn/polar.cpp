#include "algprior/nn/polar.hpp"

#include "algprior/base/error.hpp"
#include "algprior/kernel/detail/translate.hpp"
#include "algprior/kernel/shape_text.hpp"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

namespace algprior::nn {
namespace {

constexpr double kPolarDamping = 1e-8;

at::Tensor damped_inverse(const at::Tensor& t) {
  return t / (t.square() + kPolarDamping);
}

struct PolarFactor : torch::autograd::Function<PolarFactor> {
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x,
                            bool special) {
    auto [u, s, vh] = at::linalg_svd(x, /*full_matrices=*/false);
    if (special) {
      const auto sign = at::linalg_det(at::matmul(u, vh)).sign();
      const auto k = s.size(-1);
      auto turn = at::ones_like(s);
      turn.select(-1, k - 1).copy_(sign);
      s = s * turn;
      vh = vh * turn.unsqueeze(-1);
    }
    context->save_for_backward({u, s, vh});
    return at::matmul(u, vh);
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const auto &u = saved[0], &s = saved[1], &vh = saved[2];
    const auto gv = at::matmul(gradients[0], vh.transpose(-2, -1));
    const auto inner = at::matmul(u.transpose(-2, -1), gv);
    const auto sums = s.unsqueeze(-1) + s.unsqueeze(-2);
    const auto turn = (inner - inner.transpose(-2, -1)) * damped_inverse(sums);
    auto dx = at::matmul(at::matmul(u, turn), vh);
    if (u.size(-2) > u.size(-1)) {
      const auto outside = gv - at::matmul(u, inner);
      dx = dx + at::matmul(outside * damped_inverse(s).unsqueeze(-2), vh);
    }
    return {dx, at::Tensor()};
  }
};

}  // namespace

at::Tensor polar_factor(const at::Tensor& x, Polar which) {
  const bool special = which == Polar::special;
  if (!x.defined() || x.dim() < 2 || x.size(-2) < x.size(-1) ||
      (special && x.size(-2) != x.size(-1)) || !x.is_floating_point()) {
    throw InputError(
        {"a matrix has no such polar factor", shape_text(x),
         special ? "real square matrices" : "real matrices with no more columns than rows", ""});
  }
  return translated("a polar factor cannot be computed", "",
                    [&] { return PolarFactor::apply(x, special); });
}

}  // namespace algprior::nn
