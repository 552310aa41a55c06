#pragma once

#include "algprior/action/resample.hpp"
#include "algprior/experiment/assemble.hpp"

namespace algprior {

/// A planar group on images, and how it is resampled.
struct PlanarSettings {
  std::string group = "D4";
  Resampling resampling = Resampling::none;

  void bind(config::Fields& fields);
  Action action() const;
};

/// Images uint8 N×C×H×W with labels int64 N.
struct LabelledImages {
  at::Tensor images;
  at::Tensor labels;
};

/// Classification, or reconstruction by an autoencoder, of single images in pairs under a planar
/// group: what the recipes of MNIST and CIFAR-10 share.
struct ImagePairSettings {
  explicit ImagePairSettings(std::vector<std::string> networks) : network(std::move(networks)) {}

  PlanarSettings plane;
  std::string augment = "group";
  std::string partner = "uniform";
  NetworkSettings network;
  PriorSettings prior;
  TrainSettings train{.ties = Ties::first};
  Departures departures;

  void bind(config::Fields& fields, const Departures::Known& departures_known);
};

/// One in ten training images is held out for validation. Images/255 are normalised to (value −
/// mean)/deviation.
Experiment make_image_experiment(const RunId& run, const ImagePairSettings& settings,
                                 const LabelledImages& train, const LabelledImages& test,
                                 double mean, double deviation);

/// The task that a network of this output has.
Task task_of(nn::Output output, bool softmax_twice = false);

}  // namespace algprior
