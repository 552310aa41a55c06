#include "algprior/base/error.hpp"
#include "algprior/nn/seeded.hpp"
#include "algprior/nn/sphere.hpp"
#include "truncated_normal.hpp"
#include "weight_count.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <torch/nn/modules/linear.h>

// X is N×K×d: d vectors of R^K. Every layer before the Gram matrix commutes with X ↦ QX for
// orthogonal Q, since it forms linear combinations of the vectors and scales them by functions of
// their inner products.

namespace algprior::nn {
namespace {

constexpr double kHeadEpsilon = 1e-6;
constexpr double kLeastEnergy = 1e-30;  // a Z of zeros stays one
constexpr double kFloor = 1e-3;         // where the learned floor of a norm starts

/// x_f · s_f / √(mean_i x_if² + ε + |e_f|)
class OrthogonalNormImpl : public torch::nn::Module {
 public:
  explicit OrthogonalNormImpl(std::int64_t features) {
    scale_ = register_parameter("scale", at::ones({features}));
    floor_ = register_parameter("floor", at::full({features}, kFloor));
  }
  at::Tensor forward(const at::Tensor& x) {
    const auto energy = x.square().mean(1, true);
    return x * (scale_ / (energy + kHeadEpsilon + floor_.abs()).sqrt());
  }

 private:
  at::Tensor scale_, floor_;
};
TORCH_MODULE(OrthogonalNorm);

torch::nn::Linear make_linear(std::int64_t in, std::int64_t out) {
  return torch::nn::Linear(torch::nn::LinearOptions(in, out).bias(false));
}

/// q + silu(−⟨q,k⟩) ⟨k,k⟩/(⟨k,k⟩² + ε) k with q = XW_q, k = XW_k: where q points against k, a part
/// of k is taken out.
class OrthogonalNeuronImpl : public torch::nn::Module {
 public:
  OrthogonalNeuronImpl(std::int64_t in, std::int64_t out) {
    query_ = register_module("query", make_linear(in, out));
    key_ = register_module("key", make_linear(in, out));
  }
  at::Tensor forward(const at::Tensor& x) {
    const auto q = query_->forward(x);
    const auto k = key_->forward(x);
    const auto dot = (q * k).sum(1, true);
    const auto size = k.square().sum(1, true);
    return q + at::silu(-dot) * (size / (size.square() + kHeadEpsilon)) * k;
  }

 private:
  torch::nn::Linear query_{nullptr}, key_{nullptr};
};
TORCH_MODULE(OrthogonalNeuron);

class OrthogonalHeadModule : public torch::nn::Module {
 public:
  explicit OrthogonalHeadModule(const OrthogonalHeadOptions& options)
      : features_(options.features), unit_(options.unit) {
    const auto norm = [&](const char* name, std::int64_t size) {
      return register_module(name, OrthogonalNorm(size));
    };
    norm1_ = norm("norm1", options.features);
    neuron1_ = register_module("neuron1", OrthogonalNeuron(options.features, options.width));
    norm2_ = norm("norm2", options.width);
    skip_ = register_module("skip", make_linear(options.features, options.width));
    norm3_ = norm("norm3", options.width);
    neuron2_ = register_module("neuron2", OrthogonalNeuron(options.width, options.width));
    norm4_ = norm("norm4", options.width);
    norm5_ = norm("norm5", options.width);
    neuron3_ = register_module("neuron3", OrthogonalNeuron(options.width, options.gram));
    const auto pairs = options.gram * (options.gram + 1) / 2;
    hidden_ = register_module("hidden", torch::nn::Linear(pairs, options.hidden));
    last_ = register_module("last", torch::nn::Linear(options.hidden, options.classes));
    triangle_ = at::triu_indices(options.gram, options.gram);
    triangle_ = triangle_[0] * options.gram + triangle_[1];
    start_truncated_normal(*this);
  }

  at::Tensor forward(const at::Tensor& z) {
    if (z.dim() < 3 || z.size(1) != features_) {
      throw InputError({"latents do not fit the orthogonal head",
                        fmt::format("{} axes, {} channels", z.dim(), z.dim() < 2 ? 0 : z.size(1)),
                        fmt::format("N x {} x …", features_), "make the head for this latent"});
    }
    auto x = z.flatten(2).transpose(1, 2);
    if (unit_) x = x * x.square().mean({1, 2}, true).clamp_min(kLeastEnergy).rsqrt();
    auto y = norm2_->forward(neuron1_->forward(norm1_->forward(x))) + skip_->forward(x);
    y = y + norm4_->forward(neuron2_->forward(norm3_->forward(y)));
    const auto read = neuron3_->forward(norm5_->forward(y));
    const auto gram = at::matmul(read.transpose(1, 2), read).flatten(1);
    const auto pairs = gram.index_select(1, triangle_.to(gram.device()));
    return last_->forward(at::silu(hidden_->forward(pairs)));
  }

 private:
  std::int64_t features_;
  bool unit_;
  OrthogonalNorm norm1_{nullptr}, norm2_{nullptr}, norm3_{nullptr}, norm4_{nullptr},
      norm5_{nullptr};
  OrthogonalNeuron neuron1_{nullptr}, neuron2_{nullptr}, neuron3_{nullptr};
  torch::nn::Linear skip_{nullptr}, hidden_{nullptr}, last_{nullptr};
  at::Tensor triangle_;  // not a parameter and not state
};

}  // namespace

Network make_orthogonal_head(std::uint64_t seed, const OrthogonalHeadOptions& options) {
  if (options.features < 1 || options.width < 1 || options.gram < 1 || options.hidden < 1 ||
      options.classes < 2) {
    throw InputError(
        {"the orthogonal head cannot be built",
         fmt::format("{} features, width {}, Gram {}, hidden {}, {} classes", options.features,
                     options.width, options.gram, options.hidden, options.classes),
         "sizes of at least 1, and at least 2 classes", ""});
  }
  const auto width = static_cast<double>(options.width), gram = static_cast<double>(options.gram);
  WeightCount weights;
  weights.add((3.0 * static_cast<double>(options.features) + 2.0 * width + 2.0 * gram) * width);
  weights.add((gram + 1.0) * gram / 2.0 * static_cast<double>(options.hidden));
  weights.add(gram * gram);  // places of the triangle
  weights.add_linear(options.hidden, options.classes);
  weights.check(fmt::format("an orthogonal head of width {}", options.width));
  const SeededInitialisation seeded(seed);
  const auto net = std::make_shared<OrthogonalHeadModule>(options);
  return make_network({.module = net, .forward = [net](const at::Tensor& z) {
                         return Encoded{net->forward(z), {}};
                       }});
}

}  // namespace algprior::nn
