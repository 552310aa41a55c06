#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace algprior {

/// Volumes uint8 N×1×n×n×n, indexed [D, H, W], with labels int64 N.
struct LabelledVolumes {
  at::Tensor volumes;
  at::Tensor labels;
};

struct VolumeSplits {
  LabelledVolumes train, validation, test;
  std::int64_t classes = 0;
};

/// The six 3D sets of MedMNIST v2 by their short names: adrenal, fracture, nodule, organ, synapse,
/// vessel.
std::vector<std::string> medmnist3d_names();
/// "adrenalmnist3d.npz". Throws InputError for another name.
std::string medmnist3d_file(const std::string& name);

/// An NPZ file as MedMNIST has it: train_images, train_labels, val_images, val_labels, test_images,
/// test_labels; images uint8 N×n×n×n, labels N×1 or N. Throws FileError naming file and array when
/// one is missing or damaged, InputError when volumes are no cubes of one size, labels are no
/// classes, counts differ, or a volume is blank: a mirror once had 150 of these.
VolumeSplits read_volumes(const std::filesystem::path& path);

/// A set with a known answer: figures of voxels in a 28×28×28 volume, each in a random one of the
/// 24 orientations. Class 0 is chiral, class 1 its mirror image, class 2 a figure that is its own
/// mirror image. All classes are invariant under rotations, and reflections exchange 0 and 1: a
/// network that is invariant under O_h cannot tell these apart.
VolumeSplits make_voxel_shapes(std::uint64_t seed, std::int64_t train = 384,
                               std::int64_t validation = 96, std::int64_t test = 192);

}  // namespace algprior
