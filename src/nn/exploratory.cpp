#include "algprior/nn/exploratory.hpp"

#include "algprior/base/choice.hpp"
#include "algprior/base/error.hpp"
#include "algprior/kernel/shape_text.hpp"
#include "algprior/nn/registry.hpp"
#include "algprior/nn/seeded.hpp"
#include "encode_decode.hpp"
#include "weight_count.hpp"

#include <algorithm>

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>

namespace algprior::nn {
namespace {

constexpr Choices<Activation, 3> kActivations = {
    {"tanh", Activation::tanh}, {"relu", Activation::relu}, {"gelu", Activation::gelu}};
constexpr Choices<LatentPlace, 3> kPlaces = {
    {"middle", LatentPlace::middle}, {"first", LatentPlace::first}, {"last", LatentPlace::last}};

using torch::nn::Conv2d;
using torch::nn::Conv2dOptions;
using torch::nn::ConvTranspose2d;
using torch::nn::ConvTranspose2dOptions;
using torch::nn::Linear;
using torch::nn::Sequential;

// An encoder up to Z and the rest of the network from Z on; nothing in them mixes samples.
class TwoPartModule : public torch::nn::Module {
 public:
  TwoPartModule(Sequential encoder, Sequential decoder, std::vector<std::int64_t> image)
      : image_(std::move(image)) {
    encoder_ = register_module("encoder", std::move(encoder));
    decoder_ = register_module("decoder", std::move(decoder));
  }

  at::Tensor encode(const at::Tensor& x) {
    if (x.sizes().slice(1) != at::IntArrayRef(image_)) {
      throw InputError({"samples do not fit the network", shape_text(x),
                        fmt::format("N x {}", fmt::join(image_, " x ")),
                        "use data of the shape that the network was made for"});
    }
    return encoder_->forward(x);
  }
  at::Tensor decode(const at::Tensor& z) { return decoder_->forward(z); }

 private:
  Sequential encoder_{nullptr};
  Sequential decoder_{nullptr};
  std::vector<std::int64_t> image_;
};

Network to_network(Sequential encoder, Sequential decoder, std::vector<std::int64_t> image,
                   std::vector<std::int64_t> latent, bool small_layers) {
  const auto net =
      std::make_shared<TwoPartModule>(std::move(encoder), std::move(decoder), std::move(image));
  Network network = encode_decode_network(net, {std::move(latent)});
  network.encode = [net](const at::Tensor& x) { return std::vector<at::Tensor>{net->encode(x)}; };
  network.small_layers = small_layers;
  return network;
}

void add_activation(Sequential& layers, Activation activation) {
  switch (activation) {
    case Activation::identity:
      return;
    case Activation::elu:
      layers->push_back(torch::nn::ELU());
      return;
    case Activation::relu:
      layers->push_back(torch::nn::ReLU());
      return;
    case Activation::tanh:
      layers->push_back(torch::nn::Tanh());
      return;
    case Activation::gelu:
      layers->push_back(torch::nn::GELU());
      return;
  }
}

void add_up(Sequential& layers, std::int64_t in, std::int64_t out) {
  layers->push_back(
      ConvTranspose2d(ConvTranspose2dOptions(in, out, 3).stride(2).padding(1).output_padding(1)));
}

void add_down(Sequential& layers, std::int64_t in, std::int64_t out, std::int64_t stride) {
  layers->push_back(Conv2d(Conv2dOptions(in, out, 3).stride(stride).padding(1)));
}

[[noreturn]] void refuse_sizes(const std::string& sizes, const std::string& expected) {
  throw InputError({"the network cannot be built", sizes, expected, ""});
}

}  // namespace

Network make_conv_autoencoder(std::uint64_t seed, const ConvAutoencoderOptions& options) {
  const auto d = options.latent;
  if (d < 2 || d % 2 != 0)
    refuse_sizes(fmt::format("latent {}", d), "an even latent of at least 2");
  WeightCount weights;
  weights.add_convolution(d, d, 14, 2);  // 98 + 98 of the two 7×7, 9 + 9 of the 3×3 at most
  weights.check(fmt::format("convolutional autoencoder with latent {}", d));
  const SeededInitialisation seeded(seed);
  const auto first = options.place == LatentPlace::first ? d : d / 2;
  const auto last = options.place == LatentPlace::last ? d : d / 2;
  Sequential encoder, decoder;
  // Everything behind Z belongs to the decoder, wherever Z is.
  Sequential* part = &encoder;
  add_down(*part, 1, first, 2);
  add_activation(*part, options.activation);
  if (options.place == LatentPlace::first) part = &decoder;
  add_down(*part, first, d, 2);
  add_activation(*part, options.activation);
  (*part)->push_back(Conv2d(Conv2dOptions(d, 2 * d, 7)));
  add_activation(*part, options.activation);
  (*part)->push_back(torch::nn::Flatten());
  (*part)->push_back(Linear(2 * d, d));
  if (options.place == LatentPlace::middle) part = &decoder;
  (*part)->push_back(Linear(d, 2 * d));
  (*part)->push_back(torch::nn::Unflatten(torch::nn::UnflattenOptions(1, {2 * d, 1, 1})));
  (*part)->push_back(ConvTranspose2d(ConvTranspose2dOptions(2 * d, d, 7)));
  add_activation(*part, options.activation);
  add_up(*part, d, last);
  add_activation(*part, options.activation);
  if (options.place == LatentPlace::last) part = &decoder;
  add_up(*part, last, 1);
  (*part)->push_back(torch::nn::Sigmoid());
  const bool grid = options.place != LatentPlace::middle;
  return to_network(std::move(encoder), std::move(decoder), {1, 28, 28},
                    grid ? std::vector<std::int64_t>{d, 14, 14} : std::vector<std::int64_t>{d},
                    true);
}

Network make_mlp_autoencoder(std::uint64_t seed, const MlpAutoencoderOptions& options) {
  double numbers = 1;
  for (const auto extent : options.image)
    numbers *= static_cast<double>(std::max<std::int64_t>(extent, 0));
  check_memory(4.0 * numbers, "a sample", fmt::format("{}", fmt::join(options.image, " x ")));
  const auto inputs = static_cast<std::int64_t>(numbers);
  const bool hidden_fit = std::all_of(options.hidden.begin(), options.hidden.end(),
                                      [](std::int64_t size) { return size >= 1; });
  if (inputs < 1 || options.latent < 1 || !hidden_fit) {
    refuse_sizes(fmt::format("image {}, hidden {}, latent {}", fmt::join(options.image, " x "),
                             fmt::join(options.hidden, " "), options.latent),
                 "sizes of at least 1");
  }
  WeightCount weights;
  std::int64_t before = inputs;
  for (const auto size : options.hidden) {
    weights.add_linear(before, size);
    before = size;
  }
  weights.add_linear(before, options.latent);
  weights.check(fmt::format("autoencoder with hidden {}, latent {}", fmt::join(options.hidden, " "),
                            options.latent));
  const SeededInitialisation seeded(seed);
  Sequential encoder, decoder;
  encoder->push_back(torch::nn::Flatten());
  std::int64_t width = inputs;
  for (const auto size : options.hidden) {
    encoder->push_back(Linear(width, size));
    add_activation(encoder, options.activation);
    width = size;
  }
  encoder->push_back(Linear(width, options.latent));
  width = options.latent;
  for (auto size = options.hidden.rbegin(); size != options.hidden.rend(); ++size) {
    decoder->push_back(Linear(width, *size));
    add_activation(decoder, options.activation);
    width = *size;
  }
  decoder->push_back(Linear(width, inputs));
  decoder->push_back(torch::nn::Sigmoid());
  decoder->push_back(torch::nn::Unflatten(torch::nn::UnflattenOptions(1, options.image)));
  return to_network(std::move(encoder), std::move(decoder), options.image, {options.latent}, true);
}

Network make_cifar_network(std::uint64_t seed, const CifarOptions& options) {
  if (options.latent < 1 || options.classes < 2) {
    refuse_sizes(fmt::format("latent {}, classes {}", options.latent, options.classes),
                 "at least 1 latent coordinate and 2 classes");
  }
  WeightCount weights;
  weights.add_linear(64 * 4 * 4, options.latent);
  weights.add_linear(options.latent, options.classes);
  weights.check(fmt::format("network with latent {}, {} classes", options.latent, options.classes));
  const SeededInitialisation seeded(seed);
  Sequential encoder, head;
  std::int64_t in = 3;
  for (const auto& [out, stride] :
       {std::pair<std::int64_t, std::int64_t>{32, 2}, {32, 1}, {64, 2}, {64, 1}, {64, 2}}) {
    add_down(encoder, in, out, stride);
    add_activation(encoder, options.activation);
    in = out;
  }
  encoder->push_back(torch::nn::Flatten());
  encoder->push_back(Linear(in * 4 * 4, options.latent));
  head->push_back(Linear(torch::nn::LinearOptions(options.latent, options.classes).bias(false)));
  return to_network(std::move(encoder), std::move(head), {3, 32, 32}, {options.latent}, false);
}

namespace {

struct CifarSettings {
  CifarOptions options{.latent = 66, .activation = Activation::tanh};

  void bind(config::Fields& fields) {
    fields.integer("network.latent", options.latent, "dim Z").at_least(1);
    fields.choice("network.activation", options.activation, kActivations, "after each convolution");
  }
};

struct ConvAutoencoderSettings {
  ConvAutoencoderOptions options;

  void bind(config::Fields& fields) {
    fields.integer("network.latent", options.latent, "dim Z, even").at_least(2);
    fields.choice("network.activation", options.activation, kActivations, "of the hidden layers");
    fields.choice("network.place", options.place, kPlaces, "which layer is Z");
  }
};

struct MlpAutoencoderSettings {
  MlpAutoencoderOptions options{.hidden = {256, 128}};

  void bind(config::Fields& fields) {
    fields.integer("network.latent", options.latent, "dim Z").at_least(1);
    fields.integers("network.hidden", options.hidden, "sizes of the layers before Z").at_least(1);
    fields.choice("network.activation", options.activation, kActivations, "of the hidden layers");
  }
};

}  // namespace

NetworkKind cifar_kind() {
  return make_network_kind<CifarSettings>(
      "cifar", "convolutional classifier for 3×32×32 images", Output::vector,
      [](std::uint64_t seed, const Shapes& shapes, const CifarSettings& settings) {
        CifarOptions options = settings.options;
        options.classes = shapes.outputs;
        return make_cifar_network(seed, options);
      });
}

NetworkKind conv_autoencoder_kind() {
  return make_network_kind<ConvAutoencoderSettings>(
      "conv_autoencoder", "convolutional autoencoder for 1×28×28 images", Output::sample,
      [](std::uint64_t seed, const Shapes&, const ConvAutoencoderSettings& settings) {
        return make_conv_autoencoder(seed, settings.options);
      });
}

NetworkKind mlp_autoencoder_kind() {
  return make_network_kind<MlpAutoencoderSettings>(
      "mlp_autoencoder",
      "autoencoder of linear layers, for samples of any shape with values in 0…1", Output::sample,
      [](std::uint64_t seed, const Shapes& shapes, const MlpAutoencoderSettings& settings) {
        MlpAutoencoderOptions options = settings.options;
        options.image = shapes.sample;
        return make_mlp_autoencoder(seed, options);
      });
}

}  // namespace algprior::nn
