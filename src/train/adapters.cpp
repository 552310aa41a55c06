// Optimizers as the trainer sees them.
#include "algprior/base/error.hpp"
#include "algprior/train/optimizer.hpp"

#include <cstring>
#include <sstream>

#include <ATen/ATen.h>
#include <torch/optim/optimizer.h>
#include <torch/optim/serialize.h>
#include <torch/serialize.h>

namespace algprior {
namespace {

constexpr const char* kBytes = "libtorch";

at::Tensor to_bytes(const std::string& text) {
  const auto bytes = at::empty({static_cast<std::int64_t>(text.size())}, at::kByte);
  std::memcpy(bytes.data_ptr(), text.data(), text.size());
  return bytes;
}

}  // namespace

Optimizer to_optimizer(std::shared_ptr<Adam> adam) {
  return {.zero_gradients = [adam] { adam->zero_gradients(); },
          .step = [adam](double factor) { adam->step(factor); },
          .state = [adam] { return adam->state(); },
          .set_state = [adam](const Optimizer::State& state) { adam->set_state(state); }};
}

Optimizer to_optimizer(std::shared_ptr<torch::optim::Optimizer> optimizer) {
  if (!optimizer) {
    throw InputError({"there is no optimizer", "an empty pointer", "an optimizer", ""});
  }
  std::vector<double> rates;
  for (auto& group : optimizer->param_groups()) rates.push_back(group.options().get_lr());
  return {.zero_gradients = [optimizer] { optimizer->zero_grad(); },
          .step =
              [optimizer, rates](double factor) {
                for (std::size_t i = 0; i < rates.size(); ++i) {
                  optimizer->param_groups()[i].options().set_lr(rates[i] * factor);
                }
                optimizer->step();
              },
          .state =
              [optimizer] {
                std::ostringstream text;
                torch::save(*optimizer, text);
                return Optimizer::State{{kBytes, to_bytes(text.str())}};
              },
          .set_state =
              [optimizer](const Optimizer::State& state) {
                const auto found = state.find(kBytes);
                if (found == state.end()) {
                  throw InputError({"a checkpoint is one of another optimizer",
                                    "the library's Adam", "one that a LibTorch optimizer wrote",
                                    "resume with the optimizer that the run began with"});
                }
                const auto bytes = found->second.contiguous();
                std::istringstream text(std::string(static_cast<const char*>(bytes.data_ptr()),
                                                    static_cast<std::size_t>(bytes.numel())));
                torch::load(*optimizer, text);
              }};
}

}  // namespace algprior
