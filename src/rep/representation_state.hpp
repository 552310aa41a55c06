#pragma once

#include "algprior/base/error.hpp"
#include "algprior/group/permutation.hpp"
#include "algprior/rep/representation.hpp"

#include <complex>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <Eigen/Core>

namespace algprior {

/// How a representation answers. `permutation` is set for a permutation representation only,
/// `real` or `complex` for the others; `trace` where it is cheaper than the matrix.
struct Representation::State {
  Group group;
  std::size_t dimension = 0;
  std::function<Permutation(Element)> permutation = nullptr;
  std::function<Eigen::MatrixXd(Element)> real = nullptr;
  std::function<Eigen::MatrixXcd(Element)> complex = nullptr;
  std::function<std::complex<double>(Element)> trace = nullptr;
};

inline Representation make_representation(Representation::State state) {
  return Representation(std::make_shared<const Representation::State>(std::move(state)));
}

/// Throws LimitError when `bytes` is above Representation::kCallLimit.
void require_memory(const std::string& operation, double bytes, const std::string& next);

}  // namespace algprior
