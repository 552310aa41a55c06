#include "algprior/nn/steerable/digits.hpp"

#include "../encode_decode.hpp"
#include "../weight_count.hpp"
#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/kernel/shape_text.hpp"
#include "algprior/nn/batch_norm.hpp"
#include "algprior/nn/registry.hpp"
#include "algprior/nn/seeded.hpp"
#include "algprior/nn/steerable/layers.hpp"
#include "checks.hpp"
#include "settings.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/linear.h>

namespace algprior::steerable {
namespace {

constexpr std::int64_t kSide = 56, kOddSide = 57;

struct DigitRow {
  int kernel;
  std::int64_t stride, padding;
  std::int64_t multiple;          // of the first layer's width
  int pool_stride, pool_padding;  // 0: no pooling
};

constexpr DigitRow kDigitRows[] = {{7, 1, 2, 1, 0, 0},
                                   {5, 1, 2, 2, 2, 1},
                                   {3, 2, 2, 4, 2, 1},
                                   {3, 2, 0, 6, 0, 0},
                                   {3, 1, 1, 6, 1, 1}};
constexpr std::size_t kRestrictAfter = 4;

class DigitModule : public torch::nn::Module {
 public:
  explicit DigitModule(const DigitNetworkOptions& options) : system_(options.system) {
    const SteeringPtr steering = make_steering(make_group(options.group));
    FieldType type =
        options.trivial_fields ? field_of_irreps(steering, {0}) : field_of_all_irreps(steering);
    Fields features{field_of_irreps(steering, {0}), 1};
    std::size_t place = 0;
    for (const DigitRow& row : kDigitRows) {
      if (place == kRestrictAfter && options.system.system == System::restriction) {
        features = restricted(features);
        type = features.type;
      }
      const Fields open{type, options.width * row.multiple};
      const Fields before{with_gates(type), open.copies};
      const KernelSpace where{features, before, make_spatial_basis({.kernel = row.kernel})};
      const auto name = std::to_string(place++);
      convs_.push_back(register_module(
          "conv" + name, system_.make(where, {.stride = row.stride, .padding = row.padding})));
      norms_.push_back(register_module("norm" + name, FieldNorm(before)));
      gates_.push_back(register_module("gate" + name, Gate(open)));
      features = open;
    }
    const Fields invariant{field_of_irreps(features.type.steering, {0}), options.latent};
    latent_ = register_module(
        "latent",
        system_.make({features, invariant, make_spatial_basis({.kernel = 1})}, {.bias = false}));
    for (std::size_t i = 0; i < system_.likelihoods().size(); ++i) {
      register_parameter("likelihood" + std::to_string(i), system_.likelihoods()[i].coefficients);
    }
    norm_ = register_module("norm", torch::nn::BatchNorm1d(options.latent));
    head_ = register_module("head", torch::nn::Linear(options.latent, options.classes));
    mask_ = disc_mask(kOddSide);
  }

  at::Tensor encode(const at::Tensor& x) {
    if (!x.defined() || x.dim() != 4 || x.size(1) != 1 || x.size(2) != kSide ||
        x.size(3) != kSide) {
      throw InputError({"images do not fit the steerable digit network", shape_text(x),
                        fmt::format("N x 1 x {0} x {0}", kSide),
                        "resize the images or build a network from the layers"});
    }
    auto value = at::upsample_bilinear2d(x, {kOddSide, kOddSide}, false) * mask_.to(x.options());
    for (std::size_t i = 0; i < convs_.size(); ++i) {
      const DigitRow& row = kDigitRows[i];
      const Pool pool =
          row.pool_stride > 0 ? gaussian_window(2, row.pool_stride, row.pool_padding) : Pool{};
      value = gated_conv(value, convs_[i], norms_[i], gates_[i], pool);
    }
    return latent_->forward(value).flatten(1);
  }

  at::Tensor decode(const at::Tensor& z) {
    return head_->forward(at::elu(nn::normalise(*norm_, z)));
  }

  std::vector<Term> terms() const { return system_.terms(); }

 private:
  SystemLayers system_;
  std::vector<SteerableConv> convs_;
  std::vector<FieldNorm> norms_;
  std::vector<Gate> gates_;
  SteerableConv latent_{nullptr};
  torch::nn::BatchNorm1d norm_{nullptr};
  torch::nn::Linear head_{nullptr};
  at::Tensor mask_;
};

}  // namespace

Network make_digit_network(std::uint64_t seed, const DigitNetworkOptions& options) {
  if (options.width < 1 || options.latent < 1 || options.classes < 2) {
    throw InputError({"the steerable digit network cannot be built",
                      fmt::format("width {}, latent {}, classes {}", options.width, options.latent,
                                  options.classes),
                      "at least 1 field, 1 latent coordinate and 2 classes", ""});
  }
  // Channels are at least as many as fields.
  const double fields = 6.0 * static_cast<double>(options.width);
  nn::WeightCount weights;
  weights.add(fields * fields);
  weights.add(fields * static_cast<double>(options.latent));
  weights.add_linear(options.latent, options.classes);
  weights.check(fmt::format("width {}, latent {}, classes {}", options.width, options.latent,
                            options.classes));
  const SeededInitialisation seeded(seed);
  const auto net = std::make_shared<DigitModule>(options);
  Network network = nn::encode_decode_network(net, {{options.latent}});
  if (!net->terms().empty()) network.terms = [net] { return net->terms(); };
  return network;
}

}  // namespace algprior::steerable

namespace algprior::nn {
namespace {

struct SteerableDigitSettings {
  steerable::DigitNetworkOptions options;
  std::string fields_of = "all";

  void bind(config::Fields& fields) {
    steerable::bind_system(fields, options.system);
    fields
        .text("network.fields", fields_of,
              "hidden fields: every irreducible representation, or the trivial one alone")
        .one_of({"all", "trivial"});
    fields.integer("network.width", options.width, "fields of the first layer").at_least(1);
    fields.integer("network.latent", options.latent, "dim Z").at_least(1);
  }
};

}  // namespace

NetworkKind steerable_digits_kind() {
  return make_network_kind<SteerableDigitSettings>(
      "steerable", "steerable convolutional classifier for 56×56 images", Output::vector,
      [](std::uint64_t seed, const Shapes& shapes, const SteerableDigitSettings& settings) {
        steerable::DigitNetworkOptions options = settings.options;
        options.classes = shapes.outputs;
        if (!shapes.group.empty()) options.group = shapes.group;
        options.trivial_fields = settings.fields_of == "trivial";
        return steerable::make_digit_network(seed, options);
      });
}

}  // namespace algprior::nn
