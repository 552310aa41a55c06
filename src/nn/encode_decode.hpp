#pragma once

#include "algprior/nn/network.hpp"

#include <memory>
#include <utility>
#include <vector>

#include <ATen/ATen.h>

namespace algprior::nn {

using LatentShapes = std::vector<std::vector<std::int64_t>>;

/// The network of a module with encode(x) → z and decode(z) → output.
template <class M>
Network encode_decode_network(const std::shared_ptr<M>& net, LatentShapes latent_shapes) {
  return make_network({.module = net,
                       .forward =
                           [net](const at::Tensor& x) {
                             const auto z = net->encode(x);
                             return Encoded{net->decode(z), {z}};
                           },
                       .decode = [net](const at::Tensor& z, std::size_t) { return net->decode(z); },
                       .latent_shapes = std::move(latent_shapes)});
}

/// The same for encode(x, streams): x and g·x go through the encoder in one pass, with batch
/// statistics of their own, and through the rest one after the other.
template <class M>
Network two_stream_network(const std::shared_ptr<M>& net, LatentShapes latent_shapes) {
  return make_network({.module = net,
                       .forward =
                           [net](const at::Tensor& x) {
                             const auto z = net->encode(x, 1);
                             return Encoded{net->decode(z), {z}};
                           },
                       .decode = [net](const at::Tensor& z, std::size_t) { return net->decode(z); },
                       .forward_pair =
                           [net](const at::Tensor& x, const at::Tensor& gx) {
                             const auto both = net->encode(at::cat({x, gx}, 0), 2);
                             const auto z = both.narrow(0, 0, x.size(0));
                             const auto zg = both.narrow(0, x.size(0), gx.size(0));
                             auto first = net->decode(z);
                             auto second = net->decode(zg);
                             return std::pair{Encoded{first, {z}}, Encoded{second, {zg}}};
                           },
                       .latent_shapes = std::move(latent_shapes)});
}

}  // namespace algprior::nn
