#include "algprior/nn/registry.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/suggest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace algprior::nn {

const std::vector<NetworkKind>& network_kinds() {
  static const std::vector<NetworkKind> kinds = {ddmnist_kind(),
                                                 cifar_kind(),
                                                 mlp_kind(),
                                                 cnn_kind(),
                                                 conv_autoencoder_kind(),
                                                 mlp_autoencoder_kind(),
                                                 volumes_kind(),
                                                 fluid_kind(),
                                                 fluid_mlp_kind(),
                                                 sphere_autoencoder_kind(),
                                                 mobius_kind(),
                                                 steerable_digits_kind(),
                                                 steerable_flow_kind(),
                                                 steerable_volumes_kind()};
  return kinds;
}

const NetworkKind& network_kind(const std::string& name) {
  std::vector<std::string> names;
  for (const NetworkKind& kind : network_kinds()) {
    if (kind.name == name) return kind;
    names.push_back(kind.name);
  }
  throw InputError({"there is no network of this name", name,
                    fmt::format("one of {}", fmt::join(names, ", ")), did_you_mean(name, names)});
}

}  // namespace algprior::nn
