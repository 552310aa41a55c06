#pragma once

#include "algprior/config/fields.hpp"
#include "algprior/nn/network.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace algprior::nn {

/// What the data asks of a network.
struct Shapes {
  std::vector<std::int64_t> sample;  ///< of one input, without the batch: {1, 28, 28}
  std::int64_t outputs = 0;          ///< numbers in one output: the classes of a classifier
  std::string group = {};            ///< the name of the group that acts on inputs, where one does
};

/// What a network gives back: as many numbers as there are outputs, or something of the input's
/// shape.
enum class Output { vector, sample };

/// A network that experiment files can name. Each stands beside its code, with its keys, and in the
/// table of registry.cpp.
struct NetworkKind {
  using Make = std::function<Network(std::uint64_t seed, const Shapes& shapes)>;

  std::string name;
  std::string sentence;
  Output output = Output::vector;
  /// Declares the keys of its options; what it returns reads them when it is called.
  std::function<Make(config::Fields& fields)> begin;
};

/// From options with `bind(Fields&)` and a function that makes the network.
template <class Options>
NetworkKind make_network_kind(std::string name, std::string sentence, Output output,
                              Network (*make)(std::uint64_t, const Shapes&, const Options&)) {
  return {std::move(name), std::move(sentence), output, [make](config::Fields& fields) {
            auto options = std::make_shared<Options>();
            options->bind(fields);
            return NetworkKind::Make([options, make](std::uint64_t seed, const Shapes& shapes) {
              return make(seed, shapes, *options);
            });
          }};
}

const std::vector<NetworkKind>& network_kinds();

/// Throws InputError naming the nearest kind.
const NetworkKind& network_kind(const std::string& name);

// One for each file of networks.
NetworkKind ddmnist_kind();
NetworkKind cifar_kind();
NetworkKind mlp_kind();
NetworkKind cnn_kind();
NetworkKind conv_autoencoder_kind();
NetworkKind mlp_autoencoder_kind();
NetworkKind volumes_kind();
NetworkKind fluid_kind();
NetworkKind fluid_mlp_kind();
NetworkKind steerable_digits_kind();
NetworkKind steerable_flow_kind();
NetworkKind sphere_autoencoder_kind();
NetworkKind mobius_kind();
NetworkKind steerable_volumes_kind();

}  // namespace algprior::nn
