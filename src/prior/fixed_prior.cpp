#include "algprior/prior/fixed_prior.hpp"

#include "algprior/action/latent.hpp"
#include "algprior/base/error.hpp"
#include "algprior/prior/equivariance.hpp"

#include <cmath>
#include <set>

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace algprior {
namespace {

const at::Tensor& layer_of(const std::vector<at::Tensor>& latents, std::size_t layer) {
  if (layer < latents.size()) return latents[layer];
  throw InputError({"the network has no such latent layer", fmt::format("layer {}", layer),
                    fmt::format("one of the {} latents that it returns", latents.size()),
                    "return the layer's output among the latents"});
}

}  // namespace

FixedPrior::FixedPrior(std::vector<LatentTarget> targets, double weight, LossScale scale)
    : targets_(std::move(targets)), weight_(weight), scale_(scale) {
  std::set<std::size_t> layers;
  for (const auto& target : targets_) layers.insert(target.layer);
  if (targets_.empty() || layers.size() != targets_.size()) {
    throw InputError({"a prior needs latent layers, each once",
                      fmt::format("{} targets on {} layers", targets_.size(), layers.size()),
                      "one target a layer", ""});
  }
  if (!std::isfinite(weight_) || weight_ < 0.0) {
    throw InputError({"a prior has no usable weight", fmt::format("{}", weight_),
                      "a number that is not negative", ""});
  }
}

void FixedPrior::add_terms(Terms& terms, const std::vector<at::Tensor>& z,
                           const std::vector<at::Tensor>& zg, const at::Tensor& g) const {
  const at::AutoGradMode gradient(weight_ != 0.0 && at::GradMode::is_enabled());
  for (const auto& target : targets_) {
    auto name = targets_.size() == 1 ? std::string("equivariance")
                                     : fmt::format("equivariance_{}", target.layer);
    const auto& first = layer_of(z, target.layer);
    const auto& second = layer_of(zg, target.layer);
    const auto loss = scale_ == LossScale::relative        ? relative_equivariance_loss
                      : scale_ == LossScale::against_first ? loss_against_first
                                                           : equivariance_loss;
    terms.add(std::move(name), loss(target.action, first, second, g), weight_);
  }
}

FixedPrior make_fixed_prior(const Representation& representation, std::int64_t dimension,
                            double weight) {
  return FixedPrior({{0, latent_action(representation, dimension)}}, weight);
}

}  // namespace algprior
