#include "algprior/analysis/block_diagonal.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/random.hpp"
#include "algprior/kernel/detail/translate.hpp"
#include "algprior/kernel/shape_text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <torch/optim/adam.h>

namespace algprior {
namespace {

constexpr double kDegreeFloor = 1e-10;
constexpr double kFlatForm = 1e-8;  // eigenvalues of the mean of MᵀM below this share count as it
constexpr double kStiff = 0.02;     // of the mean stiffness: what is softer nearly commutes

at::Tensor in_basis(const at::Tensor& matrices, const at::Tensor& basis) {
  return at::matmul(at::matmul(at::linalg_inv(basis), matrices), basis).abs();
}

// 1 − the mean over coordinates of how much of its degree is its own loop.
at::Tensor block_loss(const at::Tensor& sizes) {
  const auto links = at::matmul(sizes.transpose(1, 2), sizes);
  const auto own = links.diagonal(0, 1, 2) / (links.sum(2) + kDegreeFloor);
  return (1.0 - own).mean();
}

std::vector<std::vector<std::int64_t>> components(const at::Tensor& links) {
  const std::int64_t count = links.size(0);
  std::vector<std::int64_t> root(static_cast<std::size_t>(count));
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](std::int64_t i) {
    while (root[static_cast<std::size_t>(i)] != i) i = root[static_cast<std::size_t>(i)];
    return i;
  };
  const auto linked = links.contiguous();
  const auto* entry = linked.data_ptr<bool>();
  for (std::int64_t i = 0; i < count; ++i) {
    for (std::int64_t j = 0; j < count; ++j) {
      if (entry[i * count + j]) root[static_cast<std::size_t>(find(i))] = find(j);
    }
  }
  std::vector<std::vector<std::int64_t>> blocks;
  for (std::int64_t i = 0; i < count; ++i) {
    if (find(i) != i) continue;
    auto& block = blocks.emplace_back();
    for (std::int64_t j = 0; j < count; ++j) {
      if (find(j) == i) block.push_back(j);
    }
  }
  std::stable_sort(blocks.begin(), blocks.end(),
                   [](const auto& a, const auto& b) { return a.size() > b.size(); });
  return blocks;
}

at::Tensor normal_numbers(at::IntArrayRef shape, RandomStream& random) {
  const auto numbers = at::empty(shape, at::kDouble);
  std::generate_n(numbers.data_ptr<double>(), numbers.numel(), [&] { return random.normal(); });
  return numbers;
}

// In the basis in which the mean of MᵀM is the identity, matrices of a group are nearly orthogonal;
// what commutes with them there has a symmetric part that does, too, and its eigenspaces are
// invariant under all of them. "Nearly commutes": the softest directions of Σ‖MX − XM‖².
at::Tensor commuting_basis(const at::Tensor& given, RandomStream& random) {
  const std::int64_t a = given.size(1), count = given.size(0);
  const auto size = given.abs().max();
  if (!(size.item<double>() > 0.0)) return at::eye(a, at::kDouble);
  const auto matrices = given / size;
  const auto form = at::matmul(matrices.transpose(1, 2), matrices).mean(0);
  const auto [form_values, form_vectors] = at::linalg_eigh(form);
  const auto sizes = form_values.clamp_min(kFlatForm * form_values.max()).sqrt();
  const auto root = at::matmul(form_vectors * sizes, form_vectors.t());
  const auto inverse = at::matmul(form_vectors / sizes, form_vectors.t());
  const auto turned = at::matmul(at::matmul(root, matrices), inverse);

  // Rows of X one after the other: MX − XM is (M⊗I − I⊗Mᵀ)X, and this is the mean of its square.
  const auto eye = at::eye(a, at::kDouble);
  const auto adjoint = turned.transpose(1, 2);
  const auto flat = turned.reshape({count, a * a});
  const auto product = (at::matmul(flat.t(), flat) / static_cast<double>(count))
                           .view({a, a, a, a})
                           .permute({0, 2, 1, 3})
                           .reshape({a * a, a * a});  // the mean of M⊗M
  const auto square = at::kron(at::matmul(adjoint, turned).mean(0), eye) +
                      at::kron(eye, at::matmul(turned, adjoint).mean(0)) - product - product.t();
  const auto [stiffness, directions] = at::linalg_eigh(square);
  const auto soft = at::exp(-stiffness / (kStiff * stiffness.mean() + kDegreeFloor));
  const auto commuting =
      at::matmul(directions, soft * normal_numbers({a * a}, random)).view({a, a});
  return at::matmul(inverse, std::get<1>(at::linalg_eigh(commuting + commuting.t())));
}

// Adam from a basis, on batches without replacement.
at::Tensor descend(const at::Tensor& matrices, const at::Tensor& start,
                   const BlockDiagonalOptions& options, RandomStream& random) {
  const std::int64_t count = matrices.size(0);
  auto basis = start.detach().clone(at::MemoryFormat::Contiguous).requires_grad_(true);
  torch::optim::AdamOptions adam(options.learning_rate);
  torch::optim::Adam optimizer(std::vector<at::Tensor>{basis}, adam);
  auto& rate = static_cast<torch::optim::AdamOptions&>(optimizer.param_groups()[0].options());
  std::vector<at::Tensor> batches;
  for (std::int64_t step = 0; step < options.steps; ++step) {
    if (batches.empty()) {
      const auto order = random.permutation(static_cast<std::uint32_t>(count));
      const std::vector<std::int64_t> places(order.begin(), order.end());
      batches = matrices.index_select(0, at::tensor(places, at::kLong)).split(options.batch_size);
    }
    const double left =
        static_cast<double>(options.steps - step) / static_cast<double>(options.steps);
    rate.lr(options.learning_rate * std::min(1.0, 2.0 * left));
    optimizer.zero_grad();
    block_loss(in_basis(batches.back(), basis)).backward();
    optimizer.step();
    batches.pop_back();
  }
  return basis.detach();
}

void check_blocks(const at::Tensor& given, const BlockDiagonalOptions& options) {
  if (!given.defined() || given.dim() != 3 || given.size(0) < 1 || given.size(1) < 1 ||
      given.size(1) != given.size(2) || given.is_complex() ||
      !at::isfinite(given).all().item<bool>()) {
    throw InputError({"matrices cannot be brought to blocks", shape_text(given),
                      "real and finite, N x a x a", ""});
  }
  if (options.steps < 0 || options.starts < 1 || options.batch_size < 1 ||
      !(options.learning_rate > 0) || !std::isfinite(options.learning_rate) ||
      !(options.threshold >= 0) || !std::isfinite(options.threshold)) {
    throw InputError(
        {"a search for blocks cannot go so",
         fmt::format("{} steps of {} starts, batches of {}, learning rate {}, threshold {}",
                     options.steps, options.starts, options.batch_size, options.learning_rate,
                     options.threshold),
         "0 steps or more, 1 start or more, batches of 1 or more, a positive learning rate, a "
         "threshold of at least 0",
         ""});
  }
}

BlockDiagonal find_blocks(const at::Tensor& given, const BlockDiagonalOptions& options) {
  const auto matrices = given.detach().to(at::kDouble).contiguous();
  BlockDiagonal result;
  result.before = block_loss(matrices.abs()).item<double>();
  result.after = std::numeric_limits<double>::infinity();
  at::Tensor basis;
  for (std::int64_t start = 0; start < options.starts; ++start) {
    RandomStream random(
        RandomKey(options.seed, "block diagonal").at(static_cast<std::uint32_t>(start)));
    const auto a = matrices.size(1);
    const auto first = start == 0 ? commuting_basis(matrices, random)
                                  : std::get<0>(at::linalg_qr(normal_numbers({a, a}, random)));
    // Where the commuting basis has the blocks, Adam's first steps may lose them: it counts, too.
    for (const auto& candidate : {first, descend(matrices, first, options, random)}) {
      const at::NoGradGuard no_gradient;
      const double loss = block_loss(in_basis(matrices, candidate)).item<double>();
      if (!(loss < result.after)) continue;
      result.after = loss;
      basis = candidate;
    }
  }
  if (!basis.defined()) {
    throw DivergedError({"the search for blocks ran away",
                         fmt::format("learning rate {}", options.learning_rate),
                         "a basis of finite numbers", "lower the learning rate"});
  }
  const at::NoGradGuard no_gradient;
  const auto sizes = in_basis(matrices, basis);
  const auto mean = sizes.mean(0);
  const auto both = at::maximum(mean, mean.t());
  const auto found = components(both > options.threshold * both.max());
  std::vector<std::int64_t> order;
  for (const auto& block : found) {
    auto& places = result.blocks.emplace_back();
    for (const std::int64_t i : block) {
      places.push_back(static_cast<std::int64_t>(order.size()));
      order.push_back(i);
    }
  }
  result.basis = basis.index_select(1, at::tensor(order, at::kLong));
  return result;
}

}  // namespace

BlockDiagonal block_diagonalise(const at::Tensor& matrices, const BlockDiagonalOptions& options) {
  check_blocks(matrices, options);
  return translated("the search for blocks failed", "matrices",
                    [&] { return find_blocks(matrices, options); });
}

}  // namespace algprior
