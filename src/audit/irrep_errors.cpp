// Errors by irreducible part, and how much of z lies in each.
#include "algprior/base/error.hpp"
#include "assemble.hpp"

#include <cmath>

namespace algprior::auditing {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// Enough for two digits: the parts are for pointing at, the whole error has the interval.
constexpr std::size_t kIrrepSamples = 200;

/// Sums of rrᵀ over residuals r = z(hy) − ρ(h)z(y), h ≠ e, and of zzᵀ over their ends z(hy).
struct Squares {
  MatrixXd residual, end;
  double pairs = 0;
};

Squares sum_squares(const Source& source, const Moments& moments, const Predict& predict,
                    Meter& meter) {
  const auto d = static_cast<Index>(source.dimension());
  const std::size_t count = std::min(kIrrepSamples, source.samples());
  const std::size_t order = source.group().order();
  struct Local {
    Squares squares;
    RowMatrix x, y;
  };
  const auto locals = run_pass<Local>(
      order - 1,
      [&] {
        return Local{{MatrixXd::Zero(d, d), MatrixXd::Zero(d, d), 0}, {}, {}};
      },
      [&](Local& local, std::size_t item) {
        const auto h = static_cast<Element>(item + 1);
        const auto rows = static_cast<Index>(count);
        RowMatrix x(rows, d);
        local.y.resize(rows, d);
        for (std::size_t i = 0; i < count; ++i) {
          const std::size_t n = i * source.samples() / count;
          const auto place = static_cast<Index>(i);
          source.copy(source.orbit_row(n, 0), moments.mean, x.row(place).data());
          source.copy(source.orbit_row(n, h), moments.mean, local.y.row(place).data());
        }
        predict(h, x, local.x);
        local.x -= local.y;
        local.squares.residual.noalias() += local.x.transpose() * local.x;
        local.squares.end.noalias() += local.y.transpose() * local.y;
        local.squares.pairs += static_cast<double>(count);
      },
      meter);
  Squares total{MatrixXd::Zero(d, d), MatrixXd::Zero(d, d), 0};
  for (const Local& local : locals) {
    total.residual += local.squares.residual;
    total.end += local.squares.end;
    total.pairs += local.squares.pairs;
  }
  return total;
}

}  // namespace

std::vector<IrrepError> irrep_errors(const Source& source, const Moments& moments,
                                     const Predict& predict, const CharacterTable& table,
                                     Meter& meter) {
  const auto d = static_cast<Index>(source.dimension());
  const Squares squares = sum_squares(source, moments, predict, meter);
  // tr P_χ A with P_χ = χ(e)/|G| Σ_h χ(h⁻¹)ρ(h): traces of ρ(h)A are enough. Those of χ and χ̄ are
  // alike, because ρ is real.
  const std::vector<double> weights = multiplicity_weights(table);
  std::vector<double> residual(table.count(), 0.0), end(table.count(), 0.0);
  const RowMatrix identity = RowMatrix::Identity(d, d);
  RowMatrix transposed;
  for (Element h = 0; h < source.group().order(); ++h) {
    predict(h, identity, transposed);  // row k is ρ(h)e_k
    const double off = (transposed.transpose().array() * squares.residual.array()).sum();
    const double all = (transposed.transpose().array() * squares.end.array()).sum();
    for (std::size_t i = 0; i < table.count(); ++i) {
      const double weight = table.degree(i) * weights[h * table.count() + i];
      residual[i] += weight * off;
      end[i] += weight * all;
    }
  }
  const double whole = squares.end.trace();
  std::vector<IrrepError> result;
  for (std::size_t i = 0; i < table.count(); ++i) {
    IrrepError one{i, table.degree(i), std::max(0.0, end[i] / whole), std::nullopt};
    // A part of which z has next to nothing has no error to speak of.
    if (one.share > 1e-6) one.error = std::sqrt(std::max(0.0, residual[i]) / (2 * end[i]));
    result.push_back(one);
  }
  return result;
}

}  // namespace algprior::auditing
