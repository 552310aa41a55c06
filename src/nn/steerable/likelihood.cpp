#include "algprior/nn/steerable/likelihood.hpp"

#include "algprior/base/error.hpp"
#include "algprior/kernel/shape_text.hpp"
#include "algprior/nn/steerable/continuous.hpp"
#include "checks.hpp"
#include "tensors.hpp"

#include <cmath>

#include <ATen/ATen.h>
#include <Eigen/Dense>
#include <fmt/format.h>

namespace algprior::steerable {
namespace {

at::Tensor logits(const Likelihood& likelihood, const at::Tensor& fourier) {
  const auto& c = likelihood.coefficients;
  if (!c.defined() || !fourier.defined() || c.dim() != 1 || fourier.dim() != 2 ||
      fourier.size(0) < 1 || fourier.size(1) != c.size(0) || !c.is_floating_point()) {
    throw InputError(
        {"a density on a group lacks its coefficients",
         fmt::format("coefficients: {}, functions: {}", shape_text(c), shape_text(fourier)),
         "n coefficients and elements x n functions", "make it with make_likelihood"});
  }
  return fourier.to(c.options()).mv(c);
}

at::Tensor log_density(const Likelihood& likelihood) {
  const auto l = logits(likelihood, likelihood.fourier);
  return at::log_softmax(l, 0) + std::log(static_cast<double>(l.size(0)));
}

}  // namespace

Likelihood make_likelihood(const Steering& steering, int highest) {
  if (steering.irreps.empty() || steering.space.empty()) {
    throw InputError({"a density needs a group", "an empty steering",
                      "one of make_steering or make_rotation_steering", ""});
  }
  Likelihood likelihood;
  if (!steering.group) {
    const RowMatrix fourier = rotation_fourier(steering, highest);
    const Eigen::MatrixXd columns = fourier;
    likelihood.fourier = to_float_tensor(fourier);
    likelihood.near = to_float_tensor(fourier_near_identity(steering, highest));
    likelihood.inverse =
        to_float_tensor(RowMatrix(columns.completeOrthogonalDecomposition().pseudoInverse()));
    likelihood.coefficients = at::zeros({fourier.cols()});
    likelihood.coefficients[0] = 1.0;
    return likelihood;
  }
  const auto order = static_cast<Eigen::Index>(steering.space.size());
  Eigen::MatrixXd columns(order, order);
  Eigen::Index count = 0;
  for (const Irrep& irrep : steering.irreps) {
    const auto d = irrep.dimension();
    for (Eigen::Index j = 0; j < d; ++j) {
      for (Eigen::Index i = 0; i < d; ++i) {
        Eigen::VectorXd column(order);
        for (Eigen::Index g = 0; g < order; ++g) {
          column[g] =
              std::sqrt(static_cast<double>(d)) * irrep.matrices[static_cast<std::size_t>(g)](i, j);
        }
        // Of a representation of complex type half of the entries repeat the others.
        if (count > 0) {
          const auto known = columns.leftCols(count);
          const Eigen::VectorXd rest = column - known * known.colPivHouseholderQr().solve(column);
          constexpr double kDependent = 1e-6;
          if (rest.norm() < kDependent * column.norm()) continue;
        }
        columns.col(count++) = column;
      }
    }
  }
  likelihood.fourier = to_float_tensor(columns.leftCols(count));
  likelihood.coefficients = at::zeros({count});
  likelihood.coefficients[0] = 1.0;
  return likelihood;
}

at::Tensor density(const Likelihood& likelihood) {
  return log_density(likelihood).exp();
}

at::Tensor alignment(const Likelihood& likelihood) {
  const auto l = logits(likelihood, likelihood.fourier);
  const auto largest = l.max();
  if (!likelihood.near.defined()) return largest - l[0];
  return at::maximum(largest, logits(likelihood, likelihood.near).max()) - l[0];
}

at::Tensor divergence_from_uniform(const Likelihood& likelihood) {
  const auto log = log_density(likelihood);
  return (log.exp() * log).mean();
}

at::Tensor divergence(const Likelihood& likelihood, const Likelihood& before) {
  const auto log = log_density(likelihood), other = log_density(before).detach();
  if (log.size(0) != other.size(0)) {
    throw InputError({"two densities are not on one group",
                      fmt::format("{} and {} elements", log.size(0), other.size(0)),
                      "equally many elements", ""});
  }
  return (log.exp() * (log - other)).mean();
}

std::vector<Term> likelihood_terms(const std::vector<Likelihood>& layers,
                                   const LikelihoodWeights& weights) {
  check_weight("the weight of an alignment", weights.alignment);
  check_weight("the weight of densities of neighbouring layers", weights.chain);
  check_weight("the weight of a uniform density", weights.uniform);
  if (layers.empty()) return {};
  const auto count = static_cast<double>(layers.size());
  at::Tensor aligned = alignment(layers[0]);
  at::Tensor chain = at::zeros_like(aligned);
  for (std::size_t i = 1; i < layers.size(); ++i) {
    aligned = aligned + alignment(layers[i]);
    chain = chain + divergence(layers[i], layers[i - 1]) / count;
  }
  return {{"alignment", aligned, weights.alignment},
          {"likelihood_chain", chain, weights.chain},
          {"likelihood_uniform", divergence_from_uniform(layers[0]) / count, weights.uniform}};
}

}  // namespace algprior::steerable
