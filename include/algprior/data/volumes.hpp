#pragma once

#include "algprior/action/action.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>
#include <Eigen/Core>

namespace algprior {

/// Volumes uint8 N×1×n×n×n, indexed [D, H, W], with labels int64 N.
struct LabelledVolumes {
  at::Tensor volumes;
  at::Tensor labels;
};

/// What an orthogonal 3×3 matrix that moves the volumes makes of their classes: class y becomes
/// result[y]. A homomorphism; of a left kidney a reflection makes a right one.
using ClassMotion = std::function<std::vector<std::uint32_t>(const Eigen::MatrixXd& motion)>;

/// Reflections exchange the classes by `mirrored`, rotations leave them.
ClassMotion exchanged_by_reflections(std::vector<std::uint32_t> mirrored);

struct VolumeSplits {
  LabelledVolumes train, validation, test;
  std::int64_t classes = 0;
  ClassMotion motion = {};  ///< empty: no motion changes a class
};

/// The action on the labels of a group of rotations and reflections of space. Throws InputError for
/// a group that does not move points of space.
Action volume_label_action(const Group& group, const VolumeSplits& splits);

/// One of the six 3D sets of MedMNIST v2 as it was published.
struct Medmnist3d {
  std::string name;  ///< "organ"
  std::int64_t train = 0, validation = 0, test = 0;
  std::int64_t classes = 0;
  std::vector<std::uint32_t> mirrored = {};  ///< the class of a mirror image; empty: the same

  /// "organmnist3d.npz", or "organmnist3d_64.npz" for 64 voxels a side.
  std::string file(std::int64_t side) const;
};

/// adrenal, fracture, nodule, organ, synapse, vessel.
const std::vector<Medmnist3d>& medmnist3d_sets();
/// Throws InputError for another name.
const Medmnist3d& medmnist3d_set(const std::string& name);

/// An NPZ file as MedMNIST has it: train_images, train_labels, val_images, val_labels, test_images,
/// test_labels; images uint8 N×n×n×n, labels N×1 or N. Throws FileError naming file and array when
/// one is missing or damaged, InputError when volumes are no cubes of one size, labels are no
/// classes, counts differ, or a volume is blank: a mirror once had 150 of these.
VolumeSplits read_volumes(const std::filesystem::path& path);

/// As read_volumes, and throws InputError, saying what differs, unless the splits, classes and
/// sides are those of the set: a file under the wrong name, or one that was cut.
VolumeSplits read_medmnist3d(const std::filesystem::path& path, const Medmnist3d& set,
                             std::int64_t side);

}  // namespace algprior
