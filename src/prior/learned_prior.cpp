#include "algprior/prior/learned_prior.hpp"

#include "algprior/base/error.hpp"
#include "algprior/kernel/detail/translate.hpp"
#include "algprior/prior/equivariance.hpp"

#include <cmath>

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace algprior {

LearnedPrior::LearnedPrior(LearnedRepresentation representation, AlgebraLoss algebra,
                           LearnedPriorWeights weights)
    : representation_(std::move(representation)), algebra_(std::move(algebra)), weights_(weights) {
  if (!(representation_->group() == algebra_.group()) ||
      representation_->generators().front().dim() != 2) {
    throw InputError({"a learned prior needs one representation of the algebra loss's group",
                      representation_->group().name(), algebra_.group().name(),
                      "make both from the same group value"});
  }
  for (const double weight :
       {weights_.latent_to_output, weights_.equivariance, weights_.algebra, weights_.regulariser}) {
    if (std::isfinite(weight) && weight >= 0.0) continue;
    throw InputError({"a learned prior has no usable weight", fmt::format("{}", weight),
                      "numbers that are not negative", ""});
  }
}

at::Tensor LearnedPrior::move(const at::Tensor& g, const at::Tensor& z) const {
  check_finite(representation_);
  return translated("a learned representation does not act on this",
                    representation_->group().name(), [&] { return representation_->apply(g, z); });
}

void LearnedPrior::add_terms(Terms& terms, const at::Tensor& moved, const at::Tensor& zg,
                             const at::Tensor& task) const {
  const bool enabled = at::GradMode::is_enabled();
  if (task.defined()) terms.add("latent_to_output", task, weights_.latent_to_output);
  {
    const at::AutoGradMode gradient(enabled && weights_.equivariance != 0.0);
    terms.add("equivariance", mean_squared_error(moved, zg), weights_.equivariance);
  }
  const at::AutoGradMode gradient(enabled &&
                                  (weights_.algebra != 0.0 || weights_.regulariser != 0.0));
  const auto values = algebra_(representation_);
  terms.add("algebra", values.algebra, weights_.algebra);
  if (values.regulariser.defined()) {
    terms.add("regulariser", values.regulariser, weights_.regulariser);
  }
}

}  // namespace algprior
