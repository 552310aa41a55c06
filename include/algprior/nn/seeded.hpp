#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace algprior {

/// While it lives, LibTorch's global CPU generator starts from `seed`; afterwards it is as it was.
/// For the initialisation of modules, which draws from that generator and from no other.
class SeededInitialisation {
 public:
  explicit SeededInitialisation(std::uint64_t seed);
  ~SeededInitialisation();
  SeededInitialisation(const SeededInitialisation&) = delete;
  SeededInitialisation& operator=(const SeededInitialisation&) = delete;

 private:
  at::Tensor saved_;
};

}  // namespace algprior
