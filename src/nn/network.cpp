#include "algprior/nn/network.hpp"

#include "algprior/base/error.hpp"
#include "algprior/kernel/detail/translate.hpp"
#include "algprior/kernel/shape_text.hpp"

#include <initializer_list>

#include <ATen/ATen.h>
#include <torch/nn/module.h>

namespace algprior {
namespace {

std::string shapes_of(std::initializer_list<at::Tensor> inputs) {
  std::string text;
  for (const at::Tensor& input : inputs) {
    text += (text.empty() ? "" : " and ") + shape_text(input);
  }
  return text;
}

}  // namespace

Network make_network(Network network) {
  if (!network.module || !network.forward) {
    throw InputError({"a network is incomplete",
                      network.module ? "no forward function" : "no module",
                      "a torch::nn::Module and a function x -> {output, latents}",
                      "see examples/010-own-network.cpp"});
  }
  const auto translating = [](auto function) {
    return [function = std::move(function)](const auto&... inputs) {
      return translated("the network does not take its input", shapes_of({inputs...}),
                        [&] { return function(inputs...); });
    };
  };
  network.forward = translating(std::move(network.forward));
  if (network.forward_pair) network.forward_pair = translating(std::move(network.forward_pair));
  if (network.encode) network.encode = translating(std::move(network.encode));
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
