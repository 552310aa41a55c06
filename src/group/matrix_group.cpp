#include "algprior/group/matrix_group.hpp"

#include "algprior/base/error.hpp"
#include "state.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <Eigen/LU>
#include <fmt/format.h>

namespace algprior {
namespace {

using Matrix = Eigen::MatrixXd;
constexpr std::size_t kMostBytes = std::size_t{1} << 30;

void check_generators(const std::vector<Matrix>& generators, double tolerance) {
  if (generators.empty()) throw InputError({"no matrix generators", "", "one or more", ""});
  const auto d = generators.front().rows();
  for (std::size_t k = 0; k < generators.size(); ++k) {
    const Matrix& m = generators[k];
    const std::string where = fmt::format("generator {}, {}×{}", k + 1, m.rows(), m.cols());
    if (d == 0 || m.rows() != d || m.cols() != d) {
      throw InputError(
          {"matrix generators of different shapes", where, fmt::format("{}×{}", d, d), ""});
    }
    if (!m.allFinite()) throw InputError({"a matrix generator is not finite", where, "", ""});
    if (std::abs(std::abs(m.determinant()) - 1.0) > std::sqrt(tolerance)) {
      throw InputError({"a matrix generator has no finite order", where, "determinant 1 or −1",
                        fmt::format("its determinant is {:.6g}", m.determinant())});
    }
  }
}

// Matrices in the order of arrival, found again by a linear functional of their entries: matrices
// that agree to the tolerance have values that are close.
class MatrixSet {
 public:
  MatrixSet(Eigen::Index d, double tolerance) : tolerance_(tolerance), weights_(d, d) {
    double angle = 1.0;
    for (Eigen::Index i = 0; i < weights_.size(); ++i, angle += 1.7) weights_(i) = std::sin(angle);
    reach_ = tolerance * weights_.cwiseAbs().sum();
  }

  const std::vector<Matrix>& elements() const { return elements_; }

  std::uint32_t insert(const Matrix& m) {
    const double value = m.cwiseProduct(weights_).sum();
    for (auto it = index_.lower_bound(value - reach_);
         it != index_.end() && it->first <= value + reach_; ++it) {
      if ((elements_[it->second] - m).cwiseAbs().maxCoeff() <= tolerance_) return it->second;
    }
    const auto fresh = static_cast<std::uint32_t>(elements_.size());
    elements_.push_back(m);
    index_.emplace(value, fresh);
    return fresh;
  }

 private:
  double tolerance_, reach_;
  Matrix weights_;
  std::vector<Matrix> elements_;
  std::multimap<double, std::uint32_t> index_;
};

bool are_orthogonal(const std::vector<Matrix>& generators, double tolerance) {
  return std::all_of(generators.begin(), generators.end(), [&](const Matrix& m) {
    return (m * m.transpose() - Matrix::Identity(m.rows(), m.cols())).cwiseAbs().maxCoeff() <=
           tolerance;
  });
}

}  // namespace

Group group_from_matrices(const std::vector<Matrix>& generators, double tolerance,
                          const GroupLimits& limits) {
  check_generators(generators, tolerance);
  const auto d = generators.front().rows();
  const std::size_t bytes = static_cast<std::size_t>(d * d) * sizeof(double);
  MatrixSet set(d, tolerance);
  set.insert(Matrix::Identity(d, d));
  Blueprint data;
  data.right.resize(generators.size());
  for (std::size_t g = 0; g < set.elements().size(); ++g) {
    for (std::size_t s = 0; s < generators.size(); ++s) {
      data.right[s].push_back(set.insert(set.elements()[g] * generators[s]));
    }
    const std::size_t size = set.elements().size();
    if (size <= limits.max_order && size * bytes <= kMostBytes) continue;
    throw LimitError(
        {"the matrix group does not close",
         fmt::format("more than {} matrices of size {}, {} MB", size - 1, d, size * bytes >> 20),
         fmt::format("at most {} elements and {} MB", limits.max_order, kMostBytes >> 20),
         "the group may be infinite or the tolerance too small; if not, raise max_order"});
  }
  data.order = set.elements().size();
  for (auto& column : data.right) {
    std::vector<Element> sorted = column;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end()) continue;
    throw InputError({"the matrices generate no group at this tolerance",
                      fmt::format("two products are the same within {:.3g}", tolerance), "",
                      "give more exact generators or a smaller tolerance"});
  }
  data.name = fmt::format("group of {} {}×{} matrices", generators.size(), d, d);
  data.generator_names = default_generator_names(generators.size());
  if (are_orthogonal(generators, tolerance)) data.orthogonal_generators = generators;
  return assemble(std::move(data));
}

}  // namespace algprior
