#include "algprior/rep/approximate.hpp"
#include "fit.hpp"

#include <cmath>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

namespace algprior::auditing {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// Averaging over the group ends at an exact representation only from nearby.
constexpr double kFarDefect = 0.75;
/// Above this dimension the exact representation is the one that averaging ends at, not moved
/// further among its conjugates.
constexpr std::size_t kPolishDimension = 48;

double find_defect(const Fit& fit, const Group& group) {
  double defect = 0;
  MatrixXd product;
  for (const Element s : group.generators()) {
    for (Element g = 0; g < group.order(); ++g) {
      product.noalias() = fit.matrices_of_rank[s] * fit.matrices_of_rank[g];
      product -= fit.matrices_of_rank[group.multiply_unchecked(s, g)];
      defect = std::max(defect, product.norm());
    }
  }
  return defect / std::sqrt(static_cast<double>(fit.rank));
}

/// An orthogonal basis in which the reliabilities and all Σ_h χ(h⁻¹)ρ̂(h) are diagonal, as far as
/// they commute (for a representation they do): eigenvectors of a combination without coincidences.
MatrixXd joint_basis(const Fit& fit, const CharacterTable& table) {
  const auto k = static_cast<Index>(fit.rank);
  const std::vector<double> weights = multiplicity_weights(table);
  MatrixXd combination = fit.reliability.asDiagonal();
  for (std::size_t h = 1; h < table.group().order(); ++h) {
    double weight = 0;
    for (std::size_t i = 0; i < table.count(); ++i) {
      weight += weights[h * table.count() + i] * table.degree(i) *
                std::sqrt(2.0 + 3.0 * static_cast<double>(i));
    }
    combination += weight * fit.shrunk[h];
  }
  const MatrixXd symmetric = 0.5 * (combination + combination.transpose());
  return k == 0 ? symmetric : Eigen::SelfAdjointEigenSolver<MatrixXd>(symmetric).eigenvectors();
}

}  // namespace

std::vector<double> multiplicity_weights(const CharacterTable& table) {
  const Group& group = table.group();
  std::vector<double> weights;
  weights.reserve(group.order() * table.count());
  for (Element h = 0; h < group.order(); ++h) {
    const std::size_t c = group.classes().class_of[h];
    for (std::size_t i = 0; i < table.count(); ++i) {
      // χ(h⁻¹) is the conjugate of χ(h), and traces of real matrices are real.
      weights.push_back(table.value(i, c).real() / static_cast<double>(group.order()));
    }
  }
  return weights;
}

FittedRepresentation describe_fit(const Fit& fit, const CharacterTable& table) {
  const Group& group = table.group();
  FittedRepresentation result;
  result.reason = fit.refused;
  result.rank = fit.rank;
  if (!fit.done()) return result;
  if (fit.rank == 0) {
    result.reason = "no direction of z(gx) can be predicted from z(x)";
    return result;
  }
  const std::vector<double> weights = multiplicity_weights(table);
  for (std::size_t i = 0; i < table.count(); ++i) {
    double n = 0;
    for (Element h = 0; h < group.order(); ++h) {
      n += weights[h * table.count() + i] * fit.matrices_of_rank[h].trace();
    }
    result.multiplicities.push_back({i, table.degree(i), {n, n, n}, std::nullopt});
  }
  result.homomorphism_defect = find_defect(fit, group);
  if (*result.homomorphism_defect > kFarDefect) {
    result.reason = fmt::format("no exact representation is near: a defect of {:.2g}",
                                *result.homomorphism_defect);
    return result;
  }
  std::vector<MatrixXd> generators;
  for (const Element s : group.generators()) generators.push_back(fit.matrices_of_rank[s]);
  NearestOptions options;
  options.orthogonal = true;
  options.max_iterations = 12;
  if (fit.rank > kPolishDimension) options.polish_steps = 0;
  const NearestRepresentation nearest =
      nearest_representation(ApproximateRepresentation(group, generators), options);
  result.reason = nearest.reason;
  if (!nearest.representation) return result;
  result.distance_to_exact = nearest.distance;
  const std::vector<double> exact = multiplicities(table, nearest.representation->character());
  double copies = INFINITY;
  for (std::size_t i = 0; i < table.count(); ++i) {
    const double n = std::max(0.0, std::round(exact[i]));
    result.multiplicities[i].exact = static_cast<std::size_t>(n);
    copies = std::min(copies, std::floor(n / table.degree(i)));
  }
  result.regular_copies = static_cast<std::size_t>(copies);
  return result;
}

Eigen::MatrixXd multiplicity_influence(const Source& source, const Moments& moments, const Fit& fit,
                                       const CharacterTable& table, Meter& meter) {
  const auto samples = static_cast<Index>(source.samples());
  const auto characters = static_cast<Index>(table.count());
  const auto k = static_cast<Index>(fit.rank);
  const auto d = static_cast<Index>(source.dimension());
  const std::size_t order = table.group().order();
  const std::vector<double> weights = multiplicity_weights(table);
  const MatrixXd basis = joint_basis(fit, table);
  const Eigen::VectorXd reliability =
      (basis.transpose() * fit.reliability.asDiagonal() * basis).diagonal();
  const Eigen::MatrixXf to = (fit.to * basis).cast<float>();
  std::vector<MatrixXd> shrunk;
  std::vector<Eigen::MatrixXf> predict;
  for (const MatrixXd& matrix : fit.shrunk) {
    shrunk.push_back(basis.transpose() * matrix * basis);
    predict.push_back((fit.to * basis * shrunk.back().transpose()).cast<float>());
  }
  // tr R^(−1/2)ρ̂(h): noise moves ρ̂(h) by (y − ρ̂x)xᵀ, and R with it, of which the diagonal counts.
  const Eigen::VectorXf gain = reliability.array().rsqrt().cast<float>();
  Eigen::MatrixXd diagonal = Eigen::MatrixXd::Zero(k, characters);
  for (std::size_t h = 1; h < order; ++h) {
    for (Index i = 0; i < characters; ++i) {
      diagonal.col(i) +=
          weights[h * table.count() + static_cast<std::size_t>(i)] * shrunk[h].diagonal();
    }
  }
  diagonal = reliability.array().pow(-1.5).matrix().asDiagonal() * diagonal;
  diagonal /= static_cast<double>(order - 1);

  struct Local {
    Eigen::MatrixXd influence;  // characters×samples
    Eigen::MatrixXf scale;      // k×samples
    RowMatrixF x, y, wx, residual, predicted;
  };
  const auto members = static_cast<double>(source.half(Half::kFit).size());
  const std::vector<Block> blocks = make_blocks(source, {Half::kFit});
  auto locals = run_pass<Local>(
      blocks.size(),
      [&] {
        return Local{MatrixXd::Zero(characters, samples),
                     Eigen::MatrixXf::Zero(k, samples),
                     {},
                     {},
                     {},
                     {},
                     {}};
      },
      [&](Local& local, std::size_t b) {
        const Block& block = blocks[b];
        const auto rows = static_cast<Index>(block.end - block.begin);
        local.x.resize(rows, d);
        local.y.resize(rows, d);
        std::vector<Index> sample(block.end - block.begin);
        for (std::size_t i = block.begin; i < block.end; ++i) {
          const RowPair pair = source.pair(block.element, Half::kFit, i);
          const auto place = static_cast<Index>(i - block.begin);
          sample[i - block.begin] = static_cast<Index>(pair.sample);
          source.copy(pair.from, moments.mean, local.x.row(place).data());
          source.copy(pair.to, moments.mean, local.y.row(place).data());
        }
        local.wx.noalias() = local.x * to;
        local.predicted.noalias() = local.x * predict[block.element];
        local.residual.noalias() = local.y * to;
        local.residual -= local.predicted;
        const double share =
            members / static_cast<double>(source.pair_count(block.element, Half::kFit));
        const Eigen::Map<const Eigen::VectorXd> weight(
            weights.data() + static_cast<Index>(block.element) * characters, characters);
        for (Index i = 0; i < rows; ++i) {
          const Index n = sample[static_cast<std::size_t>(i)];
          const float trace =
              (local.residual.row(i).array() * local.wx.row(i).array() * gain.transpose().array())
                  .sum();
          local.influence.col(n) += (share * static_cast<double>(trace)) * weight;
          local.scale.col(n) += (static_cast<float>(share) * local.residual.row(i).array() *
                                 local.predicted.row(i).array())
                                    .matrix()
                                    .transpose();
        }
      },
      meter);
  MatrixXd influence = MatrixXd::Zero(characters, samples);
  MatrixXd scale = MatrixXd::Zero(k, samples);
  for (const Local& local : locals) {
    influence += local.influence;
    scale += local.scale.cast<double>();
  }
  influence -= diagonal.transpose() * scale;
  return influence.transpose();
}

}  // namespace algprior::auditing
