#include "algprior/group/presentation.hpp"
#include "catalogue.hpp"
#include "state.hpp"

#include <array>
#include <numbers>

#include <fmt/format.h>

namespace algprior {
namespace {

// The turn by k/n of a full circle, counter-clockwise as displayed with the second axis downwards.
// The angle is brought into an eighth first, so that quarter turns are exact.
Eigen::MatrixXd turn(std::size_t k, std::size_t n) {
  const std::size_t quarter = 4 * k / n;
  const double angle = 2.0 * std::numbers::pi * static_cast<double>(4 * k - quarter * n) /
                       (4.0 * static_cast<double>(n));
  const double c = std::cos(angle), s = angle == 0.0 ? 0.0 : std::sin(angle);
  const std::array<std::array<double, 2>, 4> turned{{{c, s}, {-s, c}, {-c, -s}, {s, -c}}};
  const auto [cosine, sine] = turned[quarter % 4];
  Eigen::Matrix2d matrix;
  matrix << cosine, sine, -sine, cosine;
  return matrix + Eigen::Matrix2d::Zero();  // −0 becomes 0
}

Permutation affine_permutation(std::size_t degree, std::size_t scale, std::size_t shift) {
  Permutation p(degree);
  for (std::size_t v = 0; v < degree; ++v) {
    p[v] = static_cast<std::uint32_t>((scale * v + shift) % degree);
  }
  return p;
}

}  // namespace

Group cyclic_group(unsigned n, const GroupLimits&) {
  Blueprint data;
  data.name = fmt::format("C{}", n);
  data.order = n;
  data.generator_names = {"r"};
  data.right.emplace_back(n);
  for (unsigned k = 0; k < n; ++k) data.right[0][k] = (k + 1) % n;
  data.presentation = Presentation{{"r"}, {Word(n, 1)}};
  data.defining = {affine_permutation(n, 1, 1)};
  data.orthogonal = [n](Element g) { return turn(g, n); };
  return assemble(std::move(data));
}

Group dihedral_group(unsigned n, const GroupLimits&) {
  Blueprint data;
  data.name = fmt::format("D{}", n);
  data.order = 2 * std::size_t{n};
  std::vector<Element> r(data.order), s(data.order);
  for (Element k = 0; k < n; ++k) {
    r[k] = (k + 1) % n;
    r[n + k] = n + (k + n - 1) % n;  // r^k s · r = r^{k−1} s
    s[k] = n + k;
    s[n + k] = k;
  }
  // D1 has no turn, and its vertex is fixed: it is the flip of a left and a right point.
  // D2 turns by v ↦ v+2 the four corners on which D4 acts.
  const std::size_t degree = n == 1 ? 2 : n == 2 ? 4 : n;
  const Permutation turn_points = affine_permutation(degree, 1, degree / n);
  const Permutation flip_points = affine_permutation(degree, degree - 1, 1);
  if (n == 1) {
    data.generator_names = {"s"};
    data.right = {s};
    data.presentation = parse_presentation("<s | s^2>");
    data.defining = {flip_points};
  } else {
    data.generator_names = {"r", "s"};
    data.right = {r, s};
    data.presentation = parse_presentation(fmt::format("<r,s | r^{}, s^2, (r*s)^2>", n));
    data.defining = {turn_points, flip_points};
  }
  data.orthogonal = [n](Element g) -> Eigen::MatrixXd {
    Eigen::MatrixXd matrix = turn(g % n, n);
    if (g >= n) matrix.col(0) *= -1.0;  // times diag(−1, 1)
    return matrix + Eigen::Matrix2d::Zero();
  };
  return assemble(std::move(data));
}

}  // namespace algprior
