#include "algprior/data/volumes.hpp"

#include "algprior/action/planar.hpp"
#include "algprior/action/sample.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/random.hpp"
#include "algprior/base/suggest.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/io/npy.hpp"
#include "algprior/nn/arrays.hpp"

#include <algorithm>
#include <array>

#include <ATen/ATen.h>
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
    throw InputError(
        {"an array holds no volumes",
         fmt::format("{}, {} of {}", place(path, images_name), fmt::join(images.sizes(), " x "),
                     at::toString(images.scalar_type())),
         "uint8 of N x n x n x n, at least one", "save cubes of bytes"});
  }
  if (labels.dim() == 2 && labels.size(1) == 1) labels = labels.select(1, 0);
  if (labels.dim() != 1 || labels.size(0) != images.size(0) || labels.is_floating_point()) {
    throw InputError(
        {"an array holds no labels of these volumes",
         fmt::format("{}, {} of {}", place(path, labels_name), fmt::join(labels.sizes(), " x "),
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

LabelledVolumes draw_split(const RandomKey& key, std::int64_t count) {
  std::vector<at::Tensor> volumes;
  const at::Tensor labels = at::arange(count, at::kLong) % 3;
  for (std::int64_t i = 0; i < count; ++i) {
    RandomStream random(key.sample(static_cast<std::uint64_t>(i)));
    volumes.push_back(draw_figure(i % 3 == 2 ? kTripod : kScrew, i % 3 == 1, random));
  }
  const Action turn = volume_action(make_group("cube"));
  const at::Tensor g = sample_elements(turn.group(), count, key.purpose("orientation"));
  const at::Tensor all = at::stack(volumes).unsqueeze(1).to(at::kFloat);
  return {turn(g, all).to(at::kByte), labels};
}

}  // namespace

std::vector<std::string> medmnist3d_names() {
  return {"adrenal", "fracture", "nodule", "organ", "synapse", "vessel"};
}

std::string medmnist3d_file(const std::string& name) {
  const auto names = medmnist3d_names();
  if (std::find(names.begin(), names.end(), name) != names.end()) return name + "mnist3d.npz";
  throw InputError({"MedMNIST has no 3D set of this name", name,
                    fmt::format("one of {}", fmt::join(names, ", ")), did_you_mean(name, names)});
}

VolumeSplits read_volumes(const std::filesystem::path& path) {
  const auto arrays = io::read_npz(path);
  VolumeSplits splits{read_split(path, arrays, "train"), read_split(path, arrays, "val"),
                      read_split(path, arrays, "test"), 0};
  splits.classes = splits.train.labels.max().item<std::int64_t>() + 1;
  if (splits.classes < 2) {
    throw InputError({"the training volumes have one class only", place(path, "train_labels"),
                      "at least two classes", ""});
  }
  const std::pair<const char*, const LabelledVolumes*> rest[] = {{"val", &splits.validation},
                                                                 {"test", &splits.test}};
  for (const auto& [name, part] : rest) {
    if (part->volumes.sizes().slice(1) != splits.train.volumes.sizes().slice(1)) {
      throw InputError(
          {"volumes of two splits differ in size",
           fmt::format("{}, {}", place(path, std::string(name) + "_images"),
                       fmt::join(part->volumes.sizes(), " x ")),
           fmt::format("those of train_images, {}", fmt::join(splits.train.volumes.sizes(), " x ")),
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

VolumeSplits make_voxel_shapes(std::uint64_t seed, std::int64_t train, std::int64_t validation,
                               std::int64_t test) {
  if (train < 3 || validation < 3 || test < 3) {
    throw InputError({"there are too few shapes to draw",
                      fmt::format("{}, {} and {}", train, validation, test),
                      "at least one of each of the three classes", ""});
  }
  return {draw_split(RandomKey(seed, "shapes, train"), train),
          draw_split(RandomKey(seed, "shapes, validation"), validation),
          draw_split(RandomKey(seed, "shapes, test"), test), 3};
}

}  // namespace algprior
