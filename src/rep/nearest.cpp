#include "algprior/base/interrupt.hpp"
#include "algprior/rep/approximate.hpp"
#include "algprior/rep/constructions.hpp"
#include "linear_algebra.hpp"
#include "representation_state.hpp"
#include "spanning_tree.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace algprior {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Matrices = std::vector<MatrixXd>;

constexpr double kExact = 1e-10;
constexpr int kSolverSteps = 200;

/// One average over the group and the defect of what went into it.
struct Average {
  Matrices generators;
  double defect;
};

Average average(const Group& group, const SpanningTree& tree, const Matrices& generators,
                const ProgressSink& progress) {
  const Index d = generators.front().rows();
  const double scale = std::sqrt(static_cast<double>(d));
  Matrices inverses;
  for (const MatrixXd& matrix : generators) inverses.push_back(inverse_of(matrix));
  Matrices image(group.order(), MatrixXd::Identity(d, d)), inverse = image;
  for (Element g : tree.order) {
    if (g == 0) continue;
    throw_if_stopped();
    const auto k = static_cast<std::size_t>(std::abs(tree.letter[g])) - 1;
    const bool forward = tree.letter[g] > 0;
    image[g].noalias() = (forward ? generators[k] : inverses[k]) * image[tree.parent[g]];
    inverse[g].noalias() = inverse[tree.parent[g]] * (forward ? inverses[k] : generators[k]);
  }
  Average result{{}, 0};
  MatrixXd quotient(d, d);
  for (std::size_t k = 0; k < generators.size(); ++k) {
    MatrixXd sum = MatrixXd::Zero(d, d);
    for (Element h = 0; h < group.order(); ++h) {
      report_progress(progress, k * group.order() + h, generators.size() * group.order());
      const Element sh = group.multiply_unchecked(group.generators()[k], h);
      quotient.noalias() = image[sh] * inverse[h];
      const double off = (quotient - generators[k]).norm() / scale;
      result.defect = std::isfinite(off) ? std::max(result.defect, off) : INFINITY;
      sum += quotient;
    }
    result.generators.push_back(sum / static_cast<double>(group.order()));
  }
  return result;
}

double squared_distance(const Matrices& a, const Matrices& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += (a[k] - b[k]).squaredNorm();
  return sum;
}

/// The X (skew when `orthogonal`) with least Σ_s ‖R_s − (Xπ_s − π_sX)‖²_F, by conjugate gradients
/// on the normal equations.
MatrixXd best_generator(const Matrices& exact, const Matrices& residual, bool orthogonal) {
  const Index d = exact.front().rows();
  const auto forward = [&](const MatrixXd& x) {
    Matrices images;
    for (const MatrixXd& matrix : exact) images.push_back(x * matrix - matrix * x);
    return images;
  };
  const auto adjoint = [&](const Matrices& images) {
    MatrixXd sum = MatrixXd::Zero(d, d);
    for (std::size_t k = 0; k < images.size(); ++k) {
      sum += images[k] * exact[k].transpose() - exact[k].transpose() * images[k];
    }
    if (orthogonal) sum = (0.5 * (sum - sum.transpose())).eval();
    return sum;
  };
  MatrixXd x = MatrixXd::Zero(d, d), gradient = adjoint(residual), direction = gradient;
  Matrices left = residual;
  double size = gradient.squaredNorm();
  const double goal = 1e-24 * size;
  for (int step = 0; step < kSolverSteps && size > goal && size > 0; ++step) {
    throw_if_stopped();
    const Matrices moved = forward(direction);
    double curvature = 0;
    for (const MatrixXd& matrix : moved) curvature += matrix.squaredNorm();
    if (curvature <= 0) break;
    const double length = size / curvature;
    x += length * direction;
    for (std::size_t k = 0; k < left.size(); ++k) left[k] -= length * moved[k];
    gradient = adjoint(left);
    const double next = gradient.squaredNorm();
    direction = (gradient + (next / size) * direction).eval();
    size = next;
  }
  return x;
}

/// Gauss–Newton on the conjugates TπT⁻¹ towards the target.
Matrices nearest_conjugate(const Matrices& target, Matrices exact, bool orthogonal, int steps) {
  double distance = squared_distance(target, exact);
  for (int step = 0; step < steps; ++step) {
    Matrices residual;
    for (std::size_t k = 0; k < exact.size(); ++k) residual.push_back(target[k] - exact[k]);
    MatrixXd x = best_generator(exact, residual, orthogonal);
    bool better = false;
    double gain = 0;
    for (int halving = 0; halving < 8 && !better; ++halving, x *= 0.5) {
      MatrixXd change = MatrixXd::Identity(x.rows(), x.cols()) + x;
      if (orthogonal) change = polar_factor(change);
      const MatrixXd back = inverse_of(change);
      Matrices moved;
      for (const MatrixXd& matrix : exact) moved.push_back(change * matrix * back);
      const double next = squared_distance(target, moved);
      if (!(next < distance)) continue;
      better = true;
      gain = distance - next;
      distance = next;
      exact = std::move(moved);
    }
    if (!better || gain <= 1e-12 * distance) break;
  }
  return exact;
}

/// Products that grow without bound come from a generator without an inverse, or from matrices that
/// are nowhere near a representation.
std::string why_it_ran_away(const ApproximateRepresentation& approximate) {
  const std::vector<std::string>& names = approximate.group().generator_names();
  for (std::size_t k = 0; k < names.size(); ++k) {
    const MatrixXd& matrix = approximate.generators()[k];
    const MatrixXd product = matrix * inverse_of(matrix);
    const bool invertible =
        (product - MatrixXd::Identity(matrix.rows(), matrix.cols())).norm() < 1e-3;
    if (!invertible) return fmt::format("the matrix of generator {} is singular", names[k]);
  }
  return fmt::format(
      "the matrices are too far from a representation of {} for averages to settle: look at the "
      "relators, and whether each generator ({}) has its own matrix",
      approximate.group().name(), fmt::join(names, ", "));
}

NearestRepresentation none(NearestRepresentation result, std::string reason) {
  result.representation.reset();
  result.reason = "none nearby: " + std::move(reason);
  return result;
}

}  // namespace

NearestRepresentation nearest_representation(const ApproximateRepresentation& approximate,
                                             const NearestOptions& options) {
  const Group& group = approximate.group();
  const double d = static_cast<double>(approximate.dimension());
  require_memory(fmt::format("averaging {} matrices of size {}", group.order(), d),
                 2.0 * sizeof(double) * static_cast<double>(group.order()) * d * d,
                 "use a smaller group or a smaller dimension");
  NearestRepresentation result;
  if (approximate.generators().empty()) {
    result.representation = trivial_representation(group, approximate.dimension());
    return result;
  }
  const SpanningTree tree = spanning_tree(group);
  Matrices exact = approximate.generators();
  double last = INFINITY;
  for (;; ++result.iterations) {
    if (options.orthogonal) {
      for (MatrixXd& matrix : exact) matrix = polar_factor(matrix);
    }
    Average next = average(group, tree, exact, options.progress);
    result.defect = next.defect;
    if (!std::isfinite(next.defect)) return none(result, why_it_ran_away(approximate));
    // Below kExact go on while it still gets better: the rest is rounding.
    if (next.defect <= kExact && next.defect >= 0.5 * last) break;
    if (next.defect == 0) break;
    last = next.defect;
    if (result.iterations == options.max_iterations) {
      return none(result, fmt::format("{} averages left a defect of {:.3g}", result.iterations,
                                      result.defect));
    }
    exact = std::move(next.generators);
  }

  exact = nearest_conjugate(approximate.generators(), std::move(exact), options.orthogonal,
                            options.polish_steps);
  for (std::size_t k = 0; k < exact.size(); ++k) {
    const double off = (approximate.generators()[k] - exact[k]).norm() / std::sqrt(d);
    result.distance = std::max(result.distance, off);
  }
  if (!(result.distance <= options.radius)) {
    return none(result,
                fmt::format("the exact representation found is at distance {:.3g}, beyond {:.3g}",
                            result.distance, options.radius));
  }
  result.defect = average(group, tree, exact, options.progress).defect;
  result.representation = matrix_representation_unchecked(group, std::move(exact));
  return result;
}

}  // namespace algprior
