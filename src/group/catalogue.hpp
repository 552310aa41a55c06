#pragma once

#include "algprior/group/group.hpp"
#include "algprior/group/limits.hpp"

// The builders behind the catalogue's rows; n is checked by the caller.
namespace algprior {

Group cyclic_group(unsigned n, const GroupLimits& limits);       // planar_groups.cpp
Group dihedral_group(unsigned n, const GroupLimits& limits);     // planar_groups.cpp
Group symmetric_group(unsigned n, const GroupLimits& limits);    // permutation_groups.cpp
Group alternating_group(unsigned n, const GroupLimits& limits);  // permutation_groups.cpp
Group klein_group(unsigned, const GroupLimits& limits);          // permutation_groups.cpp
Group dicyclic_group(unsigned n, const GroupLimits& limits);     // permutation_groups.cpp
Group quaternion_group(unsigned order, const GroupLimits& limits);
Group cube_group(unsigned, const GroupLimits& limits);  // spatial_groups.cpp, as all that follow
Group cube_group_with_reflections(unsigned, const GroupLimits& limits);
Group tetrahedral_group(unsigned, const GroupLimits& limits);
Group tetrahedral_group_with_reflections(unsigned, const GroupLimits& limits);
Group tetrahedral_group_with_inversion(unsigned, const GroupLimits& limits);
Group icosahedral_group(unsigned, const GroupLimits& limits);
Group icosahedral_group_with_inversion(unsigned, const GroupLimits& limits);

}  // namespace algprior
