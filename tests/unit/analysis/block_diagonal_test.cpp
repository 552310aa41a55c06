// Matrices that fall into blocks together, hidden by a change of basis, are found again.
#include "algprior/analysis/block_diagonal.hpp"

#include "algprior/base/error.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>
#include <torch/types.h>

namespace algprior {
namespace {

std::vector<std::size_t> sizes_of(const BlockDiagonal& found) {
  std::vector<std::size_t> sizes;
  for (const auto& block : found.blocks) sizes.push_back(block.size());
  return sizes;
}

/// diag(B₁, …) with blocks of these sizes, each of random entries.
at::Tensor in_blocks(std::int64_t count, const std::vector<std::int64_t>& sizes) {
  const std::int64_t a = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
  const auto matrices = at::zeros({count, a, a}, at::kDouble);
  std::int64_t at = 0;
  for (const std::int64_t size : sizes) {
    matrices.narrow(1, at, size)
        .narrow(2, at, size)
        .copy_(at::randn({count, size, size}, at::kDouble));
    at += size;
  }
  return matrices;
}

/// The share of the squares of U⁻¹M_nU that lies outside the blocks.
double outside(const at::Tensor& matrices, const BlockDiagonal& found) {
  const auto turned = at::matmul(at::matmul(at::linalg_inv(found.basis), matrices), found.basis);
  const auto rest = turned.clone();
  for (const auto& block : found.blocks) {
    const auto size = static_cast<std::int64_t>(block.size());
    rest.narrow(1, block.front(), size).narrow(2, block.front(), size).zero_();
  }
  return (rest.square().sum() / turned.square().sum()).item<double>();
}

TEST(BlockDiagonal, PlantedBlocksAreFound) {
  torch::manual_seed(3);
  const auto hidden = in_blocks(256, {3, 2, 1});
  const auto turn = std::get<0>(at::linalg_qr(at::randn({6, 6}, at::kDouble)));
  const auto matrices = at::matmul(at::matmul(turn, hidden), turn.t());
  const BlockDiagonal found = block_diagonalise(matrices, {.steps = 300, .starts = 2});
  EXPECT_EQ(sizes_of(found), (std::vector<std::size_t>{3, 2, 1}));
  EXPECT_LT(found.after, 0.7 * found.before);
  EXPECT_LT(outside(matrices, found), 1e-2);
  // Places count through the basis, block by block.
  std::int64_t next = 0;
  for (const auto& block : found.blocks) {
    for (const std::int64_t place : block) EXPECT_EQ(place, next++);
  }
  EXPECT_EQ(next, 6);
}

// Rotations by several frequencies, as a Fourier transform has them: 2 × 2 blocks.
TEST(BlockDiagonal, FrequenciesOfRotations) {
  torch::manual_seed(4);
  const auto angles = at::rand({256}, at::kDouble) * (2 * M_PI);
  const auto hidden = at::zeros({256, 7, 7}, at::kDouble);
  for (const std::int64_t k : {1, 2, 3}) {
    const auto c = at::cos(k * angles), s = at::sin(k * angles);
    const std::int64_t at = 2 * (k - 1);
    hidden.select(2, at).select(1, at).copy_(c);
    hidden.select(2, at + 1).select(1, at + 1).copy_(c);
    hidden.select(2, at).select(1, at + 1).copy_(s);
    hidden.select(2, at + 1).select(1, at).copy_(-s);
  }
  hidden.select(2, 6).select(1, 6).fill_(1.0);
  // A change of basis that is not orthogonal, as latents have it.
  const auto turn = at::eye(7, at::kDouble) + 0.3 * at::randn({7, 7}, at::kDouble);
  const auto matrices = at::matmul(at::matmul(turn, hidden), at::linalg_inv(turn));
  const BlockDiagonal found = block_diagonalise(matrices, {.steps = 300, .starts = 2});
  EXPECT_EQ(sizes_of(found), (std::vector<std::size_t>{2, 2, 2, 1}));
  EXPECT_LT(outside(matrices, found), 1e-2);
}

TEST(BlockDiagonal, WithoutStructureThereIsOneBlock) {
  torch::manual_seed(5);
  EXPECT_EQ(
      sizes_of(block_diagonalise(at::randn({128, 5, 5}, at::kDouble), {.steps = 200, .starts = 2})),
      (std::vector<std::size_t>{5}));
}

TEST(BlockDiagonal, DiagonalMatricesHaveNoLoss) {
  torch::manual_seed(6);
  const auto diagonal = at::diag_embed(at::randn({64, 4}, at::kDouble));
  EXPECT_NEAR(block_diagonalise(diagonal, {.steps = 1, .starts = 1}).before, 0.0, 1e-4);
  // What commutes with everything has nothing to find, and does no harm.
  for (const auto& same : {at::zeros({3, 4, 4}), at::eye(4).expand({3, 4, 4}).clone()}) {
    EXPECT_TRUE(
        at::isfinite(block_diagonalise(same, {.steps = 3, .starts = 2}).basis).all().item<bool>());
  }
  // One answer for one seed.
  const auto some = at::randn({64, 4, 4}, at::kDouble);
  EXPECT_TRUE(at::equal(block_diagonalise(some, {.steps = 2, .starts = 2}).basis,
                        block_diagonalise(some, {.steps = 2, .starts = 2}).basis));
}

TEST(BlockDiagonal, SaysWhatItCannotTake) {
  EXPECT_THROW(block_diagonalise(at::zeros({4, 3, 2})), InputError);
  EXPECT_THROW(block_diagonalise(at::zeros({3, 3})), InputError);
  EXPECT_THROW(block_diagonalise(at::zeros({0, 3, 3})), InputError);
  EXPECT_THROW(block_diagonalise(at::zeros({2, 3, 3}), {.starts = 0}), InputError);
  auto broken = at::eye(3).repeat({4, 1, 1});
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    broken[2][0][1] = bad;
    try {
      block_diagonalise(broken);
      ADD_FAILURE() << "took " << bad;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("4 x 3 x 3"), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("finite"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace algprior
