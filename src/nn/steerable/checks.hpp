#pragma once

#include "algprior/kernel/detail/translate.hpp"
#include "algprior/nn/steerable/system.hpp"

#include <string>

namespace algprior::steerable {

/// Throws InputError for a pointer to nothing.
void check_steering(const SteeringPtr& steering);
/// Throws InputError unless the irreducible parts are the steering's and fill the basis.
void check_field(const FieldType& field);
/// The same for fields, of which there is at least one.
void check_fields(const Fields& fields);

/// Throws InputError unless kernels can join the fields: of one group, on its axes.
void check_pair(const SpatialBasis& space, const FieldType& out, const FieldType& in);

/// The shape of the kernels. Throws InputError for fields that cannot be, LimitError for kernels
/// that cannot be trained in this machine's memory.
std::vector<std::int64_t> checked_shape(const KernelSpace& where);

/// Throws InputError unless it is finite and not negative; `name`: "a decay".
void check_weight(const char* name, double value);

/// Throws InputError for weights of terms that cannot be.
void check_options(const SystemOptions& options);

}  // namespace algprior::steerable
