// Networks on grids on the sphere: parameter counts, padding, equivariance, the invariant head.
#include "algprior/nn/sphere.hpp"

#include "algprior/action/sphere.hpp"
#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/kernel/face_norm.hpp"
#include "algprior/kernel/kernels.hpp"
#include "algprior/mesh/cube_map.hpp"
#include "algprior/mesh/resample.hpp"

#include <gtest/gtest.h>
#include <torch/nn/module.h>
#include <torch/types.h>

namespace algprior::nn {
namespace {

std::int64_t count_of(const Network& network, const std::string& prefix) {
  std::int64_t count = 0;
  for (const auto& item : network.module->named_parameters()) {
    if (item.key().rfind(prefix, 0) == 0) count += item.value().numel();
  }
  return count;
}

at::Tensor waves(at::IntArrayRef shape) {
  return at::sin(at::arange(c10::multiply_integers(shape), at::kFloat).mul(0.37)).reshape(shape);
}

TEST(SphereAutoencoder, HasThePublishedNumberOfParameters) {
  SphereAutoencoderOptions options;
  options.grid = {96, 192};
  options.padding = SpherePadding::zero;
  const Network network = make_sphere_autoencoder(0, options);
  EXPECT_EQ(parameter_count(network), 5'945'056);
  EXPECT_EQ(
      count_of(network, "stem") + count_of(network, "encoder") + count_of(network, "to_latent"),
      2'906'640);
  EXPECT_EQ(network.latent_shapes[0], (std::vector<std::int64_t>{64, 12, 24}));
  options.grid = {6, 32, 32};
  options.widths = {16, 32, 64};
  options.blocks = 1;
  options.latent = 32;
  options.padding = SpherePadding::around;
  const Network small = make_sphere_autoencoder(0, options);
  EXPECT_EQ(parameter_count(small), 176'728);
  EXPECT_EQ(small.latent_shapes[0], (std::vector<std::int64_t>{32, 6, 8, 8}));
  EXPECT_EQ(parameter_count(make_orthogonal_head(0, {})), 17'596'825);
}

SphereAutoencoderOptions tiny(std::vector<std::int64_t> grid) {
  SphereAutoencoderOptions options;
  options.channels = 2;
  options.grid = std::move(grid);
  options.widths = {4, 6};
  options.blocks = 1;
  options.latent = 3;
  return options;
}

TEST(SphereAutoencoder, ShapesOnEveryGridAndJointPasses) {
  const at::NoGradGuard no_gradient;
  for (const auto& grid : {std::vector<std::int64_t>{6, 8, 8}, std::vector<std::int64_t>{8, 16}}) {
    for (const auto padding : {SpherePadding::around, SpherePadding::zero}) {
      auto options = tiny(grid);
      options.padding = padding;
      const Network network = make_sphere_autoencoder(1, options);
      std::vector<std::int64_t> shape{3, 2};
      shape.insert(shape.end(), grid.begin(), grid.end());
      const auto x = waves(shape), gx = x.flip(0);
      const Encoded one = network.forward(x);
      EXPECT_EQ(one.output.sizes(), x.sizes());
      EXPECT_EQ(one.latents[0].sizes().slice(1).vec(), network.latent_shapes[0]);
      EXPECT_TRUE(at::allclose(network.decode(one.latents[0], 0), one.output));
      const auto pair = network.forward_pair(x, gx);
      EXPECT_TRUE(at::allclose(pair.first.output, one.output, 1e-4, 1e-5));
      EXPECT_TRUE(at::allclose(pair.second.output, one.output.flip(0), 1e-4, 1e-5));
      EXPECT_THROW(network.forward(waves({3, 5, 8, 16})), InputError);
    }
  }
  EXPECT_THROW(make_sphere_autoencoder(0, tiny({6, 9, 9})), InputError);
  EXPECT_THROW(make_sphere_autoencoder(0, tiny({5, 8, 8})), InputError);
}

// Kernels of every 3×3 convolution averaged over the symmetries of the square.
void symmetrise(torch::nn::Module& module) {
  const at::NoGradGuard no_gradient;
  for (auto& item : module.named_parameters()) {
    auto& weight = item.value();
    if (weight.dim() != 4 || weight.size(-1) != 3) continue;
    auto sum = at::zeros_like(weight);
    for (int turn = 0; turn < 4; ++turn) {
      const auto turned = at::rot90(weight, turn, {2, 3});
      sum += turned + turned.flip(3);
    }
    weight.copy_(sum / 8);
  }
}

TEST(SphereAutoencoder, SymmetricKernelsGiveAnEquivariantNetwork) {
  const at::NoGradGuard no_gradient;
  const Group group = make_group("Oh");
  const Network network = make_sphere_autoencoder(2, tiny({6, 8, 8}));
  const auto input = sphere_action(group, mesh::cube_map_grid(8));
  const auto latent = sphere_action(group, mesh::cube_map_grid(8), 1);
  const auto x = waves({48, 2, 6, 8, 8});
  const auto g = at::arange(48, at::kLong);
  const auto defect = [&] {
    const auto moved = network.forward(input(g, x));
    const auto still = network.forward(x);
    const auto z = (moved.latents[0] - latent(g, still.latents[0])).abs().max().item<double>();
    const auto y = (moved.output - input(g, still.output)).abs().max().item<double>();
    return std::max(z, y);
  };
  EXPECT_GT(defect(), 0.01);  // any kernels
  symmetrise(*network.module);
  EXPECT_LT(defect(), 1e-5);
}

TEST(NormFaces, BothWaysAgreeWithTheirGradients) {
  const FacePadding cube(6, 4, 4, mesh::cube_map_padding(4));
  const FacePadding parallels(1, 9, 20, mesh::half_offset_padding(9, 20));
  const auto channels = std::int64_t{3};
  for (const auto* padding : {&cube, &parallels}) {
    for (const bool padded : {true, false}) {
      const auto faces = padding->faces();
      const auto x = waves({2 * faces, channels, padding->height(), padding->width()}) + 0.7;
      std::vector<at::Tensor> inputs[2];
      at::Tensor results[2];
      for (const int way : {0, 1}) {
        const auto own = x.clone().requires_grad_();
        const auto weight = at::linspace(0.5, 2.0, channels).requires_grad_();
        const auto bias = at::linspace(-1.0, 0.4, channels).requires_grad_();
        inputs[way] = {own, weight, bias};
        const FaceNorm norm{faces, weight, bias, 1e-6};
        const auto* around = padded ? padding : nullptr;
        results[way] =
            way == 0 ? norm_faces(own, norm, around) : norm_faces_torch(own, norm, around);
        const auto pull = waves(results[way].sizes());
        (results[way] * pull).sum().backward();
      }
      EXPECT_TRUE(at::allclose(results[0], results[1], 1e-4, 1e-5));
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_TRUE(at::allclose(inputs[0][i].grad(), inputs[1][i].grad(), 1e-3, 1e-4)) << i;
      }
    }
    const auto one = at::ones({channels});
    EXPECT_THROW(norm_faces(waves({7, 3, 5, 5}), {padding->faces(), one, one}, padding),
                 InputError);
    EXPECT_THROW(norm_faces(waves({6, 2, 4, 4}), {6, one, one}), InputError);
    EXPECT_THROW(pad_faces(waves({5, 1, 4, 4}), cube), InputError);
  }
  // Every sample by itself, over all of its faces.
  const auto x = waves({12, channels, 4, 4});
  const FaceNorm norm{6, at::ones({channels}), at::zeros({channels}), 1e-6};
  const auto both = norm_faces(x, norm, &cube), second = norm_faces(x.narrow(0, 6, 6), norm, &cube);
  EXPECT_TRUE(at::equal(both.narrow(0, 6, 6), second));
  EXPECT_EQ(both.sizes(), (at::IntArrayRef{12, channels, 6, 6}));
  auto table = mesh::half_offset_padding(4, 8);
  table[0] = {99, 0};
  EXPECT_THROW(FacePadding(1, 4, 8, table), InputError);
  table = mesh::half_offset_padding(4, 8);
  table[12] = {0, 0};  // a cell inside, whose own number is 1
  EXPECT_THROW(FacePadding(1, 4, 8, table), InputError);
}

// Rows of a half-offset grid go on beyond the poles: a linear function stays one.
TEST(PadFaces, ParallelsGoOnBeyondThePoles) {
  const auto grid = mesh::half_offset_grid(8, 16);
  const auto points = mesh::grid_directions(grid);
  const auto padding = mesh::half_offset_padding(8, 16);
  for (int column = 0; column < 16; ++column) {
    const auto above = points[padding[static_cast<std::size_t>(column + 1)][0]];
    const auto first = points[static_cast<std::size_t>(column)];
    EXPECT_NEAR(above.z(), first.z(), 1e-12);
    EXPECT_NEAR(above.x(), -first.x(), 1e-12);
    EXPECT_NEAR(above.y(), -first.y(), 1e-12);
  }
}

TEST(OrthogonalHead, BringsATinyLatentToSizeOnRequest) {
  const at::NoGradGuard no_gradient;
  OrthogonalHeadOptions options{.features = 5, .width = 8, .gram = 6, .hidden = 16, .classes = 4};
  const auto z = waves({3, 5, 24});
  const auto change = [&](const Network& head) {
    const auto whole = head.forward(z).output, tiny = head.forward(1e-4 * z).output;
    return ((whole - tiny).abs().max() / whole.abs().max()).item<double>();
  };
  EXPECT_GT(change(make_orthogonal_head(3, options)), 0.1);  // lost in the floor of the norms
  options.unit = true;
  const Network unit = make_orthogonal_head(3, options);
  EXPECT_LT(change(unit), 1e-4);
  EXPECT_TRUE(at::isfinite(unit.forward(at::zeros_like(z)).output).all().item<bool>());
}

TEST(OrthogonalHead, IsInvariantUnderOrthogonalMaps) {
  const at::NoGradGuard no_gradient;
  OrthogonalHeadOptions options{.features = 5, .width = 8, .gram = 6, .hidden = 16, .classes = 4};
  const Network head = make_orthogonal_head(3, options);
  const auto z = waves({3, 5, 24});
  const auto random = waves({24, 24}) + at::eye(24);
  const auto q = std::get<0>(at::linalg_qr(random));
  const auto logits = head.forward(z).output;
  const auto moved = head.forward(at::matmul(z, q)).output;
  EXPECT_LT((logits - moved).abs().max().item<double>(), 1e-4 * logits.abs().max().item<double>());
  EXPECT_GT((logits - head.forward(z.mul(1.5).add(0.1)).output).abs().max().item<double>(),
            1e-3 * logits.abs().max().item<double>());
  EXPECT_THROW(head.forward(waves({3, 4, 24})), InputError);
}

}  // namespace
}  // namespace algprior::nn
