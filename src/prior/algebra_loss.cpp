#include "algprior/prior/algebra_loss.hpp"

#include "algprior/base/error.hpp"
#include "singular.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace algprior {
namespace {

// MSE over the entries of each matrix.
at::Tensor matrix_mse(const at::Tensor& a, const at::Tensor& b) {
  return (a - b).square().mean({-2, -1});
}

bool mixes_generators(const Word& relator) {
  std::set<int> generators;
  for (const int letter : relator) generators.insert(std::abs(letter));
  return generators.size() > 1;
}

// The presentation with its generators in the group's order, under the group's names.
Presentation on_generators(const Group& group, const Presentation& given) {
  const auto& names = group.generator_names();
  if (given.generators.size() != names.size()) {
    throw InputError({"a presentation has other generators than the group",
                      fmt::format("{} generators in {}", given.generators.size(), to_string(given)),
                      fmt::format("the {} generators of {}", names.size(), group.name()), ""});
  }
  std::vector<int> place(names.size());
  const bool by_name = std::is_permutation(names.begin(), names.end(), given.generators.begin());
  for (std::size_t k = 0; k < names.size(); ++k) {
    const auto found = std::find(names.begin(), names.end(), given.generators[k]);
    place[k] = static_cast<int>(by_name ? found - names.begin() : static_cast<std::ptrdiff_t>(k));
  }
  Presentation result{names, {}};
  for (Word relator : given.relators) {
    for (int& letter : relator) {
      const int image = place[static_cast<std::size_t>(std::abs(letter)) - 1] + 1;
      letter = letter > 0 ? image : -image;
    }
    result.relators.push_back(std::move(relator));
  }
  return result;
}

void require_presentation(const Group& group, const Presentation& presentation) {
  const auto text = to_string(presentation);
  for (const Word& relator : presentation.relators) {
    if (group.evaluate(relator) == Group::identity()) continue;
    throw InputError(
        {"a presentation does not define the group of the action",
         fmt::format("relator {} of {}", to_string(relator, presentation.generators), text),
         fmt::format("a word that is the identity in {}", group.name()),
         fmt::format("use {}", to_string(group.presentation()))});
  }
  // All relators hold, so the presented group maps onto ours: equal orders make them equal.
  const auto order = group_from_presentation(presentation).order();
  if (order == group.order()) return;
  throw InputError({"a presentation does not define the group of the action",
                    fmt::format("{} has order {}", text, order),
                    fmt::format("order {}, that of {}", group.order(), group.name()),
                    fmt::format("add relators, or use {}", to_string(group.presentation()))});
}

void require_options(const Presentation& presentation, const AlgebraOptions& options) {
  const auto& weights = options.weights;
  const bool finite =
      std::all_of(weights.begin(), weights.end(), [](double w) { return std::isfinite(w); });
  if (!finite || (!weights.empty() && weights.size() != presentation.relators.size())) {
    throw InputError({"the weights of the relators do not fit",
                      fmt::format("{} weights for {}", weights.size(), to_string(presentation)),
                      fmt::format("{} finite numbers", presentation.relators.size()), ""});
  }
  if (options.regulariser != Regulariser::damped_commutation) return;
  if (std::none_of(presentation.relators.begin(), presentation.relators.end(), mixes_generators)) {
    throw InputError({"there is no commutation term to damp", to_string(presentation),
                      "a relator in which several generators meet", "use inverse or none"});
  }
  if (!std::isfinite(options.damping)) {
    throw InputError({"a regulariser has no finite damping", fmt::format("{}", options.damping),
                      "a number, 0.995 in the paper", ""});
  }
}

}  // namespace

AlgebraLoss::AlgebraLoss(const Group& group, AlgebraOptions options)
    : group_(group), presentation_(group.presentation()), options_(std::move(options)) {
  require_options(presentation_, options_);
}

AlgebraLoss::AlgebraLoss(const Group& group, const Presentation& presentation,
                         AlgebraOptions options)
    : group_(group),
      presentation_(on_generators(group, presentation)),
      options_(std::move(options)) {
  require_presentation(group_, presentation_);
  require_options(presentation_, options_);
}

AlgebraValues AlgebraLoss::operator()(const LearnedRepresentation& representation) const {
  if (!(representation->group() == group_)) {
    throw InputError({"the algebra loss is one of another group", group_.name(),
                      "the group of the learned representation, " + representation->group().name(),
                      "make both from the same group value"});
  }
  const auto& generators = representation->generators();
  const auto identity = at::eye(representation->dimension(), generators.front().options());
  AlgebraValues values;
  at::Tensor commutation;
  for (std::size_t i = 0; i < presentation_.relators.size(); ++i) {
    const Word& relator = presentation_.relators[i];
    values.relators.push_back(matrix_mse(evaluate(generators, relator), identity));
    const double weight = options_.weights.empty() ? 1.0 : options_.weights[i];
    const auto weighted = weight == 1.0 ? values.relators.back() : weight * values.relators.back();
    values.algebra = values.algebra.defined() ? values.algebra + weighted : weighted;
    if (mixes_generators(relator)) {
      commutation = commutation.defined() ? commutation + weighted : weighted;
    }
  }
  if (!values.algebra.defined()) {  // a free presentation: no condition to break
    values.algebra = at::zeros_like(generators.front()).mean({-2, -1});
  }
  if (options_.regulariser == Regulariser::damped_commutation) {
    values.regulariser = -options_.damping * commutation;
  } else if (options_.regulariser == Regulariser::inverse) {
    values.regulariser = inverse_term(representation);
  }
  return values;
}

at::Tensor AlgebraLoss::inverse_term(const LearnedRepresentation& representation) const {
  at::Tensor sum;
  for (std::size_t k = 0; k < group_.generators().size(); ++k) {
    const auto& matrix = representation->generators()[k];
    const auto order = static_cast<std::int64_t>(group_.element_order(group_.generators()[k]));
    const auto term = matrix_mse(at::matrix_power(matrix, order - 1),
                                 differentiable_inverse(matrix, group_.generator_names()[k]));
    sum = sum.defined() ? sum + term : term;
  }
  return sum;
}

}  // namespace algprior
