#include "algprior/base/error.hpp"
#include "algprior/kernel/conv_block.hpp"
#include "torch_bind.hpp"

namespace algprior::python {
namespace {

Activation to_activation(const std::string& word) {
  if (word == "identity") return Activation::identity;
  if (word == "elu") return Activation::elu;
  if (word == "relu") return Activation::relu;
  if (word == "tanh") return Activation::tanh;
  if (word == "gelu") return Activation::gelu;
  throw InputError(
      {"no such activation", "\"" + word + "\"", "identity, elu, relu, tanh or gelu", ""});
}

using Axes = std::array<int, 3>;

}  // namespace

void bind_blocks(py::module_& module) {
  module.def(
      "conv_block",
      [](const at::Tensor& x, const at::Tensor& weight, const std::optional<at::Tensor>& bias,
         const std::optional<std::vector<at::Tensor>>& norm, int axes, const Axes& stride,
         const Axes& padding, const Axes& replicate, const std::string& activation,
         const Axes& pool_kernel, const Axes& pool_stride, const Axes& pool_padding, bool training,
         double momentum, double eps, std::int64_t streams,
         const std::optional<std::string>& kernels) {
        ConvBlockConfig config;
        config.axes = axes;
        config.stride = stride;
        config.padding = padding;
        config.replicate = replicate;
        config.activation = to_activation(activation);
        config.pool = {pool_kernel, pool_stride, pool_padding};
        config.training = training;
        config.momentum = momentum;
        config.eps = eps;
        config.streams = streams;
        if (kernels) config.kernels = to_kernels(*kernels);
        BatchNormTensors tensors;
        if (norm) tensors = {norm->at(0), norm->at(1), norm->at(2), norm->at(3)};
        return conv_block(x, weight, bias.value_or(at::Tensor()), tensors, config);
      },
      py::arg("x"), py::arg("weight"), py::arg("bias"), py::arg("norm"), py::arg("axes"),
      py::arg("stride"), py::arg("padding"), py::arg("replicate"), py::arg("activation"),
      py::arg("pool_kernel"), py::arg("pool_stride"), py::arg("pool_padding"), py::arg("training"),
      py::arg("momentum"), py::arg("eps"), py::arg("streams"), py::arg("kernels"), Unlocked());
  module.def("kernels", [] { return to_string(kernels()); });
  module.def(
      "set_kernels", [](const std::string& word) { set_kernels(to_kernels(word)); },
      py::arg("choice"));
  module.def("kernel_target", &kernel_target);
}

}  // namespace algprior::python
