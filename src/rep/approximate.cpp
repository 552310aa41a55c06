#include "algprior/rep/approximate.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/interrupt.hpp"
#include "algprior/group/presentation.hpp"
#include "linear_algebra.hpp"
#include "spanning_tree.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

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
  if (word.empty()) return MatrixXd::Identity(d, d);
  const std::size_t length = period(word);
  MatrixXd root = image(word[0]);
  for (std::size_t i = 1; i < length; ++i) {
    throw_if_stopped();
    root = (root * image(word[i])).eval();
  }
  std::optional<MatrixXd> product;
  for (std::size_t exponent = word.size() / length;;) {
    throw_if_stopped();
    if (exponent % 2 == 1) product = product ? MatrixXd(*product * root) : root;
    exponent /= 2;
    if (exponent == 0) return *std::move(product);
    root = (root * root).eval();
  }
}

double ApproximateRepresentation::trace(const Word& word) const {
  if (word.size() < 2) return evaluate(word).trace();
  const Word before(word.begin(), word.end() - 1);
  return evaluate(before).transpose().cwiseProduct(image(word.back())).sum();
}

std::vector<double> ApproximateRepresentation::traces(const ProgressSink& progress) const {
  const SpanningTree tree = spanning_tree(group_);
  std::vector<std::vector<Element>> children(group_.order());
  for (const Element g : tree.order) {
    if (g != 0) children[tree.parent[g]].push_back(g);
  }
  std::vector<double> traces(group_.order(), static_cast<double>(dimension_));
  // Depth first, so that only the matrices on the way to g are kept; a leaf needs its trace alone.
  struct Step {
    Element g;
    MatrixXd matrix;  // empty for e
    std::size_t next;
  };
  std::vector<Step> path;
  path.push_back({Group::identity(), MatrixXd(), 0});
  for (std::size_t done = 1; !path.empty();) {
    Step& top = path.back();
    if (top.next == children[top.g].size()) {
      path.pop_back();
      continue;
    }
    report_progress(progress, done++, group_.order());
    const Element child = children[top.g][top.next++];
    const MatrixXd& step = image(tree.letter[child]);
    const bool first = top.g == Group::identity();
    if (children[child].empty()) {
      traces[child] = first ? step.trace() : step.transpose().cwiseProduct(top.matrix).sum();
      continue;
    }
    MatrixXd product = first ? step : MatrixXd(step * top.matrix);
    traces[child] = product.trace();
    path.push_back({child, std::move(product), 0});
  }
  return traces;
}

std::vector<RelatorDefect> relator_defects(const ApproximateRepresentation& approximate,
                                           const ProgressSink& progress) {
  const auto d = static_cast<Index>(approximate.dimension());
  std::vector<RelatorDefect> defects;
  const std::vector<Word>& relators = approximate.group().presentation().relators;
  for (const Word& relator : relators) {
    report_progress(progress, defects.size(), relators.size());
    const double norm = (approximate.evaluate(relator) - MatrixXd::Identity(d, d)).norm();
    defects.push_back({relator, norm, norm * norm / static_cast<double>(d * d)});
  }
  return defects;
}

std::vector<double> multiplicities_by_elements(const ApproximateRepresentation& approximate,
                                               const CharacterTable& table,
                                               const ProgressSink& progress) {
  require_table(approximate, table);
  const ConjugacyClasses& classes = table.group().classes();
  const std::vector<double> traces = approximate.traces(progress);
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
    traces[c] = approximate.trace(group.word(group.classes().representative(c)));
  }
  return multiplicities(table, traces);
}

EigenvalueMultiplicities multiplicities_by_eigenvalues(const ApproximateRepresentation& approximate,
                                                       const CharacterTable& table,
                                                       double tie_margin,
                                                       const ProgressSink& progress) {
  require_table(approximate, table);
  const Group& group = table.group();
  EigenvalueMultiplicities result;
  std::vector<Complex> traces(group.classes().count());
  for (std::size_t c = 0; c < traces.size(); ++c) {
    report_progress(progress, c, traces.size());
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
