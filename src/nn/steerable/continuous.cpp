#include "algprior/nn/steerable/continuous.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/random.hpp"
#include "checks.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include <Eigen/Dense>
#include <Eigen/Geometry>
#include <fmt/format.h>
#include <unsupported/Eigen/KroneckerProduct>

namespace algprior::steerable {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector4d;

MatrixXd to_rotation(const Vector4d& q) {
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
}

void check_frequency(int highest) {
  constexpr int kHighest = 12;
  if (highest >= 0 && highest <= kHighest) return;
  throw InputError({"harmonics do not go to this frequency", fmt::format("{}", highest),
                    fmt::format("0 to {}", kHighest), ""});
}

void check_continuous(const Steering& steering) {
  if (!steering.group && steering.axes == 3 && !steering.irreps.empty()) return;
  throw InputError({"this is asked of rotations of space", "the group " + steering.name,
                    "SO(3) or O(3)", "make it with make_rotation_steering"});
}

// What harmonics of one frequency do under a rotation.
MatrixXd wigner(int frequency, const MatrixXd& rotation) {
  const SpatialBasis space{{.axes = 3}, {}};
  return spatial_action(space, {frequency, 2 * frequency + 1, {}}, rotation);
}

// Unit quaternions that repel each other, antipodes taken as one.
std::vector<Vector4d> spread_quaternions(int count) {
  std::vector<Vector4d> points;
  for (int i = 0; i < count; ++i) {
    const double t = i;
    points.push_back(Vector4d(std::sin(1 + 1.3 * t), std::cos(2 + 2.9 * t),
                              std::sin(3 + 4.7 * t * t), std::cos(0.5 * t * t + 0.7 * t))
                         .normalized());
  }
  constexpr int kRounds = 300;
  for (int round = 0; round < kRounds; ++round) {
    const double step = 0.02 / (1 + 0.02 * round);
    std::vector<Vector4d> moved = points;
    for (std::size_t i = 0; i < points.size(); ++i) {
      Vector4d force = Vector4d::Zero();
      for (std::size_t j = 0; j < points.size(); ++j) {
        if (i == j) continue;
        for (const double sign : {1.0, -1.0}) {
          const Vector4d away = points[i] - sign * points[j];
          force += away / std::pow(away.norm() + 1e-3, 3);
        }
      }
      force -= force.dot(points[i]) * points[i];
      moved[i] = (points[i] + step * force / (1 + force.norm())).normalized();
    }
    points = moved;
  }
  return points;
}

// The one direction of ψ_a ⊗ ψ_b ⊗ ψ_c that everything fixes, as (dim a · dim b) × dim c with
// orthonormal columns; nothing where there is none. Inverse iteration: at most one direction.
std::optional<MatrixXd> couple(const Irrep& a, const Irrep& b, const Irrep& c) {
  const Eigen::Index rows = a.dimension() * b.dimension(), size = rows * c.dimension();
  MatrixXd defect = MatrixXd::Zero(size, size);
  for (std::size_t g = 0; g < a.matrices.size(); ++g) {
    const MatrixXd pair = Eigen::kroneckerProduct(a.matrices[g], b.matrices[g]);
    const MatrixXd action = Eigen::kroneckerProduct(pair, c.matrices[g]);
    defect += 2 * MatrixXd::Identity(size, size) - action - action.transpose();
  }
  constexpr double kShift = 1e-9, kZero = 1e-7;
  const Eigen::LLT<MatrixXd> solver(defect + kShift * MatrixXd::Identity(size, size));
  Eigen::VectorXd vector = Eigen::VectorXd::LinSpaced(size, 1, 2).array().cos();
  for (int i = 0; i < 3; ++i) vector = solver.solve(vector).normalized();
  if ((defect * vector).norm() > kZero) return std::nullopt;
  // A sign that does not depend on rounding.
  Eigen::Index largest = 0;
  vector.cwiseAbs().maxCoeff(&largest);
  if (vector[largest] < 0) vector = -vector;
  return std::sqrt(static_cast<double>(c.dimension())) *
         Eigen::Map<const RowMatrix>(vector.data(), rows, c.dimension());
}

bool may_couple(const Irrep& a, const Irrep& b, const Irrep& c) {
  return std::abs(a.frequency - b.frequency) <= c.frequency &&
         c.frequency <= a.frequency + b.frequency && (a.parity + b.parity + c.parity) % 2 == 0;
}

class Couplings {
 public:
  explicit Couplings(const Steering& steering) : steering_(steering) {}

  const std::optional<MatrixXd>& of(std::size_t a, std::size_t b, std::size_t c) {
    const std::tuple key(a, b, c);
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
    const auto& irreps = steering_.irreps;
    const bool possible = may_couple(irreps[a], irreps[b], irreps[c]);
    return known_.emplace(key, possible ? couple(irreps[a], irreps[b], irreps[c]) : std::nullopt)
        .first->second;
  }

 private:
  const Steering& steering_;
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, std::optional<MatrixXd>> known_;
};

std::size_t irrep_of_harmonics(const Steering& steering, int frequency) {
  for (std::size_t i = 0; i < steering.irreps.size(); ++i) {
    const Irrep& irrep = steering.irreps[i];
    const bool parities = steering.generators.size() > 3;
    if (irrep.frequency == frequency && (!parities || irrep.parity == frequency % 2)) return i;
  }
  throw InputError(
      {"rotations do not reach the harmonics of a kernel",
       fmt::format("{} to frequency {}", steering.name, steering.irreps.back().frequency),
       fmt::format("frequency {}", frequency),
       "make_rotation_steering with it, or a kernel with SpatialOptions::highest"});
}

/// Rows between two parts that share j, J and ψ.
struct CoupledRows {
  std::size_t irrep;
  std::int64_t out_place, in_irrep, choices;
  std::vector<Eigen::RowVectorXd> rows;  // whole fields: out · in · points
};

// The kernel with coefficients c[(out, in), m] of harmonics m in its place within the fields.
Eigen::RowVectorXd place_kernel(const MatrixXd& coefficients, const MatrixXd& functions,
                                const FieldType& out, const FieldType& in, std::size_t o,
                                std::size_t i, Eigen::Index in_size) {
  const Eigen::Index points = functions.cols(), wide = in.dimension() * points;
  const MatrixXd kernel = coefficients * functions;
  Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(out.dimension() * wide);
  for (Eigen::Index pair = 0; pair < kernel.rows(); ++pair) {
    const Eigen::Index a = out.offset(o) + pair / in_size, b = in.offset(i) + pair % in_size;
    row.segment(a * wide + b * points, points) = kernel.row(pair);
  }
  return row;
}

// Columns √d ψ_ij at rotations, for every ψ up to a frequency, i before j.
RowMatrix fourier_rows(const Steering& steering, int highest,
                       const std::vector<MatrixXd>& rotations) {
  Eigen::Index columns = 0;
  for (const Irrep& irrep : steering.irreps) {
    if (irrep.frequency <= highest) columns += irrep.dimension() * irrep.dimension();
  }
  RowMatrix fourier(static_cast<Eigen::Index>(rotations.size()), columns);
  Eigen::Index column = 0;
  for (const Irrep& irrep : steering.irreps) {
    if (irrep.frequency > highest) continue;
    const Eigen::Index d = irrep.dimension();
    for (Eigen::Index k = 0; k < fourier.rows(); ++k) {
      const RowMatrix matrix = std::sqrt(static_cast<double>(d)) *
                               wigner(irrep.frequency, rotations[static_cast<std::size_t>(k)]);
      fourier.row(k).segment(column, d * d) =
          Eigen::Map<const Eigen::RowVectorXd>(matrix.data(), d * d);
    }
    column += d * d;
  }
  return fourier;
}

// What −1 does to the columns.
Eigen::VectorXd parity_signs(const Steering& steering, int highest) {
  std::vector<double> signs;
  for (const Irrep& irrep : steering.irreps) {
    if (irrep.frequency > highest) continue;
    const auto entries = static_cast<std::size_t>(irrep.dimension() * irrep.dimension());
    signs.insert(signs.end(), entries, irrep.parity == 0 ? 1.0 : -1.0);
  }
  return Eigen::Map<const Eigen::VectorXd>(signs.data(), static_cast<Eigen::Index>(signs.size()));
}

}  // namespace

SteeringPtr make_rotation_steering(bool reflections, int highest) {
  check_frequency(highest);
  auto steering = std::make_shared<Steering>();
  steering->name = reflections ? "O(3)" : "SO(3)";
  steering->axes = 3;
  const std::vector<MatrixXd> rotations = {to_rotation({0.9, 0.3, -0.2, 0.5}),
                                           to_rotation({-0.1, 0.8, 0.6, 0.3}),
                                           to_rotation({0.4, -0.5, 0.7, -0.3})};
  steering->space = rotations;
  if (reflections) steering->space.push_back(-MatrixXd::Identity(3, 3));
  for (std::size_t g = 0; g < steering->space.size(); ++g) steering->generators.push_back(g);
  for (int l = 0; l <= highest; ++l) {
    for (int parity = 0; parity <= (reflections ? 1 : 0); ++parity) {
      Irrep irrep{{}, l, parity};
      for (const MatrixXd& rotation : rotations) irrep.matrices.push_back(wigner(l, rotation));
      if (reflections) {
        irrep.matrices.push_back((parity == 0 ? 1 : -1) * MatrixXd::Identity(2 * l + 1, 2 * l + 1));
      }
      steering->irreps.push_back(std::move(irrep));
    }
  }
  return steering;
}

RowMatrix rotation_fourier(const Steering& steering, int highest) {
  check_continuous(steering);
  check_frequency(highest);
  constexpr int kRotations = 70;
  std::vector<MatrixXd> rotations = {MatrixXd::Identity(3, 3)};
  for (const Vector4d& q : spread_quaternions(kRotations)) rotations.push_back(to_rotation(q));
  const RowMatrix proper = fourier_rows(steering, highest, rotations);
  if (steering.generators.size() == 3) return proper;
  RowMatrix both(2 * proper.rows(), proper.cols());
  both << proper, proper * parity_signs(steering, highest).asDiagonal();
  return both;
}

RowMatrix fourier_near_identity(const Steering& steering, int highest) {
  check_continuous(steering);
  check_frequency(highest);
  constexpr int kSamples = 100;
  constexpr double kDeviation = 0.1;
  RandomStream random(RandomKey(0, "rotations near the identity"));
  std::vector<MatrixXd> rotations;
  for (int i = 0; i < kSamples; ++i) {
    Vector4d q(1, 0, 0, 0);
    for (double& entry : q) entry += kDeviation * random.normal();
    rotations.push_back(to_rotation(q));
  }
  return fourier_rows(steering, highest, rotations);
}

CoupledBasis solve_coupled_basis(const SpatialBasis& space, const FieldType& out,
                                 const FieldType& in, int highest) {
  check_pair(space, out, in);
  check_continuous(*out.steering);
  check_frequency(highest);
  if (space.options.kind != SpatialKind::rings) {
    throw InputError({"rotations move the pixels of a kernel off the grid", "SpatialKind::pixels",
                      "SpatialKind::rings", ""});
  }
  const Steering& steering = *out.steering;
  Couplings couplings(steering);
  std::vector<CoupledRows> groups;
  for (std::size_t o = 0; o < out.irreps.size(); ++o) {
    for (std::size_t i = 0; i < in.irreps.size(); ++i) {
      const std::size_t a = out.irreps[o], b = in.irreps[i];
      const Eigen::Index in_size = steering.irreps[b].dimension();
      const int low = std::abs(steering.irreps[a].frequency - steering.irreps[b].frequency);
      const int high = steering.irreps[a].frequency + steering.irreps[b].frequency;
      for (std::size_t J = 0; J < steering.irreps.size(); ++J) {
        const auto& to_J = couplings.of(a, b, J);
        if (!to_J) continue;
        for (const SpatialBlock& block : space.blocks) {
          const std::size_t j = irrep_of_harmonics(steering, block.frequency);
          for (std::size_t psi = 0; psi < steering.irreps.size(); ++psi) {
            if (steering.irreps[psi].frequency > highest) continue;
            const auto& to_psi = couplings.of(j, J, psi);
            if (!to_psi) continue;
            for (const MatrixXd& functions : block.samples) {
              CoupledRows group{psi,
                                static_cast<std::int64_t>(o),
                                static_cast<std::int64_t>(b),
                                high - low + 1,
                                {}};
              for (Eigen::Index m = 0; m < to_psi->cols(); ++m) {
                // (j, J) coordinates of one vector of ψ, then J as (out, in).
                const Eigen::VectorXd column = to_psi->col(m);
                const Eigen::Map<const RowMatrix> v(column.data(), block.functions, to_J->cols());
                group.rows.push_back(
                    place_kernel(*to_J * v.transpose(), functions, out, in, o, i, in_size));
              }
              groups.push_back(std::move(group));
            }
          }
        }
      }
    }
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const CoupledRows& x, const CoupledRows& y) { return x.irrep < y.irrep; });
  CoupledBasis basis;
  std::vector<const Eigen::RowVectorXd*> rows;
  for (const CoupledRows& group : groups) {
    for (const Eigen::RowVectorXd& row : group.rows) {
      rows.push_back(&row);
      basis.irrep.push_back(group.irrep);
      basis.choices.push_back(group.choices);
      basis.kernels.out_place.push_back(group.out_place);
      basis.kernels.in_irrep.push_back(group.in_irrep);
    }
  }
  basis.kernels.elements.resize(static_cast<Eigen::Index>(rows.size()),
                                out.dimension() * in.dimension() * space.points());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    basis.kernels.elements.row(static_cast<Eigen::Index>(r)) = *rows[r];
  }
  return basis;
}

}  // namespace algprior::steerable
