#pragma once

#include "algprior/kernel/conv.hpp"
#include "algprior/nn/network.hpp"

#include <cstdint>
#include <vector>

namespace algprior::nn {

/// Which layer of the convolutional autoencoder is Z.
enum class LatentPlace {
  middle,  ///< the d numbers between encoder and decoder
  first,   ///< the first hidden layer, widened to d channels of 14×14
  last,    ///< the last hidden layer, likewise
};

/// The autoencoder of the TMNIST experiment for 1×28×28 images: three convolutions 1 → d/2 → d → 2d
/// (strides 2, 2 and a 7×7 that leaves one position) and a linear layer to z without activation;
/// the decoder mirrors them and ends in a sigmoid. 13,513 parameters for d = 8.
struct ConvAutoencoderOptions {
  std::int64_t latent = 8;  ///< d, even
  Activation activation = Activation::tanh;
  LatentPlace place = LatentPlace::middle;
};
Network make_conv_autoencoder(std::uint64_t seed, const ConvAutoencoderOptions& options = {});

/// The autoencoder of the MNIST experiment for images of `inputs` numbers: linear layers of the
/// hidden sizes with activations, z without; the decoder has the hidden sizes in reverse and ends
/// in a sigmoid.
struct MlpAutoencoderOptions {
  std::vector<std::int64_t> image = {1, 28, 28};  ///< the shape of one sample
  std::vector<std::int64_t> hidden = {512, 256, 128};
  std::int64_t latent = 18;
  Activation activation = Activation::tanh;
};
Network make_mlp_autoencoder(std::uint64_t seed, const MlpAutoencoderOptions& options = {});

/// The classifier of the CIFAR-10 experiment for 3×32×32 images: five 3×3 convolutions of 32, 32,
/// 64, 64, 64 channels with strides 2, 1, 2, 1, 2, a linear layer to z, and a head without bias.
struct CifarOptions {
  std::int64_t latent = 16;
  std::int64_t classes = 10;
  Activation activation = Activation::gelu;
};
Network make_cifar_network(std::uint64_t seed, const CifarOptions& options = {});

}  // namespace algprior::nn
