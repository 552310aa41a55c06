#include "algprior/nn/learned.hpp"

#include "algprior/base/error.hpp"
#include "algprior/group/presentation.hpp"
#include "algprior/io/safetensors.hpp"
#include "algprior/nn/arrays.hpp"

#include <fmt/format.h>

namespace algprior {
namespace {

struct NetworkAndRepresentation : torch::nn::Module {
  NetworkAndRepresentation(const Network& network, const LearnedRepresentation& representation) {
    register_module("network", network.module);
    register_module("representation", representation.ptr());
  }
};

}  // namespace

Network with_representation(const Network& network, const LearnedRepresentation& representation) {
  Network both = network;
  both.module = std::make_shared<NetworkAndRepresentation>(network, representation);
  return both;
}

void save_representation(const LearnedRepresentation& representation,
                         const std::filesystem::path& path) {
  const Group& group = representation->group();
  io::SafeTensors file;
  for (std::size_t k = 0; k < group.generators().size(); ++k) {
    file.tensors[group.generator_names()[k]] = to_array(representation->generators()[k]);
  }
  file.metadata = {{"group", group.name()}, {"presentation", to_string(group.presentation())}};
  io::write_safetensors(path, file);
}

LearnedRepresentation load_representation(const Group& group, const std::filesystem::path& path) {
  const io::SafeTensors file = io::read_safetensors(path);
  const auto found = file.metadata.find("group");
  if (found != file.metadata.end() && found->second != group.name()) {
    throw InputError({"a learned representation is one of another group",
                      fmt::format("{} in {}", found->second, path.string()), group.name(),
                      "load it with the group that it was trained with"});
  }
  if (file.tensors.size() != group.generators().size()) {
    throw InputError({"a file does not hold a representation of the group",
                      fmt::format("{} tensors in {}", file.tensors.size(), path.string()),
                      fmt::format("one for each of the {} generators of {}",
                                  group.generators().size(), group.name()),
                      ""});
  }
  std::vector<at::Tensor> matrices;
  for (const auto& name : group.generator_names()) matrices.push_back(to_tensor(file.at(name)));
  return LearnedRepresentation(group, matrices);
}

}  // namespace algprior
