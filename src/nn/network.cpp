#include "algprior/nn/network.hpp"

#include "algprior/base/error.hpp"

#include <torch/nn/module.h>

namespace algprior {

Network make_network(Network network) {
  if (!network.module || !network.forward) {
    throw InputError({"a network is incomplete",
                      network.module ? "no forward function" : "no module",
                      "a torch::nn::Module and a function x -> {output, latents}",
                      "see examples/010-own-network.cpp"});
  }
  return network;
}

std::pair<Encoded, Encoded> encode_pair(const Network& network, const at::Tensor& x,
                                        const at::Tensor& gx) {
  if (network.forward_pair) return network.forward_pair(x, gx);
  auto first = network.forward(x);
  auto second = network.forward(gx);
  return {std::move(first), std::move(second)};
}

std::int64_t parameter_count(const Network& network) {
  std::int64_t count = 0;
  for (const auto& parameter : network.module->parameters()) {
    if (parameter.requires_grad()) count += parameter.numel();
  }
  return count;
}

}  // namespace algprior
