#include "algprior/data/voxel_shapes.hpp"

#include "algprior/action/planar.hpp"
#include "algprior/action/sample.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/memory.hpp"
#include "algprior/base/random.hpp"
#include "algprior/group/geometry.hpp"
#include "algprior/group/make_group.hpp"

#include <algorithm>
#include <array>

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace algprior {
namespace {

constexpr std::int64_t kVolumeSide = 28;

using Cells = std::vector<std::array<int, 3>>;

// Unit cubes of the figures: a screw, which no rotation maps to its mirror image, and a
// tripod, which a reflection maps to itself.
const Cells kScrew = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 1, 1}};
const Cells kMirroredScrew = {{0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {1, 1, 0}};
const Cells kTripod = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

// All figures of four cubes joined at their faces, up to rotation: the three above, then the flat
// ones I, L, T, S and the square.
const std::vector<Cells> kTetracubes = {kScrew,
                                        kMirroredScrew,
                                        kTripod,
                                        {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}},
                                        {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 1, 0}},
                                        {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {1, 1, 0}},
                                        {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {2, 1, 0}},
                                        {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}};

using Corner = std::array<std::int64_t, 3>;

// A figure of cubes `width` voxels wide, the first at a corner, in noise.
at::Tensor draw_figure(const Cells& cells, std::int64_t width, const Corner& corner,
                       RandomStream& random) {
  const auto volume = at::zeros({kVolumeSide, kVolumeSide, kVolumeSide}, at::kByte);
  for (const auto& cell : cells) {
    Corner at = corner;
    for (std::size_t axis = 0; axis < 3; ++axis) at[axis] += cell[axis] * width;
    volume.slice(0, at[0], at[0] + width)
        .slice(1, at[1], at[1] + width)
        .slice(2, at[2], at[2] + width)
        .fill_(200);
  }
  auto* voxels = volume.data_ptr<std::uint8_t>();
  for (std::int64_t i = 0; i < volume.numel(); ++i) {
    voxels[i] = static_cast<std::uint8_t>(voxels[i] + random.below(40));
  }
  return volume;
}

std::int64_t draw_width(RandomStream& random) {
  return static_cast<std::int64_t>(4 + random.below(3));
}

// A figure of two cubes along each axis, at a random place.
at::Tensor draw_anywhere(const Cells& cells, RandomStream& random) {
  const std::int64_t width = draw_width(random);
  Corner corner{};
  for (auto& place : corner) {
    place = static_cast<std::int64_t>(
        random.below(static_cast<std::uint64_t>(kVolumeSide - 2 * width + 1)));
  }
  return draw_figure(cells, width, corner, random);
}

// A figure in the middle, but for one voxel along each axis: it stays inside the inscribed ball.
at::Tensor draw_in_the_middle(const Cells& cells, RandomStream& random) {
  const std::int64_t width = draw_width(random);
  Corner corner{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::int64_t extent = 0;
    for (const auto& cell : cells) extent = std::max<std::int64_t>(extent, cell[axis] + 1);
    corner[axis] =
        (kVolumeSide - extent * width) / 2 - 1 + static_cast<std::int64_t>(random.below(3));
  }
  return draw_figure(cells, width, corner, random);
}

/// Figures as they were built, and the orientation that each is to get.
struct Figures {
  at::Tensor volumes, g;
};

// Figure i is the tetracube i mod `kinds`.
Figures draw_figures(const Action& turn, const RandomKey& key, std::int64_t count,
                     std::int64_t kinds) {
  std::vector<at::Tensor> volumes;
  for (std::int64_t i = 0; i < count; ++i) {
    RandomStream random(key.sample(static_cast<std::uint64_t>(i)));
    volumes.push_back(draw_anywhere(kTetracubes[static_cast<std::size_t>(i % kinds)], random));
  }
  return {at::stack(volumes).unsqueeze(1).to(at::kFloat),
          sample_elements(turn.group(), count, key.purpose("orientation"))};
}

LabelledVolumes draw_shapes(const RandomKey& key, std::int64_t count) {
  const Action turn = volume_action(make_group("cube"));
  const Figures figures = draw_figures(turn, key, count, 3);
  return {turn(figures.g, figures.volumes).to(at::kByte), at::arange(count, at::kLong) % 3};
}

// The axis that a motion makes of each axis.
std::vector<std::uint32_t> axes_under(const Eigen::MatrixXd& motion) {
  std::vector<std::uint32_t> axes;
  for (Eigen::Index axis = 0; axis < 3; ++axis) {
    Eigen::Index image = 0;
    motion.col(axis).cwiseAbs().maxCoeff(&image);
    axes.push_back(static_cast<std::uint32_t>(image));
  }
  return axes;
}

LabelledVolumes draw_axes(const RandomKey& key, std::int64_t count) {
  const Group cube = make_group("cube");
  const Action turn = volume_action(cube);
  const Figures figures = draw_figures(turn, key, count, 2);
  const at::Tensor labels = at::empty({count}, at::kLong);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto g = static_cast<std::size_t>(figures.g.data_ptr<std::int64_t>()[i]);
    // As built, cells differ by steps along D, H and W, which are z, y and x: the middle one is y.
    labels.data_ptr<std::int64_t>()[i] = axes_under(orthogonal_matrices(cube)->at(g))[1];
  }
  return {turn(figures.g, figures.volumes).to(at::kByte), labels};
}

LabelledVolumes draw_tetracubes(const RandomKey& key, std::int64_t count) {
  std::vector<at::Tensor> volumes;
  const auto kinds = static_cast<std::int64_t>(kTetracubes.size());
  for (std::int64_t i = 0; i < count; ++i) {
    RandomStream random(key.sample(static_cast<std::uint64_t>(i)));
    volumes.push_back(draw_in_the_middle(kTetracubes[static_cast<std::size_t>(i % kinds)], random));
  }
  return {at::stack(volumes).unsqueeze(1), at::arange(count, at::kLong) % kinds};
}

void check_counts(std::int64_t train, std::int64_t validation, std::int64_t test,
                  std::int64_t classes) {
  if (train >= classes && validation >= classes && test >= classes) {
    const double count =
        static_cast<double>(train) + static_cast<double>(validation) + static_cast<double>(test);
    return check_memory(count * 28.0 * 28.0 * 28.0, "figures of voxels",
                        fmt::format("{:.3g} of them", count));
  }
  throw InputError({"there are too few shapes to draw",
                    fmt::format("{}, {} and {}", train, validation, test),
                    fmt::format("at least one of each of the {} classes", classes), ""});
}

}  // namespace

VolumeSplits make_voxel_shapes(std::uint64_t seed, std::int64_t train, std::int64_t validation,
                               std::int64_t test) {
  check_counts(train, validation, test, 3);
  return {draw_shapes(RandomKey(seed, "shapes, train"), train),
          draw_shapes(RandomKey(seed, "shapes, validation"), validation),
          draw_shapes(RandomKey(seed, "shapes, test"), test), 3,
          exchanged_by_reflections({1, 0, 2})};
}

VolumeSplits make_voxel_axes(std::uint64_t seed, std::int64_t train, std::int64_t validation,
                             std::int64_t test) {
  check_counts(train, validation, test, 3);
  return {draw_axes(RandomKey(seed, "axes, train"), train),
          draw_axes(RandomKey(seed, "axes, validation"), validation),
          draw_axes(RandomKey(seed, "axes, test"), test), 3, axes_under};
}

VolumeSplits make_tetracubes(std::uint64_t seed, std::int64_t train, std::int64_t validation,
                             std::int64_t test) {
  const auto classes = static_cast<std::int64_t>(kTetracubes.size());
  check_counts(train, validation, test, classes);
  return {draw_tetracubes(RandomKey(seed, "tetracubes, train"), train),
          draw_tetracubes(RandomKey(seed, "tetracubes, validation"), validation),
          draw_tetracubes(RandomKey(seed, "tetracubes, test"), test), classes,
          exchanged_by_reflections({1, 0, 2, 3, 4, 5, 6, 7})};
}

}  // namespace algprior
