#pragma once

#include "algprior/action/action.hpp"
#include "algprior/data/dataset.hpp"
#include "algprior/group/group.hpp"

#include <optional>
#include <string>

namespace algprior {

/// Images uint8 N×C×H×W (or volumes N×C×n×n×n) under all rotations of the plane (of space), with a
/// finite group G of rotations and reflections inside: x = T_R(image) for a random rotation R, and
/// g·x = T_{gR}(image) for a random g in G. Each is resampled once from the image and cut to the
/// inscribed disc (ball), so that nothing but R and gR tells them apart. R leaves labels as they
/// are, and so does g unless `label_action` says how it moves them.
///
/// R and g of a sample depend on its key alone. Throws InputError when shapes do not fit or G has
/// no orthogonal matrices of the images' dimension.
Dataset make_moved_pairs(std::string name, at::Tensor images, at::Tensor labels, const Group& group,
                         const std::optional<Action>& label_action = {});

/// The images (float, values/255) moved by the orthogonal matrices `motions` (N×d×d, double), one
/// each, resampled and cut.
at::Tensor move_images(const at::Tensor& images, const at::Tensor& motions);

/// The matrices of a group's elements, |G|×d×d in double. Throws InputError unless it has some of
/// that dimension.
at::Tensor motion_matrices(const Group& group, std::int64_t dimension);

/// A rotation of dimension 2 or 3, uniform, for each sample number; it depends on key and number
/// alone.
at::Tensor random_rotations(std::int64_t dimension, const at::Tensor& indices,
                            const RandomKey& key);

}  // namespace algprior
