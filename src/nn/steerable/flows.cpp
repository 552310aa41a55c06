#include "algprior/nn/steerable/flows.hpp"

#include "../encode_decode.hpp"
#include "../weight_count.hpp"
#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/kernel/shape_text.hpp"
#include "algprior/nn/batch_norm.hpp"
#include "algprior/nn/registry.hpp"
#include "algprior/nn/seeded.hpp"
#include "algprior/nn/steerable/layers.hpp"
#include "algprior/rep/constructions.hpp"
#include "checks.hpp"
#include "settings.hpp"
#include "tensors.hpp"

#include <optional>

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/linear.h>

namespace algprior::steerable {
namespace {

constexpr std::size_t kFlowLayers = 5, kLiftAt = 2;
constexpr std::int64_t kVelocity = 2;

/// Batch norm between linear layers: the code of a whole input, for every pixel the same.
class CodeModule : public torch::nn::Module {
 public:
  CodeModule(std::int64_t inputs, std::int64_t width, std::int64_t outputs) {
    first_ = register_module("first", torch::nn::Linear(inputs, width));
    second_ = register_module("second", torch::nn::Linear(width, width));
    third_ = register_module("third", torch::nn::Linear(width, outputs));
    first_norm_ = register_module("first_norm", torch::nn::BatchNorm1d(width));
    second_norm_ = register_module("second_norm", torch::nn::BatchNorm1d(width));
  }

  at::Tensor forward(const at::Tensor& x) {
    auto value = at::relu(nn::normalise(*first_norm_, first_->forward(x.flatten(1))));
    value = at::relu(nn::normalise(*second_norm_, second_->forward(value)));
    return third_->forward(value);
  }

 private:
  torch::nn::Linear first_{nullptr}, second_{nullptr}, third_{nullptr};
  torch::nn::BatchNorm1d first_norm_{nullptr}, second_norm_{nullptr};
};

struct FlowTypes {
  FieldType regular, vector, scalar;
};

FlowTypes flow_types(bool published_sign) {
  const Group group = make_group("C4");
  const SteeringPtr steering = make_steering(group);
  const Element turn = group.generators().at(0);
  const Eigen::MatrixXd quarter = (published_sign ? -1 : 1) * steering->space[turn];
  return {make_field(steering, regular_representation(group)),
          make_field(steering, matrix_representation(group, {quarter})),
          field_of_irreps(steering, {0})};
}

class FlowModule : public torch::nn::Module {
 public:
  explicit FlowModule(const FlowNetworkOptions& options) : options_(options) {
    const FlowTypes types = flow_types(options.published_sign);
    const bool banks = options.system == FlowSystem::rgroup;
    const bool scalars = banks && !options.vectors;
    Fields in = scalars ? Fields{types.scalar, kVelocity * options.frames}
                        : Fields{types.vector, options.frames};
    for (std::size_t i = 0; i < kFlowLayers; ++i) {
      const bool last = i + 1 == kFlowLayers;
      const Fields out = !last   ? Fields{types.regular, options.hidden}
                         : banks ? Fields{types.regular, kVelocity}
                                 : Fields{types.vector, 1};
      if (options.system == FlowSystem::lift && i == kLiftAt) in.copies += code_fields();
      add_layer(i, in, out, last);
      in = out;
    }
    if (options.system == FlowSystem::lift) {
      const auto inputs = kVelocity * options.frames * options.height * options.width;
      code_ = register_module(
          "code", std::make_shared<CodeModule>(inputs, options.code_width, 4 * code_fields()));
    }
    for (std::size_t i = 0; i < likelihoods_.size(); ++i) {
      register_parameter("likelihood" + std::to_string(i), likelihoods_[i].coefficients);
    }
    if (banks && options.vectors) turns_ = velocity_turns(types.vector);
  }

  at::Tensor encode(const at::Tensor& x) {
    if (!x.defined() || x.dim() != 4 || x.size(1) != kVelocity * options_.frames) {
      throw InputError({"frames do not fit the steerable flow network", shape_text(x),
                        fmt::format("N x {} x H x W", kVelocity * options_.frames),
                        "give it as many frames as it was made for"});
    }
    auto value = x;
    for (std::size_t i = 0; i + 1 < kFlowLayers; ++i) {
      if (code_ && i == kLiftAt) {
        const auto code = code_->forward(x).unsqueeze(-1).unsqueeze(-1);
        value = at::cat({value, code.expand({-1, -1, x.size(2), x.size(3)})}, 1);
      }
      value = convs_[i]->forward(value);
      if (!inner_.empty()) value = inner_[i]->forward(value);
      if (!plain_.empty()) value = nn::normalise(*plain_[i], value);
      if (options_.activations || options_.system != FlowSystem::rgroup || i == 0) {
        value = at::relu(value);
      }
    }
    return value;
  }

  at::Tensor decode(const at::Tensor& z) {
    const auto value = convs_.back()->forward(z);
    if (options_.system != FlowSystem::rgroup) return value;
    const auto parts = value.view({value.size(0), kVelocity, 4, value.size(2), value.size(3)});
    if (!options_.vectors) return parts.mean(2);
    // Each element says a velocity in the frame that it turned to.
    return at::einsum("hab,nbhyx->nayx", {turns_.to(parts.options()), parts}) / 4;
  }

  std::vector<Term> terms() const {
    if (options_.system == FlowSystem::pscnn) {
      return likelihood_terms(likelihoods_, options_.likelihood);
    }
    if (options_.system == FlowSystem::rpp) {
      const auto norm =
          squared_norm(convs_, [](const std::string& name) { return name.starts_with("free_"); });
      return {{"relaxation", (options_.decay * norm).square(), 1.0}};
    }
    if (options_.system != FlowSystem::rsteer) return {};
    at::Tensor sum;
    for (const SteerableConv& conv : convs_) {
      const auto w = conv->named_parameters()["weight"];
      const auto points = w.size(3);
      const auto steps = (w.narrow(3, 1, points - 1) - w.narrow(3, 0, points - 1)).abs().mean();
      sum = sum.defined() ? sum + steps : steps;
    }
    return {{"relaxation", (options_.smoothness * sum).square(), 1.0}};
  }

 private:
  std::int64_t code_fields() const { return options_.hidden / 4; }

  void add_layer(std::size_t i, const Fields& in, const Fields& out, bool last) {
    const bool banks = options_.system == FlowSystem::rgroup;
    const auto kind = banks ? SpatialKind::pixels : SpatialKind::rings;
    const KernelSpace where{in, out, make_spatial_basis({.kernel = 3, .kind = kind})};
    const auto name = std::to_string(i);
    ConvOptions conv{.padding = 1};
    conv.bias = !banks && options_.system != FlowSystem::rsteer;
    conv.free_bias = options_.system == FlowSystem::rpp || options_.system == FlowSystem::rsteer;
    convs_.push_back(register_module("conv" + name, SteerableConv(where, map_of(where), conv)));
    if (last) return;
    switch (options_.system) {
      case FlowSystem::rpp:
        plain_.push_back(register_module("norm" + name, torch::nn::BatchNorm2d(out.channels())));
        break;
      case FlowSystem::e2cnn:
      case FlowSystem::lift:
      case FlowSystem::pscnn:
        inner_.push_back(register_module("norm" + name, InnerNorm(out)));
        break;
      default:
        break;
    }
  }

  KernelMap map_of(const KernelSpace& where) {
    switch (options_.system) {
      case FlowSystem::rpp:
        return sum("equivariant", projected(where), "free", free_kernel(where));
      case FlowSystem::rgroup:
        return bank_mixed(where, options_.banks);
      case FlowSystem::rsteer:
        return position_relaxed(where);
      case FlowSystem::pscnn:
        likelihoods_.push_back(make_likelihood(*where.out.type.steering));
        return lambda_averaged(where, likelihoods_.back(), options_.averaged);
      default:
        return projected(where);
    }
  }

  // ρ(h) of the vector field, element by element.
  static at::Tensor velocity_turns(const FieldType& vector) {
    std::vector<at::Tensor> turns;
    const Irrep& irrep = vector.steering->irreps[vector.irreps.at(0)];
    for (const Eigen::MatrixXd& matrix : irrep.matrices) {
      turns.push_back(to_float_tensor(RowMatrix(vector.basis * matrix * vector.basis.transpose())));
    }
    return at::stack(turns);
  }

  FlowNetworkOptions options_;
  std::vector<Likelihood> likelihoods_;
  std::vector<SteerableConv> convs_;
  std::vector<InnerNorm> inner_;
  std::vector<torch::nn::BatchNorm2d> plain_;
  std::shared_ptr<CodeModule> code_;
  at::Tensor turns_;
};

}  // namespace

Network make_flow_network(std::uint64_t seed, const FlowNetworkOptions& options) {
  const std::string sizes =
      fmt::format("{} frames, {} fields, {} x {} pixels, {} banks, code {}", options.frames,
                  options.hidden, options.height, options.width, options.banks, options.code_width);
  if (options.frames < 1 || options.hidden < 4 || options.height < 1 || options.width < 1 ||
      options.banks < 1 || options.code_width < 1) {
    throw InputError({"the steerable flow network cannot be built", sizes,
                      "at least 1 frame, 4 fields, 1 pixel, 1 bank and a code of 1", ""});
  }
  check_weight("the decay of free weights", options.decay);
  check_weight("the weight of smoothness", options.smoothness);
  likelihood_terms({}, options.likelihood);  // checks its weights
  const double hidden = 4.0 * static_cast<double>(options.hidden);
  const double inputs = 2.0 * static_cast<double>(options.frames);
  nn::WeightCount weights;
  weights.add(hidden * (hidden + inputs));
  if (options.system == FlowSystem::lift) {
    weights.add(inputs * static_cast<double>(options.height) * static_cast<double>(options.width) *
                static_cast<double>(options.code_width));
    weights.add(hidden * static_cast<double>(options.code_width));
    weights.add_linear(options.code_width, options.code_width);
  }
  weights.check(sizes);
  const SeededInitialisation seeded(seed);
  const auto net = std::make_shared<FlowModule>(options);
  Network network =
      nn::encode_decode_network(net, {{4 * options.hidden, options.height, options.width}});
  if (!net->terms().empty()) network.terms = [net] { return net->terms(); };
  return network;
}

}  // namespace algprior::steerable

namespace algprior::nn {
namespace {

using steerable::FlowSystem;

constexpr Choices<FlowSystem, 6> kFlowSystems = {
    {"e2cnn", FlowSystem::e2cnn},   {"rpp", FlowSystem::rpp},       {"lift", FlowSystem::lift},
    {"rgroup", FlowSystem::rgroup}, {"rsteer", FlowSystem::rsteer}, {"pscnn", FlowSystem::pscnn}};

struct SteerableFlowSettings {
  steerable::FlowNetworkOptions options;

  void bind(config::Fields& fields) {
    fields.choice("network.system", options.system, kFlowSystems,
                  "e2cnn: equivariant kernels; rpp: plus free ones; lift: beside a code of the "
                  "whole input; rgroup: group convolutions from mixed banks; rsteer: weights that "
                  "differ from point to point; pscnn: averaged over a learned density");
    fields.integer("network.hidden_fields", options.hidden, "regular fields of a hidden layer")
        .at_least(4);
    fields.boolean("network.published_sign", options.published_sign,
                   "velocities turn backwards on odd quarter turns, as published");
    fields.when("network.system", {"rpp"}, [&] {
      fields.real("network.decay", options.decay, "c of the loss (c |θ|²)² of the free kernels")
          .at_least(0);
    });
    fields.when("network.system", {"rsteer"}, [&] {
      fields
          .real("network.smoothness", options.smoothness,
                "c of the loss (c Σ|w(p) - w(p+1)|)² of neighbouring points")
          .at_least(0);
    });
    fields.when("network.system", {"rgroup"}, [&] {
      fields.integer("network.banks", options.banks, "free kernels that are mixed").at_least(1);
      fields.boolean("network.vectors", options.vectors,
                     "velocities turn with the plane; else they are scalars, as published");
      fields.boolean("network.activations", options.activations,
                     "ReLU after every hidden layer; else after the first alone, as published");
    });
    fields.when("network.system", {"lift"}, [&] {
      fields.integer("network.code_width", options.code_width, "width of the encoder").at_least(1);
    });
    fields.when("network.system", {"pscnn"},
                [&] { steerable::bind_averaged(fields, options.averaged, options.likelihood); });
  }
};

}  // namespace

NetworkKind steerable_flow_kind() {
  return make_network_kind<SteerableFlowSettings>(
      "steerable_flow", "3×3 steerable convolutions from the last frames of a flow to the next",
      Output::sample,
      [](std::uint64_t seed, const Shapes& shapes, const SteerableFlowSettings& settings) {
        steerable::FlowNetworkOptions options = settings.options;
        options.frames = shapes.sample.at(0) / 2;
        options.height = shapes.sample.at(1);
        options.width = shapes.sample.at(2);
        return steerable::make_flow_network(seed, options);
      });
}

}  // namespace algprior::nn
