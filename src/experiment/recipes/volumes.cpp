// MedMNIST3D under the rotations of the cube: the paper's second experiment.
#include "algprior/data/volumes.hpp"

#include "algprior/action/planar.hpp"
#include "algprior/analysis/auc.hpp"
#include "algprior/data/image_pairs.hpp"
#include "algprior/data/voxel_shapes.hpp"
#include "algprior/experiment/assemble.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/store/store.hpp"
#include "algprior/train/evaluate.hpp"
#include "recipes.hpp"

#include <ATen/ATen.h>

namespace algprior {
namespace {

struct VolumeSettings {
  std::string set = "adrenal";
  std::int64_t side = 28;
  std::string file;
  std::string group = "cube";
  bool move_labels = false;
  bool augment = true;
  NetworkSettings network{{"volumes", "mlp", "steerable_volumes"}};
  PriorSettings prior;
  TrainSettings train{.ties = Ties::first};
  Departures departures;

  VolumeSettings() {
    train.learning_rate = 1e-4;
    train.batch_size = 32;
  }

  void bind(config::Fields& fields) {
    departures.bind(fields, {{"D-1", "partners by the inverse element, a right action"},
                             {"D-5", "task loss on x alone"}});
    std::vector<std::string> sets, published;
    for (const Medmnist3d& one : medmnist3d_sets()) published.push_back(one.name);
    sets = published;
    sets.insert(sets.end(), {"shapes", "axes"});
    fields
        .text("data.set", set,
              "a set of MedMNIST3D from the data store; generated, of voxels: shapes, chiral and "
              "achiral figures, and axes, where the class is how a figure lies")
        .one_of(sets);
    fields.when("data.set", published, [&] {
      fields.integer("data.side", side, "voxels a side: 28 or 64, both are published").at_least(28);
    });
    fields.text("data.file", file,
                "NPZ file of your own with train_images, train_labels, val_…, test_…, instead of "
                "the set");
    fields.text("data.group", group, "cube: the 24 rotations; Oh with reflections, T, Td, Th");
    fields.boolean("data.move_labels", move_labels,
                   "classes move with their volumes: a reflection makes a left kidney a right one");
    fields.boolean("data.augment", augment, "x is moved by a random element before its partner");
    network.bind(fields);
    prior.bind(fields);
    train.bind(fields, metrics::kAccuracy);
    train.bind_probes(fields);
  }
};

VolumeSplits read_splits(const RunId& run, const VolumeSettings& settings) {
  if (!settings.file.empty()) return read_volumes(settings.file);
  if (settings.set == "shapes") return make_voxel_shapes(run.seed);
  if (settings.set == "axes") return make_voxel_axes(run.seed);
  const Medmnist3d& set = medmnist3d_set(settings.set);
  const auto path =
      store::find(settings.side == 28 ? "medmnist3d" : "medmnist3d-64", set.file(settings.side));
  return read_medmnist3d(path, set, settings.side);
}

// What a classifier says of a whole data set, and the labels.
double auc_of(const Network& network, const Dataset& data, const RandomKey& key,
              std::int64_t batch_size) {
  std::vector<at::Tensor> logits, labels;
  for_each_batch(network, data, key, batch_size, [&](const Batch& batch) {
    logits.push_back(network.forward(batch.x).output.cpu());
    labels.push_back(batch.y.cpu());
  });
  return classification_auc(at::cat(logits), at::cat(labels));
}

Experiment make_volumes(const RunId& run, const VolumeSettings& settings) {
  const Action action = volume_action(make_group(settings.group));
  const Group& group = action.group();
  const VolumeSplits splits = read_splits(run, settings);
  std::vector<double> only_identity(group.order(), 0.0);
  only_identity[0] = 1.0;
  // Voxels/255 to [−1, 1], as the published code has it.
  ImagePairOptions moved{
      .mean = 0.5, .deviation = 0.5, .inverse_partner = settings.departures.has("D-1")};
  if (settings.move_labels) moved.labels = volume_label_action(group, splits);
  ImagePairOptions upright = moved;
  upright.first = only_identity;
  const auto pairs = [&](const char* name, const LabelledVolumes& part,
                         const ImagePairOptions& options) {
    return make_image_pairs(name, part.volumes, part.labels, action, options);
  };
  const ImagePairOptions& training = settings.augment ? moved : upright;
  const TestSet rotated{"augmented_test", pairs("rotated test volumes", splits.test, moved)};
  const TestSet plain{"test", pairs("test volumes", splits.test, upright)};
  const std::int64_t batch_size = settings.train.batch_size;
  using namespace metrics;
  const nn::Shapes shapes{splits.train.volumes.sizes().slice(1).vec(), splits.classes};
  const Network network = settings.network.make(run.seed, shapes);
  return assemble(
      {.run = run,
       .data = {.group = group,
                .outputs = splits.classes,
                .train = pairs("training volumes", splits.train, training),
                .validation = pairs("validation volumes", splits.validation, training),
                .tests = {rotated, plain},
                .input = action,
                .upright_train = pairs("upright training volumes", splits.train, upright),
                .upright_test = plain.data},
       .network = network,
       .shapes = shapes,
       .task = classify(),
       .prior = settings.prior,
       .train = settings.train,
       .on_x_alone = settings.departures.has("D-5"),
       .measure =
           [=](const Network& trained, const MeasureContext&) {
             const RandomKey key(run.seed, "test");
             return Metrics{
                 {std::string(kTestAuc.name), auc_of(trained, plain.data, key, batch_size)},
                 {std::string(kAugmentedTestAuc.name),
                  auc_of(trained, rotated.data, key, batch_size)}};
           },
       .columns = {kTestAccuracy, kAugmentedTestAccuracy, kTestAuc,
                   settings.prior.none() ? kInvarianceError : kEquivarianceError}});
}

}  // namespace

Recipe volumes_recipe() {
  return make_recipe("volumes", "MedMNIST3D volumes under the rotations of the cube", make_volumes);
}

}  // namespace algprior
