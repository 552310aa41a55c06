#include "algprior/action/action.hpp"

#include "algprior/base/error.hpp"
#include "algprior/kernel/detail/translate.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace algprior {
namespace {

void check_range(const Group& group, const at::Tensor& g) {
  // Reading values back from another device would stall it; there the table lookup itself is
  // checked.
  if (!g.device().is_cpu() || g.numel() == 0) return;
  const auto low = g.min().item<std::int64_t>();
  const auto high = g.max().item<std::int64_t>();
  if (low >= 0 && high < static_cast<std::int64_t>(group.order())) return;
  throw InputError({"no such group element", fmt::format("{}", low < 0 ? low : high),
                    fmt::format("an index from 0 to {} for {}", group.order() - 1, group.name()),
                    "draw elements with sample_elements(group, n, key)"});
}

}  // namespace

void check_elements(const Group& group, const at::Tensor& g, std::int64_t samples) {
  if (!g.defined()) {
    throw InputError({"there are no group elements", group.name(), "an int64 vector", ""});
  }
  if (g.dim() != 1 || g.scalar_type() != at::kLong || g.size(0) != samples) {
    throw InputError({"group elements do not fit the batch",
                      fmt::format("a {}-dimensional {} tensor with {} entries", g.dim(),
                                  at::toString(g.scalar_type()), g.numel()),
                      fmt::format("an int64 vector with {} elements of {}", samples, group.name()),
                      "pass one element for each sample"});
  }
  check_range(group, g);
}

Action::Action(Group group, std::string name, double tolerance, Function function,
               at::Tensor places)
    : group_(std::move(group)),
      name_(std::move(name)),
      tolerance_(tolerance),
      function_(std::move(function)),
      places_(std::move(places)) {
  if (!function_) {
    throw InputError({"an action needs a function", name_, "a callable (g, x) -> x", ""});
  }
  if (!(tolerance_ >= 0.0)) {
    throw InputError({"an action's tolerance is negative", name_, "0 for an exact action", ""});
  }
}

at::Tensor Action::operator()(const at::Tensor& g, const at::Tensor& x) const {
  if (!x.defined() || x.dim() == 0) {
    throw InputError({"an action needs samples", name_,
                      "a tensor whose first dimension counts them",
                      "call unsqueeze(0) on a single sample"});
  }
  check_elements(group_, g, x.size(0));
  return translated("an action failed", name_, [&] { return function_(g, x); });
}

at::Tensor Action::operator()(Element g, const at::Tensor& x) const {
  const bool samples = x.defined() && x.dim() > 0;
  const auto elements = samples ? at::full({x.size(0)}, static_cast<std::int64_t>(g),
                                           x.options().dtype(at::kLong))
                                : at::Tensor();  // x is refused first
  return (*this)(elements, x);
}

Action trivial_action(const Group& group) {
  return Action(group, "trivial action of " + group.name(), 0.0,
                [](const at::Tensor&, const at::Tensor& x) { return x; });
}

Action compose(const Action& outer, const Action& inner) {
  if (!(outer.group() == inner.group())) {
    throw InputError({"actions of different groups cannot be composed",
                      outer.group().name() + " and " + inner.group().name(),
                      "two actions made from one group value", "make both from the same Group"});
  }
  return Action(
      outer.group(), outer.name() + " after " + inner.name(), outer.tolerance() + inner.tolerance(),
      [outer, inner](const at::Tensor& g, const at::Tensor& x) { return outer(g, inner(g, x)); });
}

}  // namespace algprior
