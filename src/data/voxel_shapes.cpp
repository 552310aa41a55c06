#include "algprior/data/voxel_shapes.hpp"

#include "algprior/action/planar.hpp"
#include "algprior/action/sample.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/memory.hpp"
#include "algprior/base/random.hpp"
#include "algprior/group/geometry.hpp"
#include "algprior/group/make_group.hpp"

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
const Cells kTripod = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

// One figure at a random place, its cubes 4 to 6 voxels wide, in noise.
at::Tensor draw_figure(const Cells& cells, bool mirrored, RandomStream& random) {
  const auto volume = at::zeros({kVolumeSide, kVolumeSide, kVolumeSide}, at::kByte);
  const auto width = static_cast<std::int64_t>(4 + random.below(3));
  const auto room = static_cast<std::uint64_t>(kVolumeSide - 2 * width + 1);
  std::array<std::int64_t, 3> corner{};
  for (auto& place : corner) place = static_cast<std::int64_t>(random.below(room));
  for (const auto& cell : cells) {
    std::array<std::int64_t, 3> at = corner;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const int step = mirrored && axis == 2 ? 1 - cell[axis] : cell[axis];
      at[axis] += step * width;
    }
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

/// Figures as they were built, and the orientation that each is to get.
struct Figures {
  at::Tensor volumes, g;
};

// Figure i is the screw, its mirror image or the tripod as i mod `kinds` says.
Figures draw_figures(const Action& turn, const RandomKey& key, std::int64_t count,
                     std::int64_t kinds) {
  std::vector<at::Tensor> volumes;
  for (std::int64_t i = 0; i < count; ++i) {
    RandomStream random(key.sample(static_cast<std::uint64_t>(i)));
    volumes.push_back(draw_figure(i % kinds == 2 ? kTripod : kScrew, i % kinds == 1, random));
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

void check_counts(std::int64_t train, std::int64_t validation, std::int64_t test) {
  if (train >= 3 && validation >= 3 && test >= 3) {
    const double count =
        static_cast<double>(train) + static_cast<double>(validation) + static_cast<double>(test);
    return check_memory(count * 28.0 * 28.0 * 28.0, "figures of voxels",
                        fmt::format("{:.3g} of them", count));
  }
  throw InputError({"there are too few shapes to draw",
                    fmt::format("{}, {} and {}", train, validation, test),
                    "at least one of each of the three classes", ""});
}

}  // namespace

VolumeSplits make_voxel_shapes(std::uint64_t seed, std::int64_t train, std::int64_t validation,
                               std::int64_t test) {
  check_counts(train, validation, test);
  return {draw_shapes(RandomKey(seed, "shapes, train"), train),
          draw_shapes(RandomKey(seed, "shapes, validation"), validation),
          draw_shapes(RandomKey(seed, "shapes, test"), test), 3,
          exchanged_by_reflections({1, 0, 2})};
}

VolumeSplits make_voxel_axes(std::uint64_t seed, std::int64_t train, std::int64_t validation,
                             std::int64_t test) {
  check_counts(train, validation, test);
  return {draw_axes(RandomKey(seed, "axes, train"), train),
          draw_axes(RandomKey(seed, "axes, validation"), validation),
          draw_axes(RandomKey(seed, "axes, test"), test), 3, axes_under};
}

}  // namespace algprior
