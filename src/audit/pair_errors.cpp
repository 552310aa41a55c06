#include "pair_errors.hpp"

namespace algprior::auditing {

std::vector<Block> make_blocks(const Source& source, const PairSelection& selection) {
  std::vector<Block> blocks;
  const std::size_t order = source.group().order();
  const std::size_t moving = order - 1;
  const std::size_t wanted =
      selection.elements == 0 ? moving : std::min(selection.elements, moving);
  std::vector<Element> elements;
  for (std::size_t i = 0; i < wanted; ++i) {
    elements.push_back(static_cast<Element>(1 + i * moving / wanted));
  }
  if (selection.identity) elements = {0};
  for (const Element h : elements) {
    const std::size_t count = source.pair_count(h, selection.half);
    if (selection.shuffled && count < 2) continue;
    for (std::size_t begin = 0; begin < count; begin += kBlock) {
      blocks.push_back({h, begin, std::min(count, begin + kBlock)});
    }
  }
  return blocks;
}

PairErrors pair_errors(const Source& source, const Moments& moments, const Predict& predict,
                       const PairSelection& selection, Meter& meter) {
  struct Local {
    PairErrors errors;
    RowMatrix x, y, predicted;
  };
  const auto samples = static_cast<Eigen::Index>(source.samples());
  const auto order = static_cast<Eigen::Index>(source.group().order());
  const auto d = static_cast<Eigen::Index>(source.dimension());
  const auto make = [&] {
    Local local;
    local.errors.sum = local.errors.count = Eigen::VectorXd::Zero(samples);
    local.errors.element_sum = local.errors.element_count = Eigen::VectorXd::Zero(order);
    return local;
  };
  const Eigen::VectorXd center = selection.centred ? moments.mean : Eigen::VectorXd::Zero(d).eval();
  const std::vector<Block> blocks = make_blocks(source, selection);
  auto locals = run_pass<Local>(
      blocks.size(), make,
      [&](Local& local, std::size_t b) {
        const Block& block = blocks[b];
        const auto rows = static_cast<Eigen::Index>(block.end - block.begin);
        local.x.resize(rows, d);
        local.y.resize(rows, d);
        std::vector<std::size_t> sample(block.end - block.begin);
        for (std::size_t i = block.begin; i < block.end; ++i) {
          const RowPair pair = selection.shuffled
                                   ? source.shuffled_pair(block.element, selection.half, i)
                                   : source.pair(block.element, selection.half, i);
          const auto place = static_cast<Eigen::Index>(i - block.begin);
          sample[i - block.begin] = pair.sample;
          source.copy(pair.from, center, local.x.row(place).data());
          source.copy(pair.to, center, local.y.row(place).data());
        }
        predict(block.element, local.x, local.predicted);
        for (Eigen::Index i = 0; i < rows; ++i) {
          const double off = (local.y.row(i) - local.predicted.row(i)).squaredNorm();
          const auto n = static_cast<Eigen::Index>(sample[static_cast<std::size_t>(i)]);
          local.errors.sum[n] += off;
          local.errors.count[n] += 1;
          local.errors.element_sum[block.element] += off;
          local.errors.element_count[block.element] += 1;
        }
      },
      meter);
  PairErrors total = std::move(locals.front().errors);
  for (std::size_t t = 1; t < locals.size(); ++t) {
    total.sum += locals[t].errors.sum;
    total.count += locals[t].errors.count;
    total.element_sum += locals[t].errors.element_sum;
    total.element_count += locals[t].errors.element_count;
  }
  return total;
}

Predict predict_unchanged() {
  return [](Element, const RowMatrix& x, RowMatrix& predicted) { predicted = x; };
}

std::optional<Predict> predict_copies(const Representation& representation, std::size_t dimension) {
  const std::size_t width = representation.dimension();
  if (!representation.is_real() || width == 0 || width > dimension) return std::nullopt;
  const auto blocks = static_cast<Eigen::Index>(dimension / width);
  const auto p = static_cast<Eigen::Index>(width);
  if (representation.is_permutation()) {
    return [table = representation.gather_table(), blocks, p](Element h, const RowMatrix& x,
                                                              RowMatrix& predicted) {
      predicted = x;
      const std::int64_t* from = table.data() + static_cast<Eigen::Index>(h) * p;
      for (Eigen::Index i = 0; i < x.rows(); ++i) {
        for (Eigen::Index b = 0; b < blocks; ++b) {
          const double* in = x.row(i).data() + b * p;
          double* out = predicted.row(i).data() + b * p;
          for (Eigen::Index k = 0; k < p; ++k) out[k] = in[from[k]];
        }
      }
    };
  }
  return [matrices = representation.matrices(), blocks, p](Element h, const RowMatrix& x,
                                                           RowMatrix& predicted) {
    predicted = x;
    for (Eigen::Index b = 0; b < blocks; ++b) {
      predicted.middleCols(b * p, p).noalias() = x.middleCols(b * p, p) * matrices[h].transpose();
    }
  };
}

Predict predict_matrices(const std::vector<Eigen::MatrixXd>& matrices, bool single_precision) {
  if (!single_precision) {
    return [&matrices](Element h, const RowMatrix& x, RowMatrix& predicted) {
      predicted.noalias() = x * matrices[h].transpose();
    };
  }
  // Embeddings in float32 carry no more than float32 can predict, at twice the speed.
  std::vector<Eigen::MatrixXf> transposed;
  for (const Eigen::MatrixXd& matrix : matrices) {
    transposed.emplace_back(matrix.transpose().cast<float>());
  }
  return [transposed = std::move(transposed)](Element h, const RowMatrix& x, RowMatrix& predicted) {
    const RowMatrixF rows = x.cast<float>();
    const RowMatrixF moved = rows * transposed[h];
    predicted = moved.cast<double>();
  };
}

}  // namespace algprior::auditing
