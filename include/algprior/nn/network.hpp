#pragma once

#include "algprior/prior/head.hpp"
#include "algprior/prior/terms.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

namespace torch::nn {
class Module;
}

namespace algprior {

/// What a network makes of a batch: its output D(E(x)) and the latent layers that priors speak of.
struct Encoded {
  at::Tensor output;
  std::vector<at::Tensor>
      latents;  ///< z for each layer that carries a prior, in the network's order
};

/// A network as the library sees it: any torch::nn::Module with two functions. Nobody inherits from
/// anything.
///
///     auto net = std::make_shared<MyNet>();
///     auto network = algprior::make_network({.module = net, .forward = [net](const at::Tensor& x)
///     {
///       auto z = net->encode(x);
///       return algprior::Encoded{net->head(z), {z}};
///     }});
struct Network {
  using Forward = std::function<Encoded(const at::Tensor& x)>;
  using Decode = std::function<at::Tensor(const at::Tensor& z, std::size_t layer)>;
  using Encode = std::function<std::vector<at::Tensor>(const at::Tensor& x)>;
  using ForwardPair =
      std::function<std::pair<Encoded, Encoded>(const at::Tensor& x, const at::Tensor& gx)>;

  std::shared_ptr<torch::nn::Module> module;
  Forward forward;
  Decode decode = {};  ///< the rest of the network from layer `layer` on; may be empty
  /// x and g·x in one pass with batch statistics of their own; up to rounding it must give what two
  /// passes in order give, running averages included. May be empty.
  ForwardPair forward_pair = {};
  /// The latents alone, without the output; may be empty. Only for networks that treat every sample
  /// by itself (no batch statistics): whoever finds it may send several streams through it, and
  /// through `decode`, as one batch.
  Encode encode = {};
  /// The shape of each latent without the batch: {66}, or {92, 64, 64} for a grid. May be empty:
  /// whoever needs it says so.
  std::vector<std::vector<std::int64_t>> latent_shapes = {};
  Head head = Head::unknown;  ///< what stands between Z and the outputs
  /// Its layers are small matrices, which LibTorch multiplies faster on one thread than on several
  /// as long as a batch is small too.
  bool small_layers = false;
  /// What its parameters lose by themselves, whatever the data: terms of every training step. May
  /// be empty.
  std::function<std::vector<Term>()> terms = {};
};

/// The network itself, checked. Throws InputError when the module or `forward` is missing.
///
///     make_network({.module = net, .forward = …, .decode = …})
Network make_network(Network network);

/// The network on x and on g·x: its own joint pass, or two passes, x first.
std::pair<Encoded, Encoded> encode_pair(const Network& network, const at::Tensor& x,
                                        const at::Tensor& gx);

/// The number of trainable parameters.
std::int64_t parameter_count(const Network& network);

}  // namespace algprior
