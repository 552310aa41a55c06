#include "algprior/rep/approximate.hpp"

#include "algprior/base/error.hpp"
#include "linear_algebra.hpp"
#include "spanning_tree.hpp"
#include "walk.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace algprior {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXd;

void require_table(const ApproximateRepresentation& approximate, const CharacterTable& table) {
  if (approximate.group() == table.group()) return;
  throw InputError({"this character table belongs to another group", table.group().name(),
                    "the table of " + approximate.group().name(), ""});
}

}  // namespace

ApproximateRepresentation::ApproximateRepresentation(Group group, std::vector<MatrixXd> generators)
    : group_(std::move(group)), dimension_(0), generators_(std::move(generators)) {
  if (generators_.size() != group_.generators().size()) {
    throw InputError({"a representation needs one matrix for each generator",
                      fmt::format("{} matrices for {}", generators_.size(), group_.name()),
                      fmt::format("{} matrices", group_.generators().size()),
                      "give them in the order of generators()"});
  }
  const Index d = generators_.empty() ? 1 : generators_.front().rows();
  dimension_ = static_cast<std::size_t>(d);
  for (std::size_t k = 0; k < generators_.size(); ++k) {
    const MatrixXd& matrix = generators_[k];
    if (matrix.rows() != d || matrix.cols() != d || d == 0 || !matrix.allFinite()) {
      throw InputError({"the matrix of a generator is not a finite square matrix of one size",
                        fmt::format("generator {}: {}×{}", group_.generator_names()[k],
                                    matrix.rows(), matrix.cols()),
                        fmt::format("{}×{}", d, d), ""});
    }
    double rcond = 0;
    MatrixXd inverse = inverse_of(matrix, &rcond);
    if (rcond < 1e-8) {
      inverse = MatrixXd::Identity(d, d);
      const std::size_t order = group_.element_order(group_.generators()[k]);
      for (std::size_t power = 1; power < order; ++power) inverse = (inverse * matrix).eval();
    }
    inverses_.push_back(std::move(inverse));
  }
}

Eigen::MatrixXd ApproximateRepresentation::evaluate(const Word& word) const {
  const auto d = static_cast<Index>(dimension_);
  MatrixXd product = MatrixXd::Identity(d, d);
  for (int letter : word) {
    const auto k = static_cast<std::size_t>(std::abs(letter)) - 1;
    product = (product * (letter > 0 ? generators_[k] : inverses_[k])).eval();
  }
  return product;
}

std::vector<double> ApproximateRepresentation::traces() const {
  const auto d = static_cast<Index>(dimension_);
  std::vector<double> traces(group_.order());
  walk(spanning_tree(group_), generators_, inverses_, MatrixXd(MatrixXd::Identity(d, d)),
       [&](Element g, const MatrixXd& image) { traces[g] = image.trace(); });
  return traces;
}

std::vector<RelatorDefect> relator_defects(const ApproximateRepresentation& approximate) {
  const auto d = static_cast<Index>(approximate.dimension());
  std::vector<RelatorDefect> defects;
  for (const Word& relator : approximate.group().presentation().relators) {
    const double norm = (approximate.evaluate(relator) - MatrixXd::Identity(d, d)).norm();
    defects.push_back({relator, norm, norm * norm / static_cast<double>(d * d)});
  }
  return defects;
}

std::vector<double> multiplicities_by_elements(const ApproximateRepresentation& approximate,
                                               const CharacterTable& table) {
  require_table(approximate, table);
  const ConjugacyClasses& classes = table.group().classes();
  const std::vector<double> traces = approximate.traces();
  std::vector<Complex> means(classes.count());
  for (std::size_t c = 0; c < classes.count(); ++c) {
    for (Element g : classes.members[c]) means[c] += traces[g];
    means[c] /= static_cast<double>(classes.members[c].size());
  }
  return multiplicities(table, means);
}

std::vector<double> multiplicities_by_classes(const ApproximateRepresentation& approximate,
                                              const CharacterTable& table) {
  require_table(approximate, table);
  const Group& group = table.group();
  std::vector<Complex> traces(group.classes().count());
  for (std::size_t c = 0; c < traces.size(); ++c) {
    traces[c] = approximate.evaluate(group.word(group.classes().representative(c))).trace();
  }
  return multiplicities(table, traces);
}

EigenvalueMultiplicities multiplicities_by_eigenvalues(const ApproximateRepresentation& approximate,
                                                       const CharacterTable& table,
                                                       double tie_margin) {
  require_table(approximate, table);
  const Group& group = table.group();
  EigenvalueMultiplicities result;
  std::vector<Complex> traces(group.classes().count());
  for (std::size_t c = 0; c < traces.size(); ++c) {
    const Element g = group.classes().representative(c);
    const std::size_t n = group.element_order(g);
    const double turn = 2 * std::numbers::pi / static_cast<double>(n);
    const double spacing = 2 * std::sin(turn / 2);
    const auto root = [&](std::size_t k) { return std::polar(1.0, turn * static_cast<double>(k)); };
    result.counts.emplace_back(n, 0);
    const Eigen::VectorXcd values = eigenvalues_of(approximate.evaluate(group.word(g)));
    for (const Complex value : values) {
      std::size_t nearest = 0, second = n;
      for (std::size_t k = 1; k < n; ++k) {
        if (std::abs(value - root(k)) < std::abs(value - root(nearest))) {
          second = nearest;
          nearest = k;
        } else if (second == n || std::abs(value - root(k)) < std::abs(value - root(second))) {
          second = k;
        }
      }
      result.counts[c][nearest] += 1;
      traces[c] += root(nearest);
      if (second == n) continue;
      const double margin = std::abs(value - root(second)) - std::abs(value - root(nearest));
      if (margin < tie_margin * spacing) result.ties.push_back({c, value, nearest, second});
    }
  }
  result.multiplicities = multiplicities(table, traces);
  return result;
}

double noise_radius(const Group& group, std::size_t dimension, double condition) {
  const auto longest = static_cast<double>(spanning_tree(group).height);
  if (longest == 0) return INFINITY;
  const double growth = std::log1p(0.5 / static_cast<double>(dimension));
  return -std::expm1(-growth / longest) / condition;
}

}  // namespace algprior
