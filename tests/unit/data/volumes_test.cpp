#include "algprior/data/volumes.hpp"

#include "algprior/action/planar.hpp"
#include "algprior/base/error.hpp"
#include "algprior/data/image_pairs.hpp"
#include "algprior/data/voxel_shapes.hpp"
#include "algprior/group/geometry.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/io/npy.hpp"
#include "algprior/nn/arrays.hpp"
#include "algprior/rep/constructions.hpp"
#include "algprior/store/store.hpp"

#include <algorithm>
#include <cmath>
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
}

// A set as published has its splits, its classes and its side; what differs is said.
TEST(Volumes, APublishedSetIsHeldToItsNumbers) {
  EXPECT_EQ(medmnist3d_set("organ").file(28), "organmnist3d.npz");
  EXPECT_EQ(medmnist3d_set("organ").file(64), "organmnist3d_64.npz");
  EXPECT_THROW(medmnist3d_set("organs"), InputError);
  EXPECT_EQ(medmnist3d_sets().size(), 6u);
  const auto path = std::filesystem::path(testing::TempDir()) / "known.npz";
  io::write_npz(path, small_arrays());
  EXPECT_EQ(read_medmnist3d(path, {"small", 4, 4, 4, 2}, 3).train.labels.size(0), 4);
  const auto message = [&](const Medmnist3d& set, std::int64_t side) -> std::string {
    try {
      read_medmnist3d(path, set, side);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  };
  for (const char* part : {"known.npz", "4 validation volumes", "5"}) {
    EXPECT_NE(message({"small", 4, 5, 4, 2}, 3).find(part), std::string::npos) << part;
  }
  EXPECT_NE(message({"small", 4, 4, 4, 3}, 3).find("2 classes"), std::string::npos);
  EXPECT_NE(message({"small", 4, 4, 4, 2}, 28).find("3 voxels a side"), std::string::npos);
}

TEST(Volumes, AdrenalIsAsPublished) {
  const auto path = store::find_if_present(
      store::default_store(), store::set_named(store::catalogue(), "medmnist3d"),
      store::file_named(store::set_named(store::catalogue(), "medmnist3d"), "adrenalmnist3d.npz"));
  if (!path) GTEST_SKIP() << "AdrenalMNIST3D is not on this machine";
  EXPECT_EQ(
      store::verify(*path, store::file_named(store::set_named(store::catalogue(), "medmnist3d"),
                                             "adrenalmnist3d.npz")),
      "");
  EXPECT_EQ(read_medmnist3d(*path, medmnist3d_set("adrenal"), 28).classes, 2);
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

// A figure in cells instead of voxels.
at::Tensor cells_of(const at::Tensor& volume) {
  const at::Tensor figure = volume.gt(150);
  const auto width = std::llround(std::cbrt(figure.sum().item<double>() / 4.0));
  at::Tensor cells = cropped(figure);
  for (std::int64_t axis = 0; axis < 3; ++axis) cells = cells.slice(axis, 0, {}, width);
  return cells;
}

// No rotation makes one figure of another; a reflection makes the one that `motion` says.
TEST(Volumes, TetracubesAreEightFiguresUpToRotation) {
  const VolumeSplits splits = make_tetracubes(1, 16, 8, 8);
  ASSERT_EQ(splits.classes, 8);
  EXPECT_TRUE(at::equal(make_tetracubes(1, 16, 8, 8).train.volumes, splits.train.volumes));
  const Group group = make_group("Oh");
  const Action turn = volume_action(group), relabel = volume_label_action(group, splits);
  const auto moved_cells = [&](Element g, std::int64_t i) {
    return cells_of(turn(g, splits.train.volumes.slice(0, i, i + 1).to(at::kFloat))[0][0]);
  };
  std::vector<std::vector<at::Tensor>> turned(8);  // each figure in all its orientations
  for (Element g = 0; g < group.order(); ++g) {
    if ((*orthogonal_matrices(group))[g].determinant() < 0) continue;
    for (std::int64_t i = 0; i < 8; ++i) turned[std::size_t(i)].push_back(moved_cells(g, i));
  }
  for (std::int64_t i = 0; i < 16; ++i) {
    for (Element g = 0; g < group.order(); ++g) {
      const at::Tensor moved = moved_cells(g, i);
      const auto label = relabel(g, splits.train.labels.slice(0, i, i + 1)).item<std::int64_t>();
      for (std::int64_t j = 0; j < 8; ++j) {
        const auto& all = turned[std::size_t(j)];
        const bool same = std::any_of(all.begin(), all.end(),
                                      [&](const at::Tensor& one) { return at::equal(one, moved); });
        EXPECT_EQ(same, label == j) << "figure " << i << ", element " << g << ", class " << j;
      }
    }
  }
  EXPECT_THROW(make_tetracubes(0, 7, 8, 8), InputError);
}

// The ball that rotations leave whole has all of each figure.
TEST(Volumes, TetracubesAreInTheMiddle) {
  const VolumeSplits splits = make_tetracubes(2, 64, 8, 8);
  const auto square = (at::arange(28, at::kDouble) - 13.5).square();
  const auto squares = square.view({28, 1, 1}) + square.view({28, 1}) + square;
  const auto figures = splits.train.volumes.squeeze(1).gt(150).to(at::kDouble);
  EXPECT_LT((figures * squares).max().item<double>(), 14 * 14);
}

// Reflections exchange left and right, rotations do not; twice is nothing.
TEST(Volumes, OrgansMoveWithTheirSides) {
  const Group group = make_group("Oh");
  VolumeSplits organ;
  organ.classes = 11;
  organ.motion = exchanged_by_reflections(medmnist3d_set("organ").mirrored);
  const Action action = volume_label_action(group, organ);
  const at::Tensor labels = at::arange(11, at::kLong);
  const at::Tensor mirrored = at::tensor({0, 2, 1, 4, 3, 5, 6, 8, 7, 9, 10}, at::kLong);
  int reflections = 0;
  for (Element g = 0; g < group.order(); ++g) {
    const bool reflects = orthogonal_matrices(group)->at(g).determinant() < 0;
    reflections += reflects ? 1 : 0;
    EXPECT_TRUE(at::equal(action(g, labels), reflects ? mirrored : labels)) << g;
  }
  EXPECT_EQ(reflections, 24);
  EXPECT_TRUE(at::equal(volume_label_action(group, VolumeSplits{})(7, labels), labels));
  EXPECT_THROW(volume_label_action(make_group("C4"), organ), InputError);
}

// The label that a motion makes of a label is that of the moved volume: drawn screws of both hands
// are told apart by comparing them with all rotations of one of them.
TEST(Volumes, LabelsOfShapesMoveAsTheirVolumesDo) {
  const Group group = make_group("Oh");
  const VolumeSplits splits = make_voxel_shapes(3, 6, 3, 3);
  const Dataset data =
      make_image_pairs("shapes", splits.train.volumes, splits.train.labels, volume_action(group),
                       {.labels = volume_label_action(group, splits)});
  const Batch batch = data.get(at::arange(6, at::kLong), RandomKey(4, "labels"));
  const Action turn = volume_action(make_group("cube"));
  // The 2×2×2 cells of a figure.
  const auto cells = [](const at::Tensor& volume, double above) {
    const auto figure = cropped(volume.gt(above)).to(at::kFloat);
    const std::int64_t width = figure.size(0) / 2;
    return figure.slice(0, 0, {}, width).slice(1, 0, {}, width).slice(2, 0, {}, width);
  };
  const auto screw = cells(splits.train.volumes[0][0], 150);
  const auto hand = [&](const at::Tensor& x) {
    const auto figure = cells(x[0], 0.5);
    for (Element g = 0; g < 24; ++g) {
      const auto turned = turn(g, screw.unsqueeze(0).unsqueeze(0))[0][0];
      if (at::equal(turned, figure)) return 0;
      if (at::equal(turned.flip({0}), figure)) return 1;
    }
    return 2;
  };
  for (std::int64_t i = 0; i < 6; ++i) {
    EXPECT_EQ(hand(batch.x[i]), batch.y[i].item<std::int64_t>()) << i;
    EXPECT_EQ(hand(batch.gx[i]), batch.gy[i].item<std::int64_t>()) << i;
  }
}

// The middle step of a screw is the only one both of whose ends have a neighbour.
TEST(Volumes, AxesAreThoseOfTheMiddleStep) {
  const VolumeSplits splits = make_voxel_axes(5, 24, 3, 3);
  EXPECT_GT(at::bincount(splits.train.labels, {}, 3).min().item<std::int64_t>(), 0);
  for (std::int64_t i = 0; i < 24; ++i) {
    const auto figure = cropped(splits.train.volumes[i][0].gt(150));
    const std::int64_t width = figure.size(0) / 2;
    const auto cells = figure.slice(0, 0, {}, width).slice(1, 0, {}, width).slice(2, 0, {}, width);
    ASSERT_EQ(cells.sum().item<std::int64_t>(), 4);
    // Along x (the last axis), y, z: the two halves of the box hold 2 cells each only across the
    // middle step, 3 and 1 across the outer ones.
    const std::int64_t axis = 2 - splits.train.labels[i].item<std::int64_t>();
    EXPECT_EQ(cells.select(axis, 0).sum().item<std::int64_t>(), 2) << i;
    for (const std::int64_t other : {(axis + 1) % 3, (axis + 2) % 3}) {
      EXPECT_NE(cells.select(other, 0).sum().item<std::int64_t>(), 2) << i;
    }
  }
  const Action action = volume_label_action(make_group("cube"), splits);
  EXPECT_TRUE(at::equal(action(10, at::arange(3, at::kLong)), at::tensor({1, 2, 0}, at::kLong)));
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
