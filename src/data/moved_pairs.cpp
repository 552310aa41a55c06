#include "algprior/data/moved_pairs.hpp"

#include "algprior/action/resample.hpp"
#include "algprior/action/sample.hpp"
#include "algprior/base/error.hpp"
#include "algprior/data/check.hpp"
#include "algprior/group/geometry.hpp"
#include "algprior/mesh/mobius.hpp"

#include <cmath>
#include <numbers>

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace algprior {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// By Haar's measure of SO(2) or SO(3).
Matrix rotation_of(std::int64_t dimension, RandomStream& random) {
  if (dimension == 3) return mesh::random_rotation(random);
  const double angle = 2.0 * std::numbers::pi * random.uniform();
  Matrix turn(2, 2);
  turn << std::cos(angle), std::sin(angle), -std::sin(angle), std::cos(angle);
  return turn;
}

// 1 inside the inscribed disc or ball, 0 outside.
at::Tensor disc(at::IntArrayRef extents) {
  at::Tensor squares = at::zeros(extents, at::kDouble);
  const auto dimensions = static_cast<std::int64_t>(extents.size());
  for (std::int64_t axis = 0; axis < dimensions; ++axis) {
    const std::int64_t extent = extents[static_cast<std::size_t>(axis)];
    const double radius = 0.5 * static_cast<double>(extent);
    std::vector<std::int64_t> shape(static_cast<std::size_t>(dimensions), 1);
    shape[static_cast<std::size_t>(axis)] = extent;
    const auto offset = (at::arange(extent, at::kDouble) - radius + 0.5) / radius;
    squares = squares + offset.square().reshape(shape);
  }
  return squares.le(1.0).to(at::kFloat);
}

}  // namespace

at::Tensor motion_matrices(const Group& group, std::int64_t dimension) {
  const auto& matrices = orthogonal_matrices(group);
  if (!matrices || matrices->front().rows() != dimension) {
    throw InputError(
        {fmt::format("{} does not move points of dimension {}", group.name(), dimension),
         "data.group = \"" + group.name() + "\"",
         dimension == 2 ? "C_n or D_n" : "T, cube, I, or with reflections Td, Oh, Ih",
         "choose another group or other data"});
  }
  const auto all =
      at::empty({static_cast<std::int64_t>(group.order()), dimension, dimension}, at::kDouble);
  auto* out = all.data_ptr<double>();
  for (const auto& matrix : *matrices) {
    for (Eigen::Index row = 0; row < dimension; ++row) {
      for (Eigen::Index column = 0; column < dimension; ++column) *out++ = matrix(row, column);
    }
  }
  return all;
}

at::Tensor random_rotations(std::int64_t dimension, const at::Tensor& indices,
                            const RandomKey& key) {
  if (dimension != 2 && dimension != 3) {
    throw InputError(
        {"there are no rotations of this dimension", fmt::format("{}", dimension), "2 or 3", ""});
  }
  check_sample_numbers(indices);
  const auto numbers = indices.contiguous();
  const auto all = at::empty({numbers.numel(), dimension, dimension}, at::kDouble);
  for (std::int64_t i = 0; i < numbers.numel(); ++i) {
    RandomStream random(
        key.sample(static_cast<std::uint64_t>(numbers.data_ptr<std::int64_t>()[i])));
    const Matrix rotation = rotation_of(dimension, random);
    std::copy_n(rotation.data(), dimension * dimension,
                all.data_ptr<double>() + i * dimension * dimension);
  }
  return all;
}

at::Tensor move_images(const at::Tensor& images, const at::Tensor& motions) {
  if (!motions.defined() || motions.dim() != 3) {
    throw InputError({"motions do not fit images", "", "a matrix for each, N x d x d", ""});
  }
  const auto moved = resample(images, motions.transpose(1, 2), Resampling::bilinear);
  return moved * disc(images.sizes().slice(2)).to(moved.options());
}

Dataset make_moved_pairs(std::string name, at::Tensor images, at::Tensor labels, const Group& group,
                         const std::optional<Action>& label_action) {
  check_labelled_images(images, labels);
  const std::int64_t dimension = images.dim() - 2;
  const auto elements = motion_matrices(group, dimension);
  const Action relabel = label_action.value_or(trivial_action(group));
  const std::int64_t size = images.size(0);
  return make_dataset(
      std::move(name), size,
      [images, labels, group, elements, relabel, dimension](const at::Tensor& indices,
                                                            const RandomKey& key) {
        const auto chosen = images.index_select(0, indices).to(at::kFloat).div_(255.0);
        const auto rotation = random_rotations(dimension, indices, key.purpose("augment"));
        Batch batch;
        batch.g = sample_elements(group, indices, key.purpose("pair"));
        batch.x = move_images(chosen, rotation);
        batch.gx = move_images(chosen, at::bmm(elements.index_select(0, batch.g), rotation));
        batch.y = labels.index_select(0, indices);
        batch.gy = relabel(batch.g, batch.y);
        return batch;
      });
}

}  // namespace algprior
