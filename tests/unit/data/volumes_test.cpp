#include "algprior/data/volumes.hpp"

#include "algprior/action/planar.hpp"
#include "algprior/base/error.hpp"
#include "algprior/data/image_pairs.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/io/npy.hpp"
#include "algprior/nn/arrays.hpp"
#include "algprior/rep/constructions.hpp"

#include <filesystem>
#include <functional>

#include <ATen/ATen.h>
#include <Eigen/LU>
#include <gtest/gtest.h>

namespace algprior {
namespace {

using Arrays = std::map<std::string, io::Array, std::less<>>;

Arrays small_arrays() {
  Arrays arrays;
  for (const char* split : {"train", "val", "test"}) {
    const at::Tensor images = at::arange(4 * 27, at::kByte).view({4, 3, 3, 3});
    arrays[std::string(split) + "_images"] = to_array(images);
    arrays[std::string(split) + "_labels"] = to_array(at::arange(4, at::kByte).view({4, 1}) % 2);
  }
  return arrays;
}

void expect_refused(const char* word, const std::function<void(Arrays&)>& change) {
  Arrays arrays = small_arrays();
  change(arrays);
  const auto path = std::filesystem::path(testing::TempDir()) / "volumes.npz";
  io::write_npz(path, arrays);
  try {
    read_volumes(path);
    ADD_FAILURE() << word;
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("volumes.npz"), std::string::npos) << message;
    EXPECT_NE(message.find(word), std::string::npos) << message;
  }
}

TEST(Volumes, AreReadAsMedmnistHasThem) {
  const auto path = std::filesystem::path(testing::TempDir()) / "good.npz";
  io::write_npz(path, small_arrays());
  const VolumeSplits splits = read_volumes(path);
  EXPECT_EQ(splits.classes, 2);
  EXPECT_EQ(splits.train.volumes.sizes(), (at::IntArrayRef{4, 1, 3, 3, 3}));
  EXPECT_TRUE(at::equal(splits.test.labels, at::arange(4, at::kLong) % 2));
  EXPECT_EQ(medmnist3d_file("organ"), "organmnist3d.npz");
  EXPECT_THROW(medmnist3d_file("organs"), InputError);
}

TEST(Volumes, BadFilesAreNamedWithTheirArray) {
  expect_refused("val_labels", [](Arrays& a) { a.erase("val_labels"); });
  expect_refused("train_images", [](Arrays& a) {
    a["train_images"] = to_array(at::zeros({4, 3, 3}));
  });
  expect_refused("test_images", [](Arrays& a) {
    a["test_images"] = to_array(at::ones({4, 3, 3, 2}, at::kByte));
  });
  expect_refused("test_labels",
                 [](Arrays& a) { a["test_labels"] = to_array(at::zeros({3}, at::kByte)); });
  expect_refused("label 5",
                 [](Arrays& a) { a["val_labels"] = to_array(at::full({4}, 5, at::kByte)); });
  expect_refused("label -1",
                 [](Arrays& a) { a["train_labels"] = to_array(at::full({4}, -1, at::kLong)); });
  expect_refused("differ in size", [](Arrays& a) {
    a["test_images"] = to_array(at::arange(4 * 8, at::kByte).view({4, 2, 2, 2}));
  });
  expect_refused("blank", [](Arrays& a) {
    at::Tensor images = at::arange(4 * 27, at::kByte).view({4, 3, 3, 3});
    images[2].fill_(7);
    a["test_images"] = to_array(images);
  });
}

// The smallest box around a figure.
at::Tensor cropped(at::Tensor volume) {
  for (std::int64_t axis = 0; axis < 3; ++axis) {
    const at::Tensor used = volume.movedim(axis, 0).flatten(1).any(1).nonzero();
    volume =
        volume.slice(axis, used.min().item<std::int64_t>(), used.max().item<std::int64_t>() + 1);
  }
  return volume;
}

// Up to its place, a figure is its mirror image turned exactly when it is of class 2.
TEST(Volumes, ShapesAreWhatTheirLabelsSay) {
  const VolumeSplits splits = make_voxel_shapes(1, 6, 3, 3);
  EXPECT_EQ(splits.classes, 3);
  EXPECT_TRUE(at::equal(make_voxel_shapes(1, 6, 3, 3).train.volumes, splits.train.volumes));
  EXPECT_FALSE(at::equal(make_voxel_shapes(2, 6, 3, 3).train.volumes, splits.train.volumes));
  const Action turn = volume_action(make_group("cube"));
  for (std::int64_t i = 0; i < 6; ++i) {
    const at::Tensor figure = splits.train.volumes[i].gt(150);
    bool achiral = false;
    for (Element g = 0; g < 24; ++g) {
      const auto turned = turn(g, figure.unsqueeze(0).to(at::kFloat))[0][0].gt(0.5);
      achiral = achiral || at::equal(cropped(turned), cropped(figure[0].flip({2})));
    }
    EXPECT_EQ(achiral, splits.train.labels[i].item<std::int64_t>() == 2) << i;
  }
  EXPECT_THROW(make_voxel_shapes(0, 1, 3, 3), InputError);
}

// Departure D-1: a right action beside the left regular representation. E(T_g x) = ρ(g)E(x) for all
// g then asks ρ(gh)z = ρ(hg)z of every z, which leaves 2 of 24 dimensions.
TEST(Volumes, TheInversePairingLeavesTwoOfTwentyFourDimensions) {
  const Group cube = make_group("cube");
  const auto regular = regular_representation(cube).matrices();
  Eigen::MatrixXd asked = Eigen::MatrixXd::Zero(24, 24);  // Σ (ρ(gh) − ρ(hg))ᵀ(ρ(gh) − ρ(hg))
  for (Element g = 0; g < 24; ++g) {
    for (Element h = 0; h < 24; ++h) {
      const Eigen::MatrixXd difference =
          regular[cube.multiply(g, h)] - regular[cube.multiply(h, g)];
      asked += difference.transpose() * difference;
    }
  }
  EXPECT_EQ(24 - Eigen::FullPivLU<Eigen::MatrixXd>(asked).rank(), 2);
  // And the data set pairs so: g·x under D-1 is T_g⁻¹ x.
  const Action action = volume_action(cube);
  const auto volumes = at::arange(5 * 27, at::kByte).view({5, 1, 3, 3, 3});
  const auto labels = at::zeros({5}, at::kLong);
  const auto batch = make_image_pairs("", volumes, labels, action, {.inverse_partner = true})
                         .get(at::arange(5), RandomKey(3));
  EXPECT_TRUE(at::equal(action(batch.g, batch.gx), batch.x));
  const auto plain = make_image_pairs("", volumes, labels, action).get(at::arange(5), RandomKey(3));
  EXPECT_TRUE(at::equal(action(plain.g, plain.x), plain.gx));
}

}  // namespace
}  // namespace algprior
