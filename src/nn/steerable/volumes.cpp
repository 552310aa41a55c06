#include "algprior/nn/steerable/volumes.hpp"

#include "../encode_decode.hpp"
#include "../weight_count.hpp"
#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/kernel/average_pool.hpp"
#include "algprior/kernel/shape_text.hpp"
#include "algprior/nn/batch_norm.hpp"
#include "algprior/nn/conv_block.hpp"
#include "algprior/nn/registry.hpp"
#include "algprior/nn/seeded.hpp"
#include "algprior/nn/steerable/continuous.hpp"
#include "algprior/nn/steerable/layers.hpp"
#include "algprior/rep/constructions.hpp"
#include "checks.hpp"
#include "settings.hpp"

#include <optional>

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/linear.h>

namespace algprior::steerable {
namespace {

constexpr std::int64_t kVolumeSide = 28, kOddVolumeSide = 29;

// All harmonics up to a frequency as a field.
FieldType harmonic_field(const SteeringPtr& steering, int highest) {
  std::vector<std::size_t> irreps;
  if (!steering->group) {
    for (std::size_t i = 0; i < steering->irreps.size(); ++i) {
      if (steering->irreps[i].frequency <= highest) irreps.push_back(i);
    }
    return field_of_irreps(steering, std::move(irreps));
  }
  const SpatialBasis space{{.axes = 3}, {}};
  for (int l = 0; l <= highest; ++l) {
    std::vector<Eigen::MatrixXd> generators;
    for (const std::size_t g : steering->generators) {
      generators.push_back(spatial_action(space, {l, 2 * l + 1, {}}, steering->space[g]));
    }
    const FieldType part =
        make_field(steering, matrix_representation(*steering->group, std::move(generators)));
    irreps.insert(irreps.end(), part.irreps.begin(), part.irreps.end());
  }
  return field_of_irreps(steering, std::move(irreps));
}

/// The free residual blocks of rpp, between as many channels as the fields have.
class FreeBlocks : public torch::nn::Module {
 public:
  explicit FreeBlocks(const std::vector<std::int64_t>& c) {
    using nn::ConvBlock3d;
    using Options = nn::ConvBlock3dOptions;
    const auto add = [&](const char* name, const Options& options) {
      return register_module(name, ConvBlock3d(options));
    };
    first_ = add("first", Options(1, c[0], 7).padding(2));
    second_ = add("second", Options(c[0], c[1], 5).padding(2));
    first_skip_ = add("first_skip", Options(1, c[1], 7).padding(2).norm(false));
    third_ = add(
        "third",
        Options(c[1], c[2], 3).stride(2).padding(1).pool_kernel(5).pool_stride(2).pool_padding(1));
    fourth_ = add("fourth", Options(c[2], c[3], 3).stride(2).padding(2));
    second_skip_ = add("second_skip", Options(c[1], c[3], 3).norm(false));
    fifth_ = add("fifth", Options(c[3], c[4], 3).padding(1).pool_kernel(3));
    sixth_ = add("sixth", Options(c[4], c[5], 1).norm(false).activation(Activation::identity));
    third_skip_ =
        add("third_skip", Options(c[3], c[5], 3).norm(false).activation(Activation::identity));
  }

  at::Tensor block(int i, const at::Tensor& x) {
    if (i == 0) return second_->forward(first_->forward(x)) + first_skip_->forward(x);
    const Pool bare{{5, 5, 5}, {2, 2, 2}, {0, 0, 0}};
    if (i == 1) {
      return fourth_->forward(third_->forward(x)) + second_skip_->forward(average_pool(x, bare));
    }
    return sixth_->forward(fifth_->forward(x)) + third_skip_->forward(x);
  }

 private:
  nn::ConvBlock3d first_{nullptr}, second_{nullptr}, first_skip_{nullptr}, third_{nullptr};
  nn::ConvBlock3d fourth_{nullptr}, second_skip_{nullptr}, fifth_{nullptr}, sixth_{nullptr};
  nn::ConvBlock3d third_skip_{nullptr};
};

/// The equivariant (or averaged) residual blocks.
class SteeredBlocks : public torch::nn::Module {
 public:
  SteeredBlocks(const SteeringPtr& steering, const VolumeNetworkOptions& options)
      : options_(options) {
    const bool parities = steering->name == "O(3)";
    const int high = parities ? 2 : 3;
    const std::int64_t c = options.width;
    const FieldType scalar = field_of_irreps(steering, {0});
    const FieldType low_type = harmonic_field(steering, 2), type = harmonic_field(steering, high);
    const Fields input{scalar, 1}, invariant{scalar, 8 * c};
    const Fields a{low_type, c}, b{type, 2 * c}, d{type, 4 * c}, e{type, 6 * c}, f{low_type, 6 * c};
    const std::optional<std::size_t> strict;
    add("conv1", input, gates_of(a), 7, {.padding = 2}, strict);
    add("conv2", a, gates_of(b), 5, {.padding = 2}, 0);
    add("skip1", input, gates_of(b), 7, {.padding = 2}, 0);
    add("conv3", b, gates_of(d), 3, {.stride = 2, .padding = 1}, strict);
    add("conv4", d, gates_of(e), 3, {.stride = 2, .padding = 2}, 1);
    add("skip2", b, gates_of(e), 3, {}, 1);
    add("conv5", e, gates_of(f), 3, {.padding = 1}, strict);
    add("conv6", f, invariant, 1, {.bias = false}, 2);
    add("skip3", e, invariant, 3, {}, 2);
    for (const Fields& fields : {a, b, d, e, f}) {
      const auto name = std::to_string(norms_.size() + 1);
      norms_.push_back(register_module("norm" + name, FieldNorm(gates_of(fields))));
      gates_.push_back(register_module("gate" + name, Gate(fields)));
      channels.push_back(fields.channels());
    }
    channels.push_back(invariant.channels());
    for (std::size_t i = 0; i < likelihoods_.size(); ++i) {
      register_parameter("likelihood" + std::to_string(i), likelihoods_[i].coefficients);
    }
  }

  at::Tensor block(int i, const at::Tensor& x) {
    if (i == 0) return open(1, open(0, x, kConv1), kConv2) + skip(1, x, kSkip1);
    if (i == 1) {
      const auto main = open(3, open(2, x, kConv3, gaussian_window(3, 2, 1)), kConv4);
      return main + skip(3, gaussian_pool(x, 2, 0), kSkip2);
    }
    const auto main = open(4, x, kConv5, gaussian_window(3, 1, 1));
    return convs_[kConv6]->forward(main) + convs_[kSkip3]->forward(x);
  }

  std::vector<Term> terms() const {
    return likelihood_terms(likelihoods_, options_.system.likelihood);
  }

  std::vector<std::int64_t> channels;  ///< after gates 1 to 5, and of Z

 private:
  enum : std::size_t { kConv1, kConv2, kSkip1, kConv3, kConv4, kSkip2, kConv5, kConv6, kSkip3 };

  static Fields gates_of(const Fields& fields) { return {with_gates(fields.type), fields.copies}; }

  void add(const char* name, const Fields& in, const Fields& out, int kernel,
           const ConvOptions& options, std::optional<std::size_t> shared) {
    const KernelSpace where{in, out, make_spatial_basis({.axes = 3, .kernel = kernel})};
    const bool averaged = shared && options_.system.system == System::pscnn;
    if (averaged && *shared == likelihoods_.size()) {
      likelihoods_.push_back(make_likelihood(*out.type.steering));
    }
    KernelMap map = averaged
                        ? lambda_averaged(where, likelihoods_[*shared], options_.system.averaged)
                        : projected(where);
    convs_.push_back(register_module(name, SteerableConv(where, std::move(map), options)));
  }

  at::Tensor open(std::size_t gate, const at::Tensor& x, std::size_t conv, const Pool& pool = {}) {
    return gated_conv(x, convs_[conv], norms_[gate], gates_[gate], pool);
  }

  // No norm, and the gates of the main path.
  at::Tensor skip(std::size_t gate, const at::Tensor& x, std::size_t conv) {
    return gated_conv(x, convs_[conv], FieldNorm{nullptr}, gates_[gate]);
  }

  VolumeNetworkOptions options_;
  std::vector<Likelihood> likelihoods_;
  std::vector<SteerableConv> convs_;
  std::vector<FieldNorm> norms_;
  std::vector<Gate> gates_;
};

at::Tensor squared_norm_of(const torch::nn::Module& module) {
  at::Tensor sum;
  for (const auto& parameter : module.parameters()) {
    const auto square = parameter.square().sum();
    sum = sum.defined() ? sum + square : square;
  }
  return sum;
}

class SteerableVolumeModule : public torch::nn::Module {
 public:
  SteerableVolumeModule(const SteeringPtr& steering, const VolumeNetworkOptions& options)
      : options_(options) {
    steered_ = register_module("steered", std::make_shared<SteeredBlocks>(steering, options));
    if (options.system.system == System::rpp) {
      free_ = register_module("free", std::make_shared<FreeBlocks>(steered_->channels));
    }
    norm_ = register_module("norm", torch::nn::BatchNorm1d(8 * options.width));
    head_ = register_module("head", torch::nn::Linear(8 * options.width, options.classes));
  }

  at::Tensor encode(const at::Tensor& x) {
    if (!x.defined() || x.dim() != 5 || x.size(1) != 1 || x.size(2) != kVolumeSide ||
        x.size(3) != kVolumeSide || x.size(4) != kVolumeSide) {
      throw InputError({"volumes do not fit the steerable network", shape_text(x),
                        fmt::format("N x 1 x {0} x {0} x {0}", kVolumeSide), "resize the volumes"});
    }
    auto value =
        at::upsample_trilinear3d(x, {kOddVolumeSide, kOddVolumeSide, kOddVolumeSide}, false);
    for (int i = 0; i < 3; ++i) {
      auto next = steered_->block(i, value);
      if (free_) next = next + free_->block(i, value);
      value = i == 0 ? gaussian_pool(next, 2, 1) : next;
    }
    return value.flatten(1);
  }

  at::Tensor decode(const at::Tensor& z) {
    return head_->forward(at::elu(nn::normalise(*norm_, z)));
  }

  std::vector<Term> terms() const {
    if (options_.system.system == System::pscnn) return steered_->terms();
    if (!free_) return {};
    return {{"equivariant_weights", squared_norm_of(*steered_), options_.system.equivariant_decay},
            {"free_weights", squared_norm_of(*free_), options_.system.free_decay}};
  }

 private:
  VolumeNetworkOptions options_;
  std::shared_ptr<SteeredBlocks> steered_;
  std::shared_ptr<FreeBlocks> free_;
  torch::nn::BatchNorm1d norm_{nullptr};
  torch::nn::Linear head_{nullptr};
};

SteeringPtr volume_steering(const std::string& symmetry) {
  if (symmetry == "SO(3)" || symmetry == "O(3)") return make_rotation_steering(symmetry == "O(3)");
  const SteeringPtr steering = make_steering(make_group(symmetry));
  if (steering->axes == 3) return steering;
  throw InputError({"a group of the plane does not turn volumes",
                    fmt::format("group \"{}\"", symmetry), "SO(3), O(3), cube, Oh, T, Td or Th",
                    ""});
}

}  // namespace

Network make_volume_network(std::uint64_t seed, const VolumeNetworkOptions& options) {
  if (options.width < 1 || options.classes < 2 || options.system.system == System::restriction) {
    throw InputError({"the steerable volume network cannot be built",
                      fmt::format("width {}, classes {}", options.width, options.classes),
                      "a width of at least 1, 2 classes, and scnn, rpp or pscnn", ""});
  }
  check_options(options.system);
  // Channels are at least as many as fields.
  const double fields = 6.0 * static_cast<double>(options.width);
  nn::WeightCount weights;
  weights.add(27 * fields * fields);
  weights.add(fields * static_cast<double>(options.classes));
  weights.check(fmt::format("width {}, classes {}", options.width, options.classes));
  const SteeringPtr steering = volume_steering(options.symmetry);
  const SeededInitialisation seeded(seed);
  const auto net = std::make_shared<SteerableVolumeModule>(steering, options);
  Network network = nn::encode_decode_network(net, {{8 * options.width}});
  if (!net->terms().empty()) network.terms = [net] { return net->terms(); };
  return network;
}

}  // namespace algprior::steerable

namespace algprior::nn {
namespace {

struct SteerableVolumeSettings {
  steerable::VolumeNetworkOptions options;

  void bind(config::Fields& fields) {
    fields
        .text("network.symmetry", options.symmetry,
              "what the network is equivariant to: SO(3), O(3), or a group of the grid")
        .one_of({"SO(3)", "O(3)", "cube", "Oh"});
    steerable::bind_system(fields, options.system);
    fields.integer("network.width", options.width, "fields of the first layer; dim Z = 8 times it")
        .at_least(1);
  }
};

}  // namespace

NetworkKind steerable_volumes_kind() {
  return make_network_kind<SteerableVolumeSettings>(
      "steerable_volumes", "steerable residual classifier for volumes of 28×28×28", Output::vector,
      [](std::uint64_t seed, const Shapes& shapes, const SteerableVolumeSettings& settings) {
        steerable::VolumeNetworkOptions options = settings.options;
        options.classes = shapes.outputs;
        return steerable::make_volume_network(seed, options);
      });
}

}  // namespace algprior::nn
