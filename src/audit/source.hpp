#pragma once

#include "algprior/audit/audit.hpp"

#include <cstdint>
#include <span>
#include <vector>

#include <Eigen/Core>

namespace algprior::auditing {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using RowMatrixF = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Rows E(y) and E(hy) of one sample: y = hx for orbits, y = x for pairs.
struct RowPair {
  std::size_t sample;
  std::size_t from, to;
};

/// Which samples: ρ̂ is fitted on one half and scored on the other.
enum class Half { kAll, kFit, kScore };

/// Orbits or pairs as numbered rows and, for every element h of the audited group H, the pairs of
/// rows that h connects. H may be a subgroup of the group G whose orbits were encoded.
class Source {
 public:
  /// `embedding` takes the elements of H to those of G.
  Source(const OrbitEmbeddings& orbits, const Group& encoded, const Group& group,
         std::vector<Element> embedding, const AuditOptions& options);
  Source(const PairEmbeddings& pairs, const Group& group, const AuditOptions& options);

  const Group& group() const noexcept { return group_; }
  std::size_t samples() const noexcept { return samples_; }
  std::size_t dimension() const noexcept { return dimension_; }
  std::size_t rows_per_sample() const noexcept { return rows_per_sample_; }
  std::size_t base_points() const noexcept { return base_points_; }
  bool is_pairs() const noexcept { return !buckets_.empty(); }
  bool single_precision() const noexcept { return first_.index() == 0; }
  const std::vector<std::size_t>& half(Half half) const { return halves_[static_cast<int>(half)]; }

  /// Row i of sample n, 0 ≤ i < rows_per_sample(): z[n, i]; z[n] and zg[n] for pairs.
  std::size_t row(std::size_t n, std::size_t i) const {
    return is_pairs() ? n + i * samples_ : n * rows_per_sample_ + i;
  }
  /// The row of E(hx_n), orbits only.
  std::size_t orbit_row(std::size_t n, Element h) const {
    return n * rows_per_sample_ + embedding_[h];
  }
  std::size_t pair_count(Element h, Half half) const;
  RowPair pair(Element h, Half half, std::size_t i) const;
  /// The same with the second row from the next sample of the half: what chance looks like.
  RowPair shuffled_pair(Element h, Half half, std::size_t i) const;

  /// Row − mean as numbers of type Out.
  template <class Out>
  void copy(std::size_t row, const Eigen::VectorXd& mean, Out* out) const {
    const auto write = [&](const auto& values, std::size_t place) {
      const auto* from = values.data() + place * dimension_;
      for (std::size_t k = 0; k < dimension_; ++k) {
        out[k] =
            static_cast<Out>(static_cast<double>(from[k]) - mean[static_cast<Eigen::Index>(k)]);
      }
    };
    const bool later = row >= first_rows_;
    std::visit([&](const auto& values) { write(values, later ? row - first_rows_ : row); },
               later ? second_ : first_);
  }

 private:
  void split(std::uint64_t seed);

  Group group_;
  EmbeddingSpan first_, second_;
  std::size_t first_rows_;
  std::size_t samples_, dimension_, rows_per_sample_, base_points_ = 1;
  std::vector<Element> embedding_;
  std::vector<Element> products_;                  // embedding_[h]·t at h·|G| + t
  std::vector<std::vector<std::size_t>> buckets_;  // of pairs, by element and half
  std::vector<std::size_t> halves_[3];
};

/// Throws InputError unless the shapes fit each other and the group.
void check_shapes(const OrbitEmbeddings& orbits, const Group& group);
void check_shapes(const PairEmbeddings& pairs, const Group& group);

}  // namespace algprior::auditing
