#pragma once

#include "algprior/group/group.hpp"
#include "algprior/group/limits.hpp"

#include <vector>

#include <Eigen/Core>

namespace algprior {

/// The finite group that real square matrices generate, elements breadth-first from e over the
/// generators. Two products are the same element when no entry differs by more than `tolerance`.
/// When the generators are orthogonal to that tolerance, orthogonal_matrices() gives the matrices
/// back. Throws InputError for matrices of different or no size, with entries that are not finite,
/// or that are singular; LimitError when the closure passes limits.max_order or a gigabyte, as an
/// infinite group does.
Group group_from_matrices(const std::vector<Eigen::MatrixXd>& generators, double tolerance = 1e-6,
                          const GroupLimits& limits = {});

}  // namespace algprior
