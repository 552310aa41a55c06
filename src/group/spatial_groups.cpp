#include "algprior/group/presentation.hpp"
#include "catalogue.hpp"
#include "state.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace algprior {
namespace {

// The 24 rotations of the cube in the order of the experiments: {a,b,c} maps (x,y,z) to the signed
// coordinates a, b, c, with x = 1, y = 2, z = 3. 1–3 turn about x, 4–6 about y, 7–9 about z,
// 10–17 about body diagonals, 18–23 are half-turns about edges.
constexpr std::array<std::array<int, 3>, 24> kRotations{{
    {1, 2, 3},   {1, -3, 2},   {1, -2, -3}, {1, 3, -2},   {3, 2, -1},  {-1, 2, -3},
    {-3, 2, 1},  {-2, 1, 3},   {-1, -2, 3}, {2, -1, 3},   {3, 1, 2},   {2, 3, 1},
    {2, -3, -1}, {-3, 1, -2},  {-2, -3, 1}, {3, -1, -2},  {-2, 3, -1}, {-3, -1, 2},
    {3, -2, 1},  {-3, -2, -1}, {-1, 3, 2},  {-1, -3, -2}, {2, 1, -3},  {-2, -1, -3},
}};
constexpr std::size_t kQuarterTurn = 7;  // about z
constexpr std::size_t kHalfTurn = 8;     // about z
constexpr std::size_t kThirdTurn = 10;   // (x,y,z) ↦ (z,x,y)

Eigen::Matrix3d rotation(std::size_t i) {
  Eigen::Matrix3d matrix = Eigen::Matrix3d::Zero();
  for (int row = 0; row < 3; ++row) {
    const int axis = kRotations[i][static_cast<std::size_t>(row)];
    matrix(row, std::abs(axis) - 1) = axis > 0 ? 1.0 : -1.0;
  }
  return matrix;
}

std::vector<Eigen::Vector3d> cube_vertices() {
  std::vector<Eigen::Vector3d> vertices;
  for (int v = 0; v < 8; ++v) {
    vertices.emplace_back(v & 1 ? 1 : -1, v & 2 ? 1 : -1, v & 4 ? 1 : -1);
  }
  return vertices;
}

std::vector<Eigen::Vector3d> icosahedron_vertices() {
  std::vector<Eigen::Vector3d> vertices;
  for (const double one : {1.0, -1.0}) {
    for (const double golden : {std::numbers::phi, -std::numbers::phi}) {
      vertices.emplace_back(0, one, golden);
      vertices.emplace_back(one, golden, 0);
      vertices.emplace_back(golden, 0, one);
    }
  }
  return vertices;
}

Permutation on_vertices(const Eigen::Matrix3d& matrix,
                        const std::vector<Eigen::Vector3d>& vertices) {
  Permutation p(vertices.size());
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    for (std::size_t w = 0; w < vertices.size(); ++w) {
      if ((matrix * vertices[v] - vertices[w]).norm() < 1e-6) p[v] = static_cast<std::uint32_t>(w);
    }
  }
  return p;
}

Group from_matrices(const std::string& name, const std::vector<Eigen::Matrix3d>& matrices,
                    const std::vector<Eigen::Vector3d>& vertices, const char* presentation,
                    const GroupLimits& limits) {
  std::vector<Permutation> permutations;
  for (const auto& matrix : matrices) permutations.push_back(on_vertices(matrix, vertices));
  Blueprint data = enumerate_permutations(permutations, limits);
  data.name = name;
  data.presentation = parse_presentation(presentation);
  data.generator_names = data.presentation->generators;
  data.orthogonal_generators.assign(matrices.begin(), matrices.end());
  return assemble(std::move(data));
}

Eigen::Matrix3d inversion() {
  return -Eigen::Matrix3d::Identity();
}

// The half-turn about an edge of the icosahedron, chosen so that with the third-turn it makes a
// fifth-turn.
Eigen::Matrix3d icosahedral_half_turn() {
  const double golden = std::numbers::phi;
  const Eigen::Vector3d axis((golden - 1) / 2, golden / 2, 0.5);
  return 2 * axis * axis.transpose() - Eigen::Matrix3d::Identity();
}

}  // namespace

Group cube_group(unsigned, const GroupLimits&) {
  Blueprint data;
  data.name = "cube";
  data.order = kRotations.size();
  for (const std::size_t generator : {kQuarterTurn, kThirdTurn}) {
    std::vector<Element> column;
    for (std::size_t g = 0; g < data.order; ++g) {
      const Eigen::Matrix3d product = rotation(g) * rotation(generator);
      Element h = 0;
      while (rotation(h) != product) ++h;
      column.push_back(h);
    }
    data.right.push_back(std::move(column));
  }
  data.presentation = parse_presentation("<r,t | r^4, t^3, (r*t)^2>");
  data.generator_names = data.presentation->generators;
  const auto vertices = cube_vertices();
  data.defining = {on_vertices(rotation(kQuarterTurn), vertices),
                   on_vertices(rotation(kThirdTurn), vertices)};
  data.orthogonal = [](Element g) -> Eigen::MatrixXd { return rotation(g); };
  return assemble(std::move(data));
}

Group cube_group_with_reflections(unsigned, const GroupLimits& limits) {
  return from_matrices("Oh", {rotation(kQuarterTurn), rotation(kThirdTurn), inversion()},
                       cube_vertices(), "<r,t,i | r^4, t^3, (r*t)^2, i^2, [r,i], [t,i]>", limits);
}

Group tetrahedral_group(unsigned, const GroupLimits& limits) {
  return from_matrices("T", {rotation(kHalfTurn), rotation(kThirdTurn)}, cube_vertices(),
                       "<s,t | s^2, t^3, (s*t)^3>", limits);
}

Group tetrahedral_group_with_reflections(unsigned, const GroupLimits& limits) {
  return from_matrices("Td", {-rotation(kQuarterTurn), rotation(kThirdTurn)}, cube_vertices(),
                       "<q,t | q^4, t^3, (q*t)^2>", limits);
}

Group tetrahedral_group_with_inversion(unsigned, const GroupLimits& limits) {
  return from_matrices("Th", {rotation(kHalfTurn), rotation(kThirdTurn), inversion()},
                       cube_vertices(), "<s,t,i | s^2, t^3, (s*t)^3, i^2, [s,i], [t,i]>", limits);
}

Group icosahedral_group(unsigned, const GroupLimits& limits) {
  return from_matrices("I", {icosahedral_half_turn(), rotation(kThirdTurn)}, icosahedron_vertices(),
                       "<s,t | s^2, t^3, (s*t)^5>", limits);
}

Group icosahedral_group_with_inversion(unsigned, const GroupLimits& limits) {
  return from_matrices("Ih", {icosahedral_half_turn(), rotation(kThirdTurn), inversion()},
                       icosahedron_vertices(), "<s,t,i | s^2, t^3, (s*t)^5, i^2, [s,i], [t,i]>",
                       limits);
}

}  // namespace algprior
