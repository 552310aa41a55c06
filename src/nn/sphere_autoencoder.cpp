#include "algprior/base/choice.hpp"
#include "algprior/base/error.hpp"
#include "algprior/kernel/average_pool.hpp"
#include "algprior/kernel/face_norm.hpp"
#include "algprior/kernel/shape_text.hpp"
#include "algprior/mesh/cube_map.hpp"
#include "algprior/mesh/resample.hpp"
#include "algprior/nn/conv_block.hpp"
#include "algprior/nn/registry.hpp"
#include "algprior/nn/seeded.hpp"
#include "algprior/nn/sphere.hpp"
#include "truncated_normal.hpp"
#include "weight_count.hpp"

#include <optional>

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/nn/modules/container/modulelist.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/normalization.h>

namespace algprior::nn {
namespace {

constexpr double kNormEpsilon = 1e-6;
constexpr std::int64_t kLongestSide = 1 << 13;

/// The grid of one stage as faces of H×W cells, and what lies around them; without a padding,
/// zeros.
struct Stage {
  std::int64_t faces = 1, height = 0, width = 0;
  std::optional<FacePadding> padding;
};

Stage make_stage(const SphereAutoencoderOptions& options, int halvings) {
  const bool cube = options.grid.size() == 3;
  Stage stage;
  stage.faces = cube ? options.grid[0] : 1;
  stage.height = options.grid[cube ? 1 : 0] >> halvings;
  stage.width = options.grid[cube ? 2 : 1] >> halvings;
  if (options.padding == SpherePadding::zero) return stage;
  const int height = static_cast<int>(stage.height), width = static_cast<int>(stage.width);
  stage.padding.emplace(
      stage.faces, stage.height, stage.width,
      cube ? mesh::cube_map_padding(height) : mesh::half_offset_padding(height, width));
  return stage;
}

// Between input and output the faces of a sample stand one after the other in the batch,
// (N·F)×C×H×W, so that convolutions, pools and upsamplings need not know of them.
at::Tensor to_faces(const at::Tensor& x) {
  return x.dim() == 4 ? x : x.transpose(1, 2).flatten(0, 1).contiguous();
}

at::Tensor from_faces(const at::Tensor& x, std::int64_t faces, bool cube) {
  if (!cube) return x;
  return x.view({x.size(0) / faces, faces, x.size(1), x.size(2), x.size(3)})
      .transpose(1, 2)
      .contiguous();
}

// A face is one row here: the kernels like long ones.
at::Tensor dense(const torch::nn::Conv2d& layer, const at::Tensor& x) {
  const auto rows = x.reshape({x.size(0), x.size(1), 1, x.size(2) * x.size(3)});
  ConvBlockConfig linear;
  linear.activation = Activation::identity;
  return conv_block(rows, layer->weight, layer->bias, {}, linear)
      .view({x.size(0), -1, x.size(2), x.size(3)});
}

torch::nn::Conv2d make_dense(std::int64_t in, std::int64_t out) {
  return torch::nn::Conv2d(torch::nn::Conv2dOptions(in, out, 1));
}

// An instance norm: one group a channel. Its numbers are used by norm_faces().
torch::nn::GroupNorm make_norm(std::int64_t channels) {
  return torch::nn::GroupNorm(torch::nn::GroupNormOptions(channels, channels).eps(kNormEpsilon));
}

at::Tensor norm_and_silu(const torch::nn::GroupNorm& norm, const at::Tensor& x, std::int64_t faces,
                         const FacePadding* padding = nullptr) {
  return norm_faces(x, {faces, norm->weight, norm->bias, kNormEpsilon}, padding);
}

class SphereBlockImpl : public torch::nn::Module {
 public:
  SphereBlockImpl(std::int64_t in, std::int64_t out, SpherePadding padding) {
    const std::int64_t zeros = padding == SpherePadding::zero ? 1 : 0;
    const auto conv = [zeros](std::int64_t from, std::int64_t to) {
      return ConvBlock2d(ConvBlock2dOptions(from, to, 3)
                             .padding(zeros)
                             .norm(false)
                             .activation(Activation::identity));
    };
    first_norm_ = register_module("first_norm", make_norm(in));
    first_ = register_module("first", conv(in, out));
    second_norm_ = register_module("second_norm", make_norm(out));
    second_ = register_module("second", conv(out, out));
    skip_ = register_module("skip", make_dense(in, out));
  }

  at::Tensor forward(const at::Tensor& x, const Stage& stage) {
    const FacePadding* padding = stage.padding ? &*stage.padding : nullptr;
    auto y = first_->forward(norm_and_silu(first_norm_, x, stage.faces, padding));
    y = second_->forward(norm_and_silu(second_norm_, y, stage.faces, padding));
    return y + dense(skip_, x);
  }

 private:
  torch::nn::GroupNorm first_norm_{nullptr}, second_norm_{nullptr};
  ConvBlock2d first_{nullptr}, second_{nullptr};
  torch::nn::Conv2d skip_{nullptr};
};
TORCH_MODULE(SphereBlock);

at::Tensor pool_cells(const at::Tensor& x) {
  return average_pool(x, {.kernel = {1, 2, 2}, .stride = {1, 2, 2}});
}

at::Tensor upsample_cells(const at::Tensor& x) {
  const std::vector<std::int64_t> size{2 * x.size(2), 2 * x.size(3)};
  return at::upsample_nearest2d(x, at::IntArrayRef(size));
}

class SphereAutoencoderModule : public torch::nn::Module {
 public:
  explicit SphereAutoencoderModule(const SphereAutoencoderOptions& options)
      : channels_(options.channels), grid_(options.grid) {
    std::int64_t in = options.widths[0] * 3 / 2;
    stem_ = register_module("stem", make_dense(channels_, in));
    const auto stage_blocks = [&](torch::nn::ModuleList& list, std::int64_t width) {
      for (std::int64_t i = 0; i < options.blocks; ++i) {
        list->push_back(SphereBlock(in, width, options.padding));
        in = width;
      }
    };
    for (std::size_t i = 0; i < options.widths.size(); ++i) {
      stages_.push_back(make_stage(options, static_cast<int>(i)));
      stage_blocks(encoder_, options.widths[i]);
    }
    register_module("encoder", encoder_);
    encoder_norm_ = register_module("encoder_norm", make_norm(in));
    to_latent_ = register_module("to_latent", make_dense(in, options.latent));
    in = options.latent;
    for (std::size_t i = options.widths.size(); i-- > 0;) {
      stage_blocks(decoder_, options.widths[i]);
    }
    register_module("decoder", decoder_);
    decoder_norm_ = register_module("decoder_norm", make_norm(in));
    last_ = register_module("last", make_dense(in, channels_));
    start_truncated_normal(*this);
  }

  at::Tensor encode(const at::Tensor& x) {
    bool fits = x.dim() == static_cast<std::int64_t>(grid_.size()) + 2 && x.size(1) == channels_;
    for (std::size_t i = 0; fits && i < grid_.size(); ++i) {
      fits = x.size(static_cast<std::int64_t>(i) + 2) == grid_[i];
    }
    if (!fits) {
      throw InputError({"samples do not fit the network on the sphere", shape_text(x),
                        fmt::format("N x {} x {}", channels_, fmt::join(grid_, " x ")),
                        "use data of the grid that the network was made for"});
    }
    auto value = at::silu(dense(stem_, to_faces(x)));
    const std::size_t blocks = encoder_->size() / stages_.size();
    for (std::size_t i = 0; i < encoder_->size(); ++i) {
      if (i > 0 && i % blocks == 0) value = pool_cells(value);
      value = encoder_[i]->as<SphereBlockImpl>()->forward(value, stages_[i / blocks]);
    }
    value = dense(to_latent_, norm_and_silu(encoder_norm_, value, faces()));
    return from_faces(value, faces(), grid_.size() == 3);
  }

  at::Tensor decode(const at::Tensor& z) {
    auto value = to_faces(z);
    const std::size_t blocks = decoder_->size() / stages_.size();
    for (std::size_t i = 0; i < decoder_->size(); ++i) {
      if (i > 0 && i % blocks == 0) value = upsample_cells(value);
      const Stage& stage = stages_[stages_.size() - 1 - i / blocks];
      value = decoder_[i]->as<SphereBlockImpl>()->forward(value, stage);
    }
    value = dense(last_, norm_and_silu(decoder_norm_, value, faces()));
    return from_faces(value, faces(), grid_.size() == 3);
  }

 private:
  std::int64_t faces() const { return stages_.front().faces; }

  std::int64_t channels_;
  std::vector<std::int64_t> grid_;
  std::vector<Stage> stages_;
  torch::nn::Conv2d stem_{nullptr}, to_latent_{nullptr}, last_{nullptr};
  torch::nn::ModuleList encoder_, decoder_;
  torch::nn::GroupNorm encoder_norm_{nullptr}, decoder_norm_{nullptr};
};

void check_weights(const SphereAutoencoderOptions& options) {
  WeightCount weights;
  for (const std::int64_t end : {options.widths.front(), options.widths.back()}) {
    weights.add_linear(options.channels, end);
    weights.add_linear(options.latent, end);
  }
  for (const std::int64_t width : options.widths) {
    const auto w = static_cast<double>(width);
    weights.add(2.0 * static_cast<double>(options.blocks) * 19.0 * w * w);  // there and back
  }
  weights.check(fmt::format("a network on the sphere with widths {}, {} latent channels",
                            fmt::join(options.widths, " "), options.latent));
}

void check_sizes(const SphereAutoencoderOptions& options) {
  const auto& grid = options.grid;
  bool proper = options.channels >= 1 && options.blocks >= 1 && options.latent >= 1 &&
                !options.widths.empty() && options.widths.size() < 12 &&
                (grid.size() == 2 || (grid.size() == 3 && grid[0] == 6 && grid[1] == grid[2]));
  for (const std::int64_t width : options.widths) proper = proper && width >= 1;
  for (std::size_t i = grid.size() == 3 ? 1 : 0; proper && i < grid.size(); ++i) {
    const std::int64_t block = std::int64_t{1} << options.halvings();
    proper = grid[i] >= block && grid[i] <= kLongestSide && grid[i] % block == 0;
  }
  if (proper) return check_weights(options);
  throw InputError({"the network on the sphere cannot be built",
                    fmt::format("{} channels on {}, widths {}, {} blocks, {} latent channels",
                                options.channels, fmt::join(grid, " x "),
                                fmt::join(options.widths, " "), options.blocks, options.latent),
                    fmt::format("sizes of at least 1, and sides of at most {} that can be halved "
                                "between all widths",
                                kLongestSide),
                    "take fewer widths, or a grid such as cube-32 or 48x96-half"});
}

}  // namespace

Network make_sphere_autoencoder(std::uint64_t seed, const SphereAutoencoderOptions& options) {
  check_sizes(options);
  const SeededInitialisation seeded(seed);
  const auto net = std::make_shared<SphereAutoencoderModule>(options);
  std::vector<std::int64_t> latent{options.latent};
  for (std::size_t i = 0; i < options.grid.size(); ++i) {
    const bool face = options.grid.size() == 3 && i == 0;
    latent.push_back(face ? options.grid[i] : options.grid[i] >> options.halvings());
  }
  return make_network(
      {.module = net,
       .forward =
           [net](const at::Tensor& x) {
             const auto z = net->encode(x);
             return Encoded{net->decode(z), {z}};
           },
       .decode = [net](const at::Tensor& z, std::size_t) { return net->decode(z); },
       .forward_pair =
           [net](const at::Tensor& x, const at::Tensor& gx) {
             const auto z = net->encode(at::cat({x, gx})).split(x.size(0));
             const auto y = net->decode(at::cat({z[0], z[1]})).split(x.size(0));
             return std::pair{Encoded{y[0], {z[0]}}, Encoded{y[1], {z[1]}}};
           },
       .encode = [net](const at::Tensor& x) { return std::vector<at::Tensor>{net->encode(x)}; },
       .latent_shapes = {latent}});
}

namespace {

constexpr Choices<SpherePadding, 2> kPaddings = {{"around", SpherePadding::around},
                                                 {"zero", SpherePadding::zero}};

struct SphereAutoencoderSettings {
  SphereAutoencoderOptions options;

  void bind(config::Fields& fields) {
    fields.integers("network.widths", options.widths, "channels of each stage").at_least(1);
    fields.integer("network.blocks", options.blocks, "residual blocks a stage").at_least(1);
    fields.integer("network.latent_channels", options.latent, "channels of Z").at_least(1);
    fields.choice("network.padding", options.padding, kPaddings,
                  "around: neighbours on the sphere, across seams and poles; zero: zeros");
  }
};

}  // namespace

NetworkKind sphere_autoencoder_kind() {
  return make_network_kind<SphereAutoencoderSettings>(
      "sphere_autoencoder", "residual blocks on grids on the sphere and back", Output::sample,
      [](std::uint64_t seed, const Shapes& shapes, const SphereAutoencoderSettings& settings) {
        SphereAutoencoderOptions options = settings.options;
        options.channels = shapes.sample.at(0);
        options.grid.assign(shapes.sample.begin() + 1, shapes.sample.end());
        return make_sphere_autoencoder(seed, options);
      });
}

}  // namespace algprior::nn
