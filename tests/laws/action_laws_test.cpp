#include "action_laws.hpp"

#include "algprior/action/axis.hpp"
#include "algprior/action/latent.hpp"
#include "algprior/action/parts.hpp"
#include "algprior/action/planar.hpp"
#include "algprior/action/sphere.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/group/product.hpp"
#include "algprior/rep/constructions.hpp"

namespace algprior {
namespace {

using laws::ActionLaws;

at::Tensor noise(at::IntArrayRef shape) {
  return at::arange(c10::multiply_integers(shape), at::kFloat).mul(0.618).frac().reshape(shape);
}

// Blobs of standard deviation 4, off the centre, so that no symmetry of the image hides an error.
at::Tensor smooth_image(std::int64_t side) {
  const auto axis = at::arange(side, at::kDouble) - 0.5 * static_cast<double>(side - 1);
  const auto u = axis.unsqueeze(0);
  const auto v = axis.unsqueeze(1);
  const auto blob = [&](double cu, double cv, double height) {
    return height * (-((u - cu).square() + (v - cv).square()) / 32.0).exp();
  };
  const auto image = blob(6, -3, 1.0) + blob(-4, -7, 0.6) + blob(1, 8, 0.4);
  return image.clamp(0, 1).to(at::kFloat).reshape({1, 1, side, side});
}

TEST(ActionLaws, ExactPlanarActions) {
  for (const auto* name : {"C1", "C2", "C4", "D1", "D2", "D4"}) {
    const auto action = planar_action(make_group(name));
    EXPECT_TRUE(action.exact());
    for (const std::int64_t side : {6, 7}) ActionLaws{action, noise({3, 2, side, side})}.all();
  }
  const auto d4 = planar_action(make_group("D4"));
  ActionLaws{d4, noise({1, 1, 6, 6})}.wrong_order_fails(0.1);
}

TEST(ActionLaws, ResamplingPlanarActionsOnASmoothImage) {
  for (const auto* name : {"C3", "C8", "D3", "D6"}) {
    for (const auto mode : {Resampling::bilinear, Resampling::nearest}) {
      const auto action = planar_action(make_group(name), mode);
      EXPECT_FALSE(action.exact());
      ActionLaws{action, smooth_image(48)}.all();
    }
  }
  for (const auto* name : {"D3", "D6"}) {
    const auto action = planar_action(make_group(name), Resampling::bilinear);
    ActionLaws{action, smooth_image(48)}.wrong_order_fails(10 * action.tolerance());
  }
}

TEST(ActionLaws, VolumeActions) {
  for (const auto* name : {"cube", "Oh", "T", "Td", "Th"}) {
    const auto action = volume_action(make_group(name));
    ActionLaws laws{action, noise({2, 1, 4, 4, 4})};
    laws.all(2500);
    laws.wrong_order_fails(0.1);
  }
}

TEST(ActionLaws, PartsOfAProduct) {
  const auto product = make_group("D4xD4");
  const auto parts = planar_parts(product);
  ActionLaws{stacked_action(product, parts), noise({2, 2, 1, 4, 4})}.all();
  ActionLaws{canvas_action(product, parts, {{2, 0, 4, 4}, {2, 4, 4, 4}}), noise({2, 1, 8, 8})}
      .all();
  const auto mixed = make_group("C2xD4");
  ActionLaws{stacked_action(mixed, planar_parts(mixed)), noise({2, 2, 3, 4, 4})}.all();
}

TEST(ActionLaws, AxisActions) {
  for (const auto* name : {"C4", "S3", "D4"}) {
    const auto group = make_group(name);
    const auto defining = defining_representation(group);
    const auto d = static_cast<std::int64_t>(defining.dimension());
    ActionLaws{axis_action(defining, 0), noise({3, d})}.all();
    ActionLaws{axis_action(defining, 0), noise({2, d, 3, 2})}.all();
    ActionLaws{axis_action(defining, 2), noise({2, 3, 2, d})}.all();
  }
  const auto s3 = make_group("S3");
  ActionLaws{axis_action(defining_representation(s3), 1), noise({1, 2, 3})}.wrong_order_fails(0.1);
  const auto c4 = make_group("C4");
  Eigen::MatrixXd turn(2, 2);
  turn << 0, -1, 1, 0;
  ActionLaws{axis_action(matrix_representation(c4, {turn}), 1), noise({2, 5, 2})}.all();
}

TEST(ActionLaws, LatentActions) {
  for (const auto* name : {"C1", "C4", "D1", "D3", "D4", "S4", "Q8", "D4xC2"}) {
    const auto group = make_group(name);
    const auto regular = regular_representation(group);
    const auto width = static_cast<std::int64_t>(2 * group.order() + 3);
    for (const auto path : {LatentPath::automatic, LatentPath::dense}) {
      const auto action = latent_action(regular, width, path);
      EXPECT_TRUE(action.exact());
      ActionLaws{action, noise({3, width})}.all();
      ActionLaws{channel_action(regular, width, path), noise({2, width, 3, 2})}.all(64);
    }
  }
  for (const auto* name : {"D3", "D4", "S4"}) {
    const auto group = make_group(name);
    const auto action = latent_action(regular_representation(group), 30);
    ActionLaws{action, noise({1, 30})}.wrong_order_fails(0.1);
  }
}

TEST(ActionLaws, DenseRotations) {
  const auto d3 = make_group("D3");
  Eigen::MatrixXd r(2, 2);
  r << -0.5, std::sqrt(0.75), -std::sqrt(0.75), -0.5;
  const Eigen::MatrixXd s = Eigen::Vector2d(-1, 1).asDiagonal();
  const auto plane = matrix_representation(d3, std::vector<Eigen::MatrixXd>{r, s});
  const auto latent = latent_action(plane, 5);
  EXPECT_FALSE(latent.exact());
  EXPECT_LE(action_defect(latent, noise({3, 5})), latent.tolerance());
  EXPECT_GT(opposite_defect(latent, noise({3, 5})), 1000 * latent.tolerance());
  const auto own = planar_action(plane, Resampling::bilinear);
  const auto standard = planar_action(d3, Resampling::bilinear);
  for (Element g = 0; g < d3.order(); ++g) {
    EXPECT_TRUE(at::allclose(own(g, smooth_image(32)), standard(g, smooth_image(32)), 0, 1e-5));
  }
}

// The functions v·p on a grid, a channel for each of the axes.
at::Tensor linear_functions(const mesh::SphereGrid& grid) {
  auto shape = grid.shape();
  shape.insert(shape.begin(), {1, 3});
  const auto x = at::empty({3, static_cast<std::int64_t>(grid.cells())});
  auto* out = x.data_ptr<float>();
  for (int axis = 0; axis < 3; ++axis) {
    for (const auto& p : mesh::grid_directions(grid)) *out++ = static_cast<float>(p[axis]);
  }
  return x.reshape(shape);
}

TEST(ActionLaws, SphereActionsOnTheCubeMapAreExact) {
  for (const auto* name : {"Oh", "cube", "Td"}) {
    const auto action = sphere_action(make_group(name), mesh::cube_map_grid(8), 1);
    EXPECT_TRUE(action.exact());
    ActionLaws laws{action, noise({2, 3, 6, 4, 4})};
    laws.all(2304);
    laws.wrong_order_fails(0.1);
  }
}

TEST(ActionLaws, SphereActionsOnGridsOfParallels) {
  const auto group = make_group("Oh");
  for (const auto* name : {"24x48-half", "25x49", "12x24-half"}) {
    const auto grid = mesh::grid_named(name);
    const auto action = sphere_action(group, grid);
    EXPECT_FALSE(action.exact());
    ActionLaws laws{action, linear_functions(grid)};
    laws.all(256);
    laws.wrong_order_fails(10 * action.tolerance());
  }
}

TEST(ActionLaws, FlatActionsOnChannels) {
  const auto regular = regular_representation(make_group("Oh"));
  const auto action = flat_action(regular, 12 * 24);
  EXPECT_TRUE(action.exact());
  ActionLaws laws{action, noise({2, 2, 12, 24})};
  laws.all(2304);
  laws.wrong_order_fails(0.1);
  ActionLaws{flat_action(regular, 6 * 8 * 8), noise({1, 2, 6, 8, 8})}.all(64);
}

TEST(ActionLaws, LabelsAndCompositions) {
  const auto d4 = make_group("D4");
  const auto labels = label_action(defining_representation(d4));
  ActionLaws{labels, at::arange(4, at::kLong)}.all();
  EXPECT_GT(opposite_defect(labels, at::arange(4, at::kLong)), 0.5);
  ActionLaws{trivial_action(d4), noise({3, 5})}.all();
  const auto field = compose(planar_action(d4), channel_action(regular_representation(d4), 8));
  ActionLaws laws{field, noise({2, 8, 5, 5})};
  laws.all();
  laws.wrong_order_fails(0.1);
}

}  // namespace
}  // namespace algprior
