#pragma once

#include "algprior/audit/audit.hpp"
#include "algprior/base/random.hpp"
#include "algprior/rep/constructions.hpp"
#include "algprior/rep/irreps.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <Eigen/QR>

namespace algprior {

/// Embeddings whose truth is known, with what they need to stay alive.
struct Planted {
  std::vector<double> z;
  std::size_t samples = 0, order = 0, dimension = 0;

  OrbitEmbeddings orbits() const { return {std::span<const double>(z), samples, order, dimension}; }
  double& at(std::size_t n, std::size_t g, std::size_t k) {
    return z[(n * order + g) * dimension + k];
  }
};

inline Eigen::MatrixXd normal_matrix(RandomStream& random, std::size_t rows, std::size_t columns) {
  Eigen::MatrixXd matrix(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) matrix(i, j) = random.normal();
  }
  return matrix;
}

inline Eigen::MatrixXd random_orthogonal(RandomStream& random, std::size_t d) {
  const Eigen::MatrixXd matrix = normal_matrix(random, d, d);
  return Eigen::HouseholderQR<Eigen::MatrixXd>(matrix).householderQ();
}

/// z[n, g] = B ρ(g) v_n + noise, v_n standard normal, one ρ(g) for each element; B is dimension×dim
/// ρ.
inline Planted plant(const Representation& representation, const Eigen::MatrixXd& basis,
                     std::size_t samples, double noise, std::uint64_t seed) {
  Planted planted;
  planted.samples = samples;
  planted.order = representation.group().order();
  planted.dimension = static_cast<std::size_t>(basis.rows());
  planted.z.resize(samples * planted.order * planted.dimension);
  std::vector<Eigen::MatrixXd> moved;
  for (const Eigen::MatrixXd& matrix : representation.matrices()) moved.push_back(basis * matrix);
  for (std::size_t n = 0; n < samples; ++n) {
    RandomStream random(RandomKey(seed, "planted").at(0, n));
    const Eigen::VectorXd v = normal_matrix(random, representation.dimension(), 1);
    for (std::size_t g = 0; g < planted.order; ++g) {
      const Eigen::VectorXd z = moved[g] * v;
      for (std::size_t k = 0; k < planted.dimension; ++k) {
        planted.at(n, g, k) = z[static_cast<Eigen::Index>(k)] + noise * random.normal();
      }
    }
  }
  return planted;
}

/// Standard normal numbers that know neither g nor x.
inline Planted plant_noise(std::size_t samples, std::size_t order, std::size_t dimension,
                           std::uint64_t seed) {
  Planted planted{{}, samples, order, dimension};
  RandomStream random(RandomKey(seed, "planted noise"));
  for (std::size_t i = 0; i < samples * order * dimension; ++i)
    planted.z.push_back(random.normal());
  return planted;
}

/// A real representation with different multiplicities: the first real irreducible 2 times, the
/// last 3 times, the others once.
inline Representation mixed_representation(const Group& group, std::vector<std::size_t>& counts) {
  const CharacterTable table = character_table(group);
  const auto irreps = real_irreducible_representations(table);
  counts.assign(table.count(), 0);
  std::vector<Representation> summands;
  for (std::size_t i = 0; i < irreps.size(); ++i) {
    const std::size_t n = i == 0 ? 2 : i + 1 == irreps.size() ? 3 : 1;
    summands.push_back(copies(irreps[i].representation, n));
    const std::size_t row = irreps[i].row;
    // Over C a complex type is χ + χ̄ and a quaternionic type 2χ.
    counts[row] += irreps[i].type == RealType::kQuaternionic ? 2 * n : n;
    if (irreps[i].type == RealType::kComplex) counts[table.conjugate(row)] += n;
  }
  return direct_sum(summands);
}

}  // namespace algprior
