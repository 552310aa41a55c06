#pragma once

#include "algprior/audit/audit.hpp"
#include "algprior/io/array.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace algprior {

/// What a file of embeddings holds: `z` (N×|G|×d), or `z`, `zg` (N×d) and `g` (N); optional
/// `labels` (N) and, for orbits, `inputs` (N×|G|×…). Owns the numbers that the views refer to.
class AuditFile {
 public:
  /// NPZ or safetensors, by content. Throws FileError for damage and InputError for shapes, types
  /// and names that do not fit, with the file and the array.
  static AuditFile read(const std::filesystem::path& path);
  /// From arrays in memory; `name` goes into messages.
  static AuditFile from_arrays(io::NamedArrays arrays, std::string name);

  bool is_pairs() const noexcept { return pairs_; }
  std::size_t samples() const noexcept { return samples_; }
  /// |G| by the shape of z; 0 for pairs.
  std::size_t order() const noexcept { return order_; }
  std::size_t dimension() const noexcept { return dimension_; }

  /// The views; orbits() of orbits only, pairs() of pairs only.
  OrbitEmbeddings orbits() const;
  PairEmbeddings pairs() const;
  AuditContext context() const;

  AuditReport audit(const Group& group, const AuditOptions& options = {}) const;

 private:
  AuditFile() = default;
  io::NamedArrays arrays_;
  std::vector<std::int64_t> elements_, labels_;
  std::size_t samples_ = 0, order_ = 0, dimension_ = 0, input_size_ = 0;
  bool pairs_ = false;
};

}  // namespace algprior
