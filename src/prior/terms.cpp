#include "algprior/prior/terms.hpp"

#include "algprior/base/error.hpp"

#include <algorithm>
#include <cmath>

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace algprior {

void Terms::add(std::string name, at::Tensor value, double weight) {
  if (find(name) != nullptr) {
    throw InputError({"two loss terms have one name", name, "a name of its own for each term", ""});
  }
  if (!value.defined() || value.dim() != 0) {
    throw InputError({"a loss term is not a scalar", name, "a tensor without dimensions",
                      "take the mean over batch and coordinates"});
  }
  if (!std::isfinite(weight)) {
    throw InputError(
        {"a loss term has no finite weight", fmt::format("{} = {}", name, weight), "a number", ""});
  }
  terms_.push_back({std::move(name), std::move(value), weight});
}

bool belongs_to(const Term& term, std::string_view name) {
  return term.name == name ||
         (term.name.starts_with(name) && term.name.substr(name.size()).starts_with("_"));
}

void Terms::scale(std::string_view name, double factor) {
  for (Term& term : terms_) {
    if (belongs_to(term, name)) term.weight *= factor;
  }
}

at::Tensor Terms::total() const {
  at::Tensor sum;
  for (const auto& term : terms_) {
    if (term.weight == 0.0) continue;
    const auto weighted = term.weight == 1.0 ? term.value : term.value * term.weight;
    sum = sum.defined() ? sum + weighted : weighted;
  }
  if (!sum.defined()) {
    throw InputError(
        {"there is nothing to train", "", "a loss term with a weight other than 0", ""});
  }
  return sum;
}

const Term* Terms::find(const std::string& name) const noexcept {
  const auto found = std::find_if(terms_.begin(), terms_.end(),
                                  [&](const Term& term) { return term.name == name; });
  return found == terms_.end() ? nullptr : &*found;
}

}  // namespace algprior
