#include "algprior/analysis/block_diagonal.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/random.hpp"
#include "algprior/kernel/detail/translate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/optim/adam.h>

namespace algprior {
namespace {

constexpr double kDegreeFloor = 1e-10;

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

void check_blocks(const at::Tensor& given, const BlockDiagonalOptions& options) {
  if (!given.defined() || given.dim() != 3 || given.size(0) < 1 || given.size(1) < 1 ||
      given.size(1) != given.size(2) || given.is_complex() ||
      !at::isfinite(given).all().item<bool>()) {
    throw InputError({"matrices cannot be brought to blocks",
                      given.defined() ? fmt::format("{}", fmt::join(given.sizes(), " x "))
                                      : std::string("no tensor"),
                      "real and finite, N x a x a", ""});
  }
  if (options.epochs < 0 || options.batch_size < 1 || !(options.learning_rate > 0) ||
      !std::isfinite(options.learning_rate) || !(options.threshold >= 0) ||
      !std::isfinite(options.threshold)) {
    throw InputError(
        {"a search for blocks cannot go so",
         fmt::format("{} epochs, batches of {}, learning rate {}, threshold {}", options.epochs,
                     options.batch_size, options.learning_rate, options.threshold),
         "0 epochs or more, batches of 1 or more, a positive learning rate, a "
         "threshold of at least 0",
         ""});
  }
}

BlockDiagonal find_blocks(const at::Tensor& given, const BlockDiagonalOptions& options) {
  const auto matrices = given.detach().to(at::kDouble).contiguous();
  const std::int64_t count = matrices.size(0), a = matrices.size(1);
  RandomStream random(RandomKey(options.seed, "block diagonal"));
  const auto start = at::empty({a, a}, at::kDouble);
  std::generate_n(start.data_ptr<double>(), a * a, [&] { return random.normal(); });
  auto basis = std::get<0>(at::linalg_qr(start)).contiguous().requires_grad_(true);
  BlockDiagonal result;
  result.before = block_loss(matrices.abs()).item<double>();
  torch::optim::Adam optimizer(std::vector<at::Tensor>{basis},
                               torch::optim::AdamOptions(options.learning_rate));
  for (std::int64_t epoch = 0; epoch < options.epochs; ++epoch) {
    const auto order = random.permutation(static_cast<std::uint32_t>(count));
    const std::vector<std::int64_t> places(order.begin(), order.end());
    const auto shuffled = matrices.index_select(0, at::tensor(places, at::kLong));
    for (const at::Tensor& batch : shuffled.split(options.batch_size)) {
      optimizer.zero_grad();
      block_loss(in_basis(batch, basis)).backward();
      optimizer.step();
    }
  }
  const at::NoGradGuard no_gradient;
  if (!at::isfinite(basis).all().item<bool>()) {
    throw DivergedError({"the search for blocks ran away",
                         fmt::format("learning rate {}", options.learning_rate),
                         "a basis of finite numbers", "lower the learning rate"});
  }
  const auto sizes = in_basis(matrices, basis);
  result.after = block_loss(sizes).item<double>();
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
  result.basis = basis.detach().index_select(1, at::tensor(order, at::kLong));
  return result;
}

}  // namespace

BlockDiagonal block_diagonalise(const at::Tensor& matrices, const BlockDiagonalOptions& options) {
  check_blocks(matrices, options);
  return translated("the search for blocks failed", "matrices",
                    [&] { return find_blocks(matrices, options); });
}

}  // namespace algprior
