#pragma once

#include "algprior/group/group.hpp"

#include <functional>
#include <string>

#include <ATen/core/Tensor.h>

namespace algprior {

/// A left action of a finite group G on tensors whose first dimension counts samples:
/// (g, x) ↦ T_g x with T_g T_h = T_{gh} and T_e = id, one group element a sample.
///
/// An action is a value: deterministic, differentiable in x, free of state, safe to share between
/// threads. It says whether the law holds to the last bit (`exact`) or to which `tolerance`; what a
/// tolerance is measured on is written where the action is made.
class Action {
 public:
  /// Called with checked arguments: g is int64 of shape N with values below |G|, x has N samples.
  using Function = std::function<at::Tensor(const at::Tensor& g, const at::Tensor& x)>;

  /// An action of your own. `name` appears in messages; tolerance 0 promises an exact action.
  /// `places`, if given, says that it only permutes vectors N×d: int64 |G|×d on the CPU with
  /// (T_g x)[k] = x[places[g, k]]. Losses that know this need no permuted copy.
  Action(Group group, std::string name, double tolerance, Function function,
         at::Tensor places = {});

  /// T_g x with element g[n] for sample n. Throws InputError when g is not an int64 vector with one
  /// element of the group for each sample of x.
  at::Tensor operator()(const at::Tensor& g, const at::Tensor& x) const;
  /// T_g x with the same element for every sample.
  at::Tensor operator()(Element g, const at::Tensor& x) const;

  const Group& group() const noexcept { return group_; }
  const std::string& name() const noexcept { return name_; }
  double tolerance() const noexcept { return tolerance_; }
  bool exact() const noexcept { return tolerance_ == 0.0; }
  /// Undefined unless the action permutes the coordinates of vectors.
  const at::Tensor& places() const noexcept { return places_; }

 private:
  Group group_;
  std::string name_;
  double tolerance_;
  Function function_;
  at::Tensor places_;
};

/// T_g = id for every g: invariant labels, the trivial representation. Exact.
Action trivial_action(const Group& group);

/// g ↦ A_g B_g for two actions of one group that commute (A_g B_h = B_h A_g), such as one that
/// moves pixels and one that mixes channels. Throws InputError when the groups differ.
Action compose(const Action& outer, const Action& inner);

/// Throws InputError unless g is an int64 vector of `samples` elements of the group.
void check_elements(const Group& group, const at::Tensor& g, std::int64_t samples);

}  // namespace algprior
