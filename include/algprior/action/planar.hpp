#pragma once

#include "algprior/action/action.hpp"
#include "algprior/action/resample.hpp"
#include "algprior/rep/representation.hpp"

#include <vector>

namespace algprior {

/// The action of a planar group on images x (N×C×H×W): (T_g x)(p) = x(ρ(g)⁻¹p), p measured from the
/// image centre. C_n turns counter-clockwise as displayed; D_n turns and flips left to right, D1
/// flips. Elements that map pixels to pixels are index permutations, exact to the last bit.
///
/// A group with other angles (C3, D3, C8, …) needs `resampling`; without it the call throws
/// InputError. A resampling action is a left action up to its tolerance: the largest deviation of
/// T_g T_h x from T_{gh} x over images in [0, 1] made of blobs whose standard deviation is 4 pixels
/// or more and that vanish outside the inscribed disc. Elements that are exact on the grid stay
/// exact. Throws InputError for groups that are not planar. Applied, it throws for tensors other
/// than N×C×H×W, and for a quarter turn of images that are not square when nothing is resampled.
Action planar_action(const Group& group, Resampling resampling = Resampling::none);

/// The same for a group with a planar representation of your own: real, orthogonal,
/// two-dimensional, acting on (u, v) with u to the right and v downwards. matrix_representation
/// makes one from a matrix for each generator and checks the relators.
Action planar_action(const Representation& plane, Resampling resampling = Resampling::none);

/// planar_action of each factor of a direct product, for stacked_action and canvas_action.
std::vector<Action> planar_parts(const Group& product, Resampling resampling = Resampling::none);

/// The action of a group of the cube (cube, Oh, T, Td, Th) on volumes x (N×C×D×H×W), by exact index
/// permutations: (T_g x)(p) = x(ρ(g)⁻¹p), with x along W, y along H, z along D. Throws InputError
/// for groups that move voxels off the grid and for volumes that are not cubes.
Action volume_action(const Group& group);
Action volume_action(const Representation& space);

}  // namespace algprior
