#pragma once

#include "algprior/action/resample.hpp"
#include "algprior/experiment/assemble.hpp"
#include "algprior/rep/representation.hpp"

namespace algprior {

/// How a group acts on arrays of a user's own: in the plane, in space, or on one axis of the
/// samples by permutations or matrices that the configuration gives.
struct OwnActionSettings {
  std::string group = "D4";
  std::string kind = "plane";
  Resampling resampling = Resampling::none;
  std::int64_t axis = 0;
  std::string representation = "defining";
  std::vector<std::string> permutations;  ///< in cycles, one for each generator of the group
  std::vector<double> matrices;           ///< row by row, one after the other …
  std::string matrices_file;              ///< … or a file with an array for each generator

  void bind(config::Fields& fields);
  Action action() const;
  /// Throws InputError naming `where` unless samples of this shape (without the batch) can be
  /// moved.
  void check_shape(at::IntArrayRef sample, const std::string& where) const;

 private:
  Representation own_matrices(const Group& own) const;
};

}  // namespace algprior
