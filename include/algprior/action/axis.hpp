#pragma once

#include "algprior/action/action.hpp"
#include "algprior/rep/representation.hpp"

#include <cstdint>

namespace algprior {

/// A representation of dimension d on one axis of length d of samples of any shape: x is N×…×d×…,
/// and `axis` counts the sample's axes from 0 (channels of an image: 0). A permutation
/// representation moves the entries of that axis exactly; any other real one multiplies by its
/// matrices, with the tolerance of latent_action. Throws InputError for a complex representation or
/// a negative axis, and, applied, for samples without such an axis.
Action axis_action(const Representation& representation, std::int64_t axis);

}  // namespace algprior
