#pragma once

#include "algprior/data/volumes.hpp"

namespace algprior {

/// A set with a known answer: figures of voxels in a 28×28×28 volume, each in a random one of the
/// 24 orientations. Class 0 is chiral, class 1 its mirror image, class 2 a figure that is its own
/// mirror image. All classes are invariant under rotations, and reflections exchange 0 and 1: a
/// network that is invariant under O_h cannot tell these apart. `motion` says so.
VolumeSplits make_voxel_shapes(std::uint64_t seed, std::int64_t train = 384,
                               std::int64_t validation = 96, std::int64_t test = 192);

/// The chiral figure and its mirror image again; the class is the axis of the volume along which
/// the middle one of its three steps lies, 0 for x, 1 for y, 2 for z. Each motion permutes the
/// axes, so that no invariant network can be right more often than one time in three.
VolumeSplits make_voxel_axes(std::uint64_t seed, std::int64_t train = 384,
                             std::int64_t validation = 96, std::int64_t test = 192);

/// The eight figures of four cubes, the two above among them, each as it is built, in the middle of
/// the volume: for motions that turn it themselves. Reflections exchange classes 0 and 1.
VolumeSplits make_tetracubes(std::uint64_t seed, std::int64_t train = 768,
                             std::int64_t validation = 192, std::int64_t test = 384);

}  // namespace algprior
