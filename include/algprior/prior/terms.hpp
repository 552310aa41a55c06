#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <ATen/core/Tensor.h>

namespace algprior {

/// One summand of a training loss: a scalar with a name and a weight.
struct Term {
  std::string name;  ///< "task", "task_shifted", "equivariance", …
  at::Tensor value;  ///< unweighted
  double weight = 1.0;
};

/// Whether the term is called `name`, or `name_…` for one of several layers.
bool belongs_to(const Term& term, std::string_view name);

/// The named, weighted losses of one step. Each is logged without its weight; the sum is trained.
class Terms {
 public:
  /// Throws InputError when the name is taken, the value is not a scalar or the weight is not
  /// finite.
  void add(std::string name, at::Tensor value, double weight = 1.0);

  /// Multiplies the weights of all terms that belong to `name`.
  void scale(std::string_view name, double factor);

  /// Σ weight·value, summed in the order of adding. A term of weight 0 takes no part, so it can
  /// change neither a bit of the gradient nor, being infinite, spoil it. Throws InputError when
  /// empty.
  at::Tensor total() const;

  const std::vector<Term>& all() const noexcept { return terms_; }
  /// The term of that name, or nullptr.
  const Term* find(const std::string& name) const noexcept;

 private:
  std::vector<Term> terms_;
};

/// How hard a term pulls: its name and weight · ‖∇value‖.
struct Pull {
  std::string name;
  double norm = 0;
};

/// The pull of each term, over all these parameters together. A prior whose pull is a hundredth of
/// the task's changes nothing, whatever its loss: compare before you choose λ. A term that does not
/// reach the parameters pulls with 0. Costs a backward pass a term; the graph is kept, so that
/// total().backward() may follow, and no gradient is stored.
std::vector<Pull> pulls(const Terms& terms, const std::vector<at::Tensor>& parameters);

}  // namespace algprior
