#pragma once

#include "algprior/group/group.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

namespace algprior {

/// Embedded vectors, row after row, where they lie: nothing is copied.
using EmbeddingSpan = std::variant<std::span<const float>, std::span<const double>>;

/// z[n, g] = E(g·x_n) for N samples and every element g of a group, N×|G|×d: whole orbits.
struct OrbitEmbeddings {
  EmbeddingSpan values;
  std::size_t samples = 0;
  std::size_t order = 0;
  std::size_t dimension = 0;
};

/// z[n] = E(x_n), zg[n] = E(g_n·x_n), one element g_n a sample: what is left when whole orbits
/// cannot be encoded. Both spans hold numbers of one type.
struct PairEmbeddings {
  EmbeddingSpan z;
  EmbeddingSpan zg;
  std::span<const std::int64_t> g;
  std::size_t samples = 0;
  std::size_t dimension = 0;
};

/// What is known of the inputs beside their embeddings; empty parts are left out of the report.
struct AuditContext {
  /// The class of each sample, N of them.
  std::span<const std::int64_t> labels;
  /// The inputs g·x_n themselves, N×|G|×p, for orbits: were they transformed at all?
  EmbeddingSpan inputs;
  std::size_t input_size = 0;  ///< p
};

}  // namespace algprior
