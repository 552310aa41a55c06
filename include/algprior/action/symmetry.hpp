#pragma once

#include "algprior/action/action.hpp"

#include <string>
#include <vector>

namespace algprior {

/// How one group acts on everything that a task consists of: α_X on inputs, α_Y on outputs or
/// labels, ρ_Z on each latent layer that carries a prior.
struct Symmetry {
  Group group;
  Action input;
  Action output;
  std::vector<Action> latents;
};

/// Throws InputError unless every action is one of the same group value.
Symmetry make_symmetry(Action input, Action output, std::vector<Action> latents);

/// max |T_g(T_h x) − T_{gh} x| over all pairs (g, h), or over `pairs` drawn at random by a fixed
/// rule when there are more: how far an action is from a left action on x. 0 for an exact one.
/// Integer tensors (labels) are compared as numbers. Throws InputError when the action changes the
/// shape of x.
double action_defect(const Action& action, const at::Tensor& x, std::size_t pairs = 4096);

/// The same with the product taken the other way round, |T_g(T_h x) − T_{hg} x|: large for a left
/// action of a group that is not abelian. A test that cannot tell the two apart proves nothing.
double opposite_defect(const Action& action, const at::Tensor& x, std::size_t pairs = 4096);

}  // namespace algprior
