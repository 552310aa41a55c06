#include "fit.hpp"

#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <fmt/format.h>

namespace algprior::auditing {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// A direction is unused when its deviation is below this part of the largest.
constexpr double kUnusedDeviation = 1e-3;
/// A direction is predicted when ρ̂ explains this part of its variance.
constexpr double kPredicted = 0.25;
/// What the matrices of all elements may take, for all threads together.
constexpr double kFitMemory = 1024.0 * 1024.0 * 1024.0;

std::string reason_to_refuse(const Source& source, std::size_t rank) {
  const Group& group = source.group();
  if (rank == 0) return "z does not vary";
  const double memory = 8.0 * static_cast<double>(group.order()) *
                        static_cast<double>(source.dimension() * source.dimension()) *
                        (1.0 + static_cast<double>(thread_count()));
  if (memory > kFitMemory) {
    return fmt::format(
        "{} matrices of size {} do not fit into 1 GiB; audit a subgroup with --groups",
        group.order(), source.dimension());
  }
  // Pairs of one orbit depend on each other, so samples count, not pairs.
  if (!source.is_pairs() && source.samples() <= rank) {
    return fmt::format(
        "{} samples for {} used directions: such a fit is exact and says nothing; "
        "embed more than {} samples",
        source.samples(), rank, 2 * rank);
  }
  for (Element h = 1; h < group.order(); ++h) {
    if (source.pair_count(h, Half::kFit) > 2 * rank) continue;
    return fmt::format(
        "{} pairs to fit element {} for {} used directions: such a fit is exact and "
        "says nothing; embed whole orbits, or more than {} pairs an element",
        source.pair_count(h, Half::kFit), h, rank, 4 * rank);
  }
  return "";
}

/// The means of yxᵀ and xxᵀ over the pairs of each element, in whitened coordinates.
struct Products {
  std::vector<MatrixXd> yx, xx;
  RowMatrix x, y;
  RowMatrixF single_x, single_y;
};

/// Adds the products of one block. In float32 where the embeddings are: a block is short, and its
/// sum goes into double.
template <class Rows>
void add_block(const Source& source, const Moments& moments, const Block& block, bool with_xx,
               Rows& x, Rows& y, Products& local) {
  const auto d = static_cast<Index>(source.dimension());
  const auto rows = static_cast<Index>(block.end - block.begin);
  x.resize(rows, d);
  y.resize(rows, d);
  for (std::size_t i = block.begin; i < block.end; ++i) {
    const RowPair pair = source.pair(block.element, Half::kFit, i);
    const auto place = static_cast<Index>(i - block.begin);
    source.copy(pair.from, moments.mean, x.row(place).data());
    source.copy(pair.to, moments.mean, y.row(place).data());
  }
  using Square = Eigen::Matrix<typename Rows::Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  const auto add = [&](MatrixXd& sum, const Rows& left) {
    if (sum.size() == 0) sum = MatrixXd::Zero(d, d);
    const Square product = left.transpose() * x;
    sum += product.template cast<double>();
  };
  // yxᵀ of raw rows costs one product; they are whitened once, at the end.
  add(local.yx[block.element], y);
  if (with_xx) add(local.xx[block.element], x);
}

Products sum_products(const Source& source, const Moments& moments, const Whitening& whitening,
                      Meter& meter) {
  const auto r = static_cast<Index>(whitening.rank());
  // Pairs of orbits begin at the same rows whatever the element: one Σ xxᵀ serves all.
  const bool shared = !source.is_pairs();
  const std::vector<Block> blocks = make_blocks(source, {Half::kFit});
  auto locals = run_pass<Products>(
      blocks.size(),
      [&] {
        Products local;
        local.yx.assign(source.group().order(), {});
        local.xx.assign(source.group().order(), {});
        return local;
      },
      [&](Products& local, std::size_t b) {
        const Block& block = blocks[b];
        const bool with_xx = !shared || block.element == 1;
        if (source.single_precision()) {
          add_block(source, moments, block, with_xx, local.single_x, local.single_y, local);
        } else {
          add_block(source, moments, block, with_xx, local.x, local.y, local);
        }
      },
      meter);
  Products total = std::move(locals.front());
  const auto add = [](MatrixXd& sum, const MatrixXd& part) {
    if (part.size() == 0) return;
    if (sum.size() == 0) {
      sum = part;
    } else {
      sum += part;
    }
  };
  for (Element h = 1; h < source.group().order(); ++h) {
    for (std::size_t t = 1; t < locals.size(); ++t) {
      add(total.yx[h], locals[t].yx[h]);
      add(total.xx[h], locals[t].xx[h]);
    }
    const double pairs = static_cast<double>(source.pair_count(h, Half::kFit));
    const auto whiten = [&](const MatrixXd& sum) {
      MatrixXd result(r, r);
      result.noalias() = whitening.to.transpose() * (sum * whitening.to) / pairs;
      return result;
    };
    total.yx[h] = whiten(total.yx[h]);
    total.xx[h] = shared && h > 1 ? total.xx[1] : whiten(total.xx[h]);
  }
  return total;
}

}  // namespace

Whitening find_whitening(const Source& source, const Moments& moments, Meter& meter) {
  const auto d = static_cast<Index>(source.dimension());
  struct Local {
    MatrixXd sum;
    RowMatrix x;
  };
  // Base points of orbits lie all over the orbits; of pairs z itself stands for both ends.
  const std::size_t each = source.is_pairs() ? 2 : source.base_points();
  const std::size_t rows = source.samples() * each;
  const std::size_t items = (rows + kBlock - 1) / kBlock;
  const auto locals = run_pass<Local>(
      items,
      [&] {
        return Local{MatrixXd::Zero(d, d), {}};
      },
      [&](Local& local, std::size_t item) {
        const std::size_t begin = item * kBlock, end = std::min(rows, begin + kBlock);
        local.x.resize(static_cast<Index>(end - begin), d);
        for (std::size_t i = begin; i < end; ++i) {
          const std::size_t row = source.is_pairs() ? source.row(i / each, i % each)
                                                    : source.pair(0, Half::kAll, i).from;
          source.copy(row, moments.mean, local.x.row(static_cast<Index>(i - begin)).data());
        }
        local.sum.noalias() += local.x.transpose() * local.x;
      },
      meter);
  MatrixXd covariance = MatrixXd::Zero(d, d);
  for (const Local& local : locals) covariance += local.sum;
  covariance /= static_cast<double>(rows);
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(covariance);
  const Eigen::VectorXd& values = solver.eigenvalues();
  const double largest = values[d - 1];
  Index first = d;
  if (largest > 0) {
    const double floor = kUnusedDeviation * kUnusedDeviation * largest;
    while (first > 0 && values[first - 1] > floor) --first;
  }
  Whitening whitening;
  const Index r = d - first;
  const Eigen::VectorXd deviation = values.tail(r).cwiseSqrt();
  whitening.to = solver.eigenvectors().rightCols(r) * deviation.cwiseInverse().asDiagonal();
  whitening.from = solver.eigenvectors().rightCols(r) * deviation.asDiagonal();
  return whitening;
}

Fit fit_representation(const Source& source, const Moments& moments, const Whitening& whitening,
                       Meter& meter) {
  Fit fit;
  fit.refused = reason_to_refuse(source, whitening.rank());
  if (!fit.done()) return fit;
  const std::size_t order = source.group().order();
  const auto r = static_cast<Index>(whitening.rank());
  Products products = sum_products(source, moments, whitening, meter);

  std::vector<MatrixXd> least(order, MatrixXd::Identity(r, r));
  fit.matrices.resize(order);
  fit.matrices[0] = whitening.from * whitening.to.transpose();
  MatrixXd explained = MatrixXd::Zero(r, r);
  const auto solve = [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const auto h = static_cast<std::size_t>(i + 1);
      // A hair of ridge: a half may miss a direction that the whole has.
      MatrixXd xx = products.xx[h];
      xx.diagonal().array() += 1e-9;
      least[h] = xx.ldlt().solve(products.yx[h].transpose()).transpose();
      fit.matrices[h] = whitening.from * (least[h] * whitening.to.transpose());
    }
  };
  parallel_for(static_cast<std::int64_t>(order) - 1, solve);
  for (std::size_t h = 1; h < order; ++h) explained += least[h] * least[h].transpose();
  explained /= static_cast<double>(order - 1);

  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(explained);
  double fewest = static_cast<double>(source.pair_count(1, Half::kFit));
  for (Element h = 2; h < order; ++h) {
    fewest = std::min(fewest, static_cast<double>(source.pair_count(h, Half::kFit)));
  }
  // Of unrelated numbers least squares explains about r/rows.
  const double threshold = std::max(kPredicted, 2.0 * static_cast<double>(r) / fewest);
  Index k = 0;
  while (k < r && solver.eigenvalues()[r - 1 - k] > threshold) ++k;
  fit.rank = static_cast<std::size_t>(k);
  const MatrixXd basis = solver.eigenvectors().rightCols(k);
  fit.reliability = solver.eigenvalues().tail(k);
  fit.to = whitening.to * basis;
  const Eigen::VectorXd gain = fit.reliability.array().pow(-0.25).matrix();
  for (std::size_t h = 0; h < order; ++h) {
    fit.shrunk.push_back(basis.transpose() * least[h] * basis);
    fit.matrices_of_rank.push_back(
        h == 0 ? MatrixXd(MatrixXd::Identity(k, k))
               : MatrixXd(gain.asDiagonal() * fit.shrunk[h] * gain.asDiagonal()));
  }
  return fit;
}

}  // namespace algprior::auditing
