#include "algprior/nn/steerable/system.hpp"

#include "checks.hpp"

#include <ATen/ATen.h>

namespace algprior::steerable {
namespace {

bool is_free(const std::string& name) {
  return name.starts_with("free_");
}

}  // namespace

at::Tensor squared_norm(const std::vector<SteerableConv>& layers,
                        const std::function<bool(const std::string&)>& chosen) {
  at::Tensor sum;
  for (const SteerableConv& layer : layers) {
    for (const auto& item : layer->named_parameters()) {
      if (!chosen(item.key())) continue;
      const auto square = item.value().square().sum();
      sum = sum.defined() ? sum + square : square;
    }
  }
  return sum;
}

SystemLayers::SystemLayers(const SystemOptions& options) : options_(options) {
  check_options(options);
}

void check_options(const SystemOptions& options) {
  check_weight("the decay of equivariant weights", options.equivariant_decay);
  check_weight("the decay of free weights", options.free_decay);
  likelihood_terms({}, options.likelihood);  // checks its weights
}

SteerableConv SystemLayers::make(const KernelSpace& where, const ConvOptions& options) {
  ConvOptions chosen = options;
  KernelMap map;
  switch (options_.system) {
    case System::scnn:
    case System::restriction:
      map = projected(where);
      break;
    case System::rpp:
      map = sum("equivariant", projected(where), "free", free_kernel(where));
      chosen.free_bias = options.bias;
      break;
    case System::pscnn:
      likelihoods_.push_back(make_likelihood(*where.out.type.steering));
      map = lambda_averaged(where, likelihoods_.back(), options_.averaged);
      break;
  }
  layers_.push_back(SteerableConv(where, std::move(map), chosen));
  return layers_.back();
}

std::vector<Term> SystemLayers::terms() const {
  if (options_.system == System::pscnn) return likelihood_terms(likelihoods_, options_.likelihood);
  if (options_.system != System::rpp) return {};
  return {{"equivariant_weights",
           squared_norm(layers_, [](const std::string& name) { return !is_free(name); }),
           options_.equivariant_decay},
          {"free_weights", squared_norm(layers_, is_free), options_.free_decay}};
}

}  // namespace algprior::steerable
