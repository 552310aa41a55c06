#pragma once

namespace algprior {

/// What stands between Z and the outputs: it decides how much of Z a classifier of invariant labels
/// can use (prior/room.hpp).
enum class Head {
  unknown,
  linear,          ///< outputs are linear in z
  coordinatewise,  ///< linear behind functions of one coordinate each: batch norm, ELU
  hidden,          ///< at least one hidden layer that mixes coordinates
};

}  // namespace algprior
