// Every option of every public layer, action, loss and data set, and tensors of every wrong form:
// what comes back is a result or an algprior::Error, never an exception of LibTorch, never a
// signal. Dated 2026-11-18.
#include "algprior/action/axis.hpp"
#include "algprior/action/latent.hpp"
#include "algprior/action/parts.hpp"
#include "algprior/action/permute.hpp"
#include "algprior/action/planar.hpp"
#include "algprior/action/sample.hpp"
#include "algprior/action/sphere.hpp"
#include "algprior/action/symmetry.hpp"
#include "algprior/data/batch_stream.hpp"
#include "algprior/data/ddmnist.hpp"
#include "algprior/data/flows.hpp"
#include "algprior/data/image_pairs.hpp"
#include "algprior/data/tensor_data.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/group/product.hpp"
#include "algprior/nn/cnn.hpp"
#include "algprior/nn/ddmnist.hpp"
#include "algprior/nn/exploratory.hpp"
#include "algprior/nn/fluids.hpp"
#include "algprior/nn/mlp.hpp"
#include "algprior/nn/volumes.hpp"
#include "algprior/prior/equivariance.hpp"
#include "algprior/prior/fixed_prior.hpp"
#include "algprior/prior/learned_prior.hpp"
#include "algprior/prior/room.hpp"
#include "algprior/rep/constructions.hpp"
#include "algprior/train/null_model.hpp"
#include "algprior/train/optimizer.hpp"
#include "algprior/train/schedule.hpp"
#include "algprior/train/task.hpp"
#include "algprior/train/trainer.hpp"
#include "draw_options.hpp"

#include <gtest/gtest.h>
#include <torch/nn/modules/linear.h>
#include <torch/types.h>

namespace algprior {
namespace {

TEST(Options, OfNetworks) {
  rounds("mlp", [](Draw& d) {
    nn::MlpOptions options{d.size(), d.sizes(), d.size(), d.size(), d.coin()};
    nn::make_mlp_network(1, options).forward(d.images());
  });
  rounds("cnn", [](Draw& d) {
    nn::CnnOptions options;
    options.sample = d.coin() ? std::vector<std::int64_t>{1, 4, 4} : d.sizes();
    options.channels = d.sizes();
    options.kernel = d.coin() ? std::vector<std::int64_t>{3} : d.sizes();
    options.stride = d.coin() ? std::vector<std::int64_t>{1} : d.sizes();
    options.pool = d.coin() ? std::vector<std::int64_t>{0} : d.sizes();
    options.norm = d.coin();
    options.latent = d.size();
    options.classes = d.size();
    nn::make_cnn_network(1, options).forward(d.images());
  });
  rounds("ddmnist", [](Draw& d) { nn::make_ddmnist_network(1, {d.size(), d.size()}); });
  rounds("autoencoder", [](Draw& d) {
    const auto image = d.coin() ? d.sizes() : std::vector<std::int64_t>{1, 4, 4};
    nn::make_mlp_autoencoder(1, {image, d.sizes(), d.size(), Activation::relu}).forward(d.images());
  });
  rounds("conv autoencoder", [](Draw& d) {
    nn::make_conv_autoencoder(1, {d.size(), Activation::tanh, nn::LatentPlace::first});
  });
  rounds("cifar", [](Draw& d) { nn::make_cifar_network(1, {d.size(), d.size()}); });
  rounds("volumes", [](Draw& d) { nn::make_volume_network(1, {d.integer(), d.size()}); });
  rounds("fluid", [](Draw& d) { nn::make_fluid_network(1, {d.size(), d.size(), d.size()}); });
  rounds("fluid mlp", [](Draw& d) { nn::make_fluid_mlp(1, {d.size(), d.size(), d.size()}); });
}

TEST(Options, OfActions) {
  const auto group = make_group("D4");
  const auto regular = regular_representation(group);
  const auto product = make_group("C2xC2");
  const auto parts = planar_parts(product);
  rounds("latent", [&](Draw& d) { latent_action(regular, d.integer()); });
  rounds("latent on vectors", [&](Draw& d) {
    latent_action(regular, 8)(d.elements(), d.coin() ? d.tensor() : at::rand({3, 8}));
  });
  rounds("channels", [&](Draw& d) {
    channel_action(regular, 8)(d.elements(), d.coin() ? d.tensor() : at::rand({3, 8, 2}));
    channel_action(regular, 8)(at::zeros({0}, at::kLong), at::rand({0, 8, 2}));
  });
  rounds("axis", [&](Draw& d) {
    axis_action(regular, d.coin() ? d.integer() : 1)(d.elements(),
                                                     d.coin() ? d.tensor() : at::rand({3, 2, 8}));
  });
  rounds("planar", [&](Draw& d) { planar_action(group)(d.elements(), d.images()); });
  const auto turns = planar_action(make_group("C3"), Resampling::bilinear);
  rounds("resampling", [&](Draw& d) { turns(d.elements(), d.images()); });
  rounds("resample", [](Draw& d) {
    const auto maps = d.coin() ? d.tensor() : at::rand({3, 2, 2});
    d.coin() ? resample(d.images(), maps, Resampling::nearest)
             : resample(d.images(), maps, d.elements(), Resampling::bilinear);
  });
  rounds("rotate", [](Draw& d) {
    rotate(d.images(), d.coin() ? d.tensor() : at::full({3}, d.real(), at::kDouble),
           Resampling::bilinear);
  });
  rounds("flip", [](Draw& d) {
    flip_horizontally(d.images(), d.coin() ? d.tensor() : at::ones({3}, at::kBool));
  });
  rounds("canvas", [&](Draw& d) {
    const auto box = [&](std::int64_t left) {
      return d.coin() ? Box{d.integer(), d.integer(), d.integer(), d.integer()}
                      : Box{0, left, 4, 2};
    };
    canvas_action(product, parts, {box(0), box(2)})(d.elements(), d.images());
  });
  rounds("stack", [&](Draw& d) {
    stacked_action(product, parts)(d.elements(), d.coin() ? d.tensor() : at::rand({3, 2, 1, 4, 4}));
  });
  rounds("labels", [&](Draw& d) { label_action(regular)(d.elements(), d.elements()); });
  rounds("flat", [&](Draw& d) {
    flat_action(regular, d.coin() ? 8 : d.integer())(
        d.elements(), d.coin() ? d.tensor() : at::rand({3, 2, 4, 2}));
  });
  rounds("sphere", [&](Draw& d) {
    sphere_action(make_group("cube"), mesh::cube_map_grid(4), d.coin() ? 0 : d.whole())(
        d.elements(), d.coin() ? d.tensor() : at::rand({3, 1, 6, 4, 4}));
  });
  rounds("components", [&](Draw& d) {
    split_elements(factors(product), d.elements());
    join_elements(factors(product), {d.elements(), d.elements()});
  });
  rounds("one element",
         [&](Draw& d) { planar_action(group)(static_cast<Element>(d.below(10)), d.images()); });
  rounds("defects", [&](Draw& d) {
    action_defect(planar_action(group), d.images(), d.below(4));
    opposite_defect(planar_action(group), d.images(), d.below(4));
  });
  rounds("room", [&](Draw& d) { invariant_room(latent_action(regular, 8), d.sizes()); });
  rounds("table", [](Draw& d) {
    const auto table =
        make_permutation_table(d.coin() ? d.tensor() : at::arange(8).view({2, 4}) % 4);
    permute_places(table, d.elements(), d.coin() ? d.tensor() : at::rand({3, 4}));
  });
  rounds("sample", [&](Draw& d) {
    sample_elements(group, d.coin() ? d.tensor() : at::arange(3), RandomKey(1));
    sample_elements(group, d.coin() ? -1 : 3, RandomKey(1));
  });
}

TEST(Options, OfLosses) {
  const auto group = make_group("C2");
  const auto action = latent_action(regular_representation(group), 4);
  const auto z = [](Draw& d) { return d.coin() ? d.tensor() : at::rand({3, 4}); };
  rounds("mean squared error", [&](Draw& d) { mean_squared_error(z(d), z(d)); });
  rounds("equivariance", [&](Draw& d) { equivariance_loss(action, z(d), z(d), d.elements()); });
  rounds("relative",
         [&](Draw& d) { relative_equivariance_loss(action, z(d), z(d), d.elements()); });
  rounds("against first", [&](Draw& d) { loss_against_first(action, z(d), z(d), d.elements()); });
  rounds("spread", [&](Draw& d) { batch_spread(z(d)); });
  rounds("terms", [&](Draw& d) {
    Terms terms;
    terms.add("a", d.coin() ? d.tensor() : at::rand({}), d.real());
    terms.add("a_1", at::rand({}), d.real());
    terms.scale("a", d.real());
    pulls(terms, {d.coin() ? d.tensor() : at::rand({2})});
    terms.total();
  });
  rounds("classification", [&](Draw& d) { classification_loss(z(d), d.elements()); });
  for (const Task& task : {classify(), regress()}) {
    rounds("metrics",
           [&](Draw& d) { task.metrics[0].of_samples(z(d), d.coin() ? z(d) : d.elements()); });
  }
  rounds("fixed prior", [&](Draw& d) {
    Terms terms;
    const LossScale scale = d.coin()   ? LossScale::absolute
                            : d.coin() ? LossScale::relative
                                       : LossScale::against_first;
    FixedPrior({{d.below(3), action}}, d.real(), scale)
        .add_terms(terms, {z(d)}, {z(d)}, d.elements());
    terms.total();
  });
  rounds("algebra", [&](Draw& d) {
    AlgebraOptions options;
    if (d.coin()) options.weights = {d.real(), d.real()};
    options.damping = d.real();
    options.regulariser = d.coin() ? Regulariser::none : Regulariser::inverse;
    AlgebraLoss(group, options)(LearnedRepresentation(
        group, LearnedRepresentationOptions{.dimension = d.size(), .noise = d.real(), .seed = 1}));
  });
  rounds("learned prior", [&](Draw& d) {
    const LearnedPrior prior(
        LearnedRepresentation(group, LearnedRepresentationOptions{.dimension = 4}),
        AlgebraLoss(group), {d.real(), d.real(), 1, 1});
    if (d.coin()) prior.move(d.elements(), z(d));
    Terms terms;
    prior.add_terms(terms, z(d), z(d), d.coin() ? d.tensor() : at::Tensor());
  });
  rounds("null model", [&](Draw& d) {
    run_null_model(AlgebraLoss(group), {.dimension = d.size(),
                                        .noise = d.real(),
                                        .seeds = d.size(),
                                        .steps = 2,
                                        .learning_rate = d.coin() ? d.real() : 0.1});
  });
}

TEST(Options, OfDataSets) {
  const auto action = planar_action(make_group("C2"));
  const auto trivial = trivial_action(action.group());
  const auto take = [](Draw& d, const Dataset& data) {
    data.get(d.coin() ? d.tensor() : at::arange(2), RandomKey(1));
  };
  rounds("tensors", [&](Draw& d) {
    take(d, make_tensor_dataset("x", {d.images(), d.elements()}));
    take(d, make_tensor_dataset("x", {d.images(), d.elements()}, action, trivial, d.coin()));
  });
  rounds("image pairs", [&](Draw& d) {
    ImagePairOptions options;
    if (d.coin()) options.first = {d.real(), d.real()};
    if (d.coin()) options.second = {d.real(), d.real()};
    if (d.coin()) options.mean = d.real();
    if (d.coin()) options.deviation = d.real();
    const auto bytes = d.coin() ? d.tensor() : at::ones({3, 1, 4, 4}, at::kByte);
    take(d, make_image_pairs("x", bytes, d.elements(), action, options));
  });
  const auto velocities = velocity_action(make_group("C4"));
  rounds("flow windows", [&](Draw& d) {
    FlowWindows windows;
    windows.simulations = {d.below(3)};
    windows.last = d.coin() ? d.integer() : 2;
    if (d.coin()) windows.first = d.integer();
    if (d.coin()) windows.stride = d.integer();
    windows.past = d.coin() ? d.integer() : 2;
    windows.future = d.coin() ? d.integer() : 1;
    if (d.coin()) windows.skip = d.integer();
    const auto frames = d.below(4) == 0 ? d.tensor() : at::rand({2, 9, 2, 4, 4});
    take(d, make_flow_windows("x", frames, windows, velocities));
  });
  rounds("digits", [&](Draw& d) {
    const auto labels = d.coin() ? d.tensor() : at::arange(10);
    const auto digits =
        make_digits(d.coin() ? d.tensor() : at::ones({10, 28, 28}, at::kByte), labels);
    DdmnistOptions options;
    options.images_per_class = d.size();
    take(d, make_ddmnist(digits, make_group("D4"), RandomKey(1), options));
  });
  rounds("batches", [&](Draw& d) {
    shuffled_batches(d.coin() ? 20 : d.integer(), d.integer(), RandomKey(1));
    ordered_batches(d.coin() ? 20 : d.integer(), d.integer());
  });
}

TEST(Options, OfTraining) {
  rounds("adam", [](Draw& d) {
    torch::nn::Linear layer(2, 2);
    AdamOptions options;
    options.learning_rate = d.coin() ? d.real() : 0.1;
    if (d.coin()) options.beta1 = d.real();
    if (d.coin()) options.weight_decay = d.real();
    Adam(*layer, options).step();
  });
  rounds("schedule", [](Draw& d) {
    Schedule schedule;
    schedule.shape = d.coin() ? Schedule::Shape::step : Schedule::Shape::cosine;
    schedule.every = d.integer();
    schedule.gamma = d.real();
    schedule.warmup_steps = d.integer();
    learning_rate_factor(schedule, 1, d.size(), 0);
  });
  rounds("trainer", [](Draw& d) {
    torch::nn::Linear layer(4, 2);
    const auto network =
        make_network({.module = layer.ptr(), .forward = [layer](const at::Tensor& x) mutable {
                        return Encoded{layer->forward(x), {x}};
                      }});
    TrainerOptions options;
    options.epochs = d.coin() ? 1 : std::min<std::int64_t>(d.integer(), 2);
    options.batch_size = d.coin() ? 2 : d.integer();
    if (d.coin()) options.clip_norm = d.real();
    if (d.coin()) options.stopping.patience = d.integer();
    if (d.coin()) options.stopping.window = d.integer();
    if (d.coin()) options.stopping.plateau_after = d.integer();
    if (d.coin()) options.stopping.min_delta = d.real();
    const auto data = make_tensor_dataset("x", {at::rand({4, 4}), at::arange(4) % 2});
    Trainer(
        network, make_step({.task = classify(), .pairs = false}), data,
        [](const Network&, std::int64_t) {
          return std::map<std::string, double>{{"accuracy", 1}};
        },
        options)
        .run();
  });
}

}  // namespace
}  // namespace algprior
