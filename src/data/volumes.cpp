#include "algprior/data/volumes.hpp"

#include "algprior/action/latent.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/suggest.hpp"
#include "algprior/data/moved_pairs.hpp"
#include "algprior/group/geometry.hpp"
#include "algprior/io/npy.hpp"
#include "algprior/kernel/shape_text.hpp"
#include "algprior/nn/arrays.hpp"
#include "algprior/rep/constructions.hpp"

#include <numeric>
#include <tuple>

#include <ATen/ATen.h>
#include <Eigen/LU>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace algprior {
namespace {

std::string place(const std::filesystem::path& path, const std::string& array) {
  return path.string() + ": " + array;
}

at::Tensor array_of(const std::filesystem::path& path,
                    const std::map<std::string, io::Array, std::less<>>& arrays,
                    const std::string& name) {
  const auto found = arrays.find(name);
  if (found != arrays.end()) return to_tensor(found->second);
  std::vector<std::string> names;
  for (const auto& [other, array] : arrays) names.push_back(other);
  throw FileError({"an array is missing", place(path, name),
                   fmt::format("it beside {}", fmt::join(names, ", ")),
                   "get the file again, or save the array under this name"});
}

LabelledVolumes read_split(const std::filesystem::path& path,
                           const std::map<std::string, io::Array, std::less<>>& arrays,
                           const std::string& split) {
  const std::string images_name = split + "_images", labels_name = split + "_labels";
  const at::Tensor images = array_of(path, arrays, images_name);
  at::Tensor labels = array_of(path, arrays, labels_name);
  if (images.dim() != 4 || images.scalar_type() != at::kByte || images.size(0) == 0 ||
      images.size(1) != images.size(2) || images.size(1) != images.size(3)) {
    throw InputError({"an array holds no volumes",
                      fmt::format("{}, {} of {}", place(path, images_name), shape_text(images),
                                  at::toString(images.scalar_type())),
                      "uint8 of N x n x n x n, at least one", "save cubes of bytes"});
  }
  if (labels.dim() == 2 && labels.size(1) == 1) labels = labels.select(1, 0);
  if (labels.dim() != 1 || labels.size(0) != images.size(0) || labels.is_floating_point()) {
    throw InputError({"an array holds no labels of these volumes",
                      fmt::format("{}, {} of {}", place(path, labels_name), shape_text(labels),
                                  at::toString(labels.scalar_type())),
                      fmt::format("{} integers", images.size(0)), "save one class a volume"});
  }
  labels = labels.to(at::kLong).contiguous();
  if (labels.min().item<std::int64_t>() < 0) {
    throw InputError(
        {"a label is no class",
         fmt::format("{}, label {}", place(path, labels_name), labels.min().item<std::int64_t>()),
         "0 for the first class", "number the classes from 0"});
  }
  const auto blank = images.flatten(1).amax(1).eq(images.flatten(1).amin(1));
  if (blank.any().item<bool>()) {
    throw InputError({"volumes are blank",
                      fmt::format("{}, {} of {}, the first is number {}", place(path, images_name),
                                  blank.sum().item<std::int64_t>(), images.size(0),
                                  blank.to(at::kByte).argmax().item<std::int64_t>()),
                      "voxels that differ", "the copy is damaged: get it from another mirror"});
  }
  return {images.unsqueeze(1), labels};
}

// liver; kidneys, right and left; femurs, right and left; bladder; heart; lungs, right and left;
// spleen; pancreas. A single organ's mirror image counts as that organ.
const std::vector<std::uint32_t> kMirroredOrgans = {0, 2, 1, 4, 3, 5, 6, 8, 7, 9, 10};

}  // namespace

ClassMotion exchanged_by_reflections(std::vector<std::uint32_t> mirrored) {
  return [mirrored = std::move(mirrored)](const Eigen::MatrixXd& motion) {
    if (motion.determinant() < 0) return mirrored;
    std::vector<std::uint32_t> same(mirrored.size());
    std::iota(same.begin(), same.end(), 0u);
    return same;
  };
}

Action volume_label_action(const Group& group, const VolumeSplits& splits) {
  if (!splits.motion) return trivial_action(group);
  motion_matrices(group, 3);  // throws for a group without them
  const auto& matrices = orthogonal_matrices(group);
  std::vector<Permutation> generators;
  for (const Element g : group.generators()) generators.push_back(splits.motion((*matrices)[g]));
  return label_action(permutation_representation(group, generators));
}

std::string Medmnist3d::file(std::int64_t side) const {
  return side == 28 ? name + "mnist3d.npz" : fmt::format("{}mnist3d_{}.npz", name, side);
}

const std::vector<Medmnist3d>& medmnist3d_sets() {
  static const std::vector<Medmnist3d> sets = {
      {"adrenal", 1188, 98, 298, 2},  {"fracture", 1027, 103, 240, 3},
      {"nodule", 1158, 165, 310, 2},  {"organ", 971, 161, 610, 11, kMirroredOrgans},
      {"synapse", 1230, 177, 352, 2}, {"vessel", 1335, 191, 382, 2}};
  return sets;
}

const Medmnist3d& medmnist3d_set(const std::string& name) {
  std::vector<std::string> names;
  for (const Medmnist3d& set : medmnist3d_sets()) {
    if (set.name == name) return set;
    names.push_back(set.name);
  }
  throw InputError({"MedMNIST has no 3D set of this name", name,
                    fmt::format("one of {}", fmt::join(names, ", ")), did_you_mean(name, names)});
}

VolumeSplits read_volumes(const std::filesystem::path& path) {
  const auto arrays = io::read_npz(path);
  VolumeSplits splits{read_split(path, arrays, "train"), read_split(path, arrays, "val"),
                      read_split(path, arrays, "test")};
  splits.classes = splits.train.labels.max().item<std::int64_t>() + 1;
  if (splits.classes < 2) {
    throw InputError({"the training volumes have one class only", place(path, "train_labels"),
                      "at least two classes", ""});
  }
  const std::pair<const char*, const LabelledVolumes*> rest[] = {{"val", &splits.validation},
                                                                 {"test", &splits.test}};
  for (const auto& [name, part] : rest) {
    if (part->volumes.sizes().slice(1) != splits.train.volumes.sizes().slice(1)) {
      throw InputError({"volumes of two splits differ in size",
                        fmt::format("{}, {}", place(path, std::string(name) + "_images"),
                                    shape_text(part->volumes)),
                        fmt::format("those of train_images, {}", shape_text(splits.train.volumes)),
                        ""});
    }
    const auto largest = part->labels.max().item<std::int64_t>();
    if (largest >= splits.classes) {
      throw InputError(
          {"a label is no class of the training volumes",
           fmt::format("{}, label {}", place(path, std::string(name) + "_labels"), largest),
           fmt::format("0 to {}", splits.classes - 1), ""});
    }
  }
  return splits;
}

VolumeSplits read_medmnist3d(const std::filesystem::path& path, const Medmnist3d& set,
                             std::int64_t side) {
  VolumeSplits splits = read_volumes(path);
  const std::tuple<const char*, std::int64_t, std::int64_t> numbers[] = {
      {"training volumes", splits.train.volumes.size(0), set.train},
      {"validation volumes", splits.validation.volumes.size(0), set.validation},
      {"test volumes", splits.test.volumes.size(0), set.test},
      {"classes", splits.classes, set.classes},
      {"voxels a side", splits.train.volumes.size(2), side}};
  std::vector<std::string> differences, wanted;
  for (const auto& [what, found, published] : numbers) {
    if (found == published) continue;
    differences.push_back(fmt::format("{} {}", found, what));
    wanted.push_back(std::to_string(published));
  }
  if (differences.empty()) {
    if (!set.mirrored.empty()) splits.motion = exchanged_by_reflections(set.mirrored);
    return splits;
  }
  throw InputError({fmt::format("the file is not {} as MedMNIST published it", set.file(side)),
                    fmt::format("{}: {}", path.string(), fmt::join(differences, ", ")),
                    fmt::format("{}", fmt::join(wanted, ", ")),
                    "get the file again, or name volumes of your own by data.file"});
}

}  // namespace algprior
