// The MedMNIST3D training step of the regular row: 32 volumes, moved twice, two passes.

#include "algprior/action/planar.hpp"
#include "algprior/group/geometry.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/nn/volumes.hpp"
#include "algprior/rep/constructions.hpp"
#include "algprior/train/optimizer.hpp"
#include "algprior/train/step.hpp"
#include "bench_cases.hpp"

#include <memory>

#include <torch/nn/functional/vision.h>
#include <torch/nn/module.h>
#include <torch/optim/adam.h>
#include <torch/types.h>

namespace algprior {
namespace {

constexpr int kVolumes = 32, kVoxels = 28, kDimension = 48;
constexpr double kVolumeRate = 1e-4;

const char kVolumeScript[] =
#include "volume_step.inc"
    ;

// The inputs follow from formulas that oracles/python/volume_step.py shares.
struct VolumeInputs {
  VolumeInputs() {
    const auto n = torch::arange(kVolumes).view({-1, 1});
    const auto p = torch::arange(kVoxels * kVoxels * kVoxels).view({1, -1});
    volumes = ((n * 131 + p * 17 + (p * p).remainder(97)).remainder(256))
                  .to(at::kByte)
                  .view({kVolumes, 1, kVoxels, kVoxels, kVoxels})
                  .contiguous();
    labels = torch::arange(kVolumes).mul(13).remainder(2);
    first = torch::arange(kVolumes).mul(5).add(3).remainder(24);
    second = torch::arange(kVolumes).mul(7).add(1).remainder(24);
  }

  at::Tensor standardised() const { return volumes.to(at::kFloat).div_(255).sub_(0.5).div_(0.5); }
  Batch batch(const at::Tensor& x, const at::Tensor& gx) const {
    return {x, gx, labels, labels, second};
  }

  at::Tensor volumes, labels, first, second;
};

Batch move_native(const VolumeInputs& in, const Action& action) {
  const auto x = action(in.first, in.standardised());
  return in.batch(x, action(in.second, x));
}

// One gather by a table of places, the table made beforehand.
at::Tensor gather_volumes(const at::Tensor& table, const at::Tensor& g, const at::Tensor& x) {
  const auto places = table.index_select(0, g).unsqueeze(1);
  return x.flatten(2).gather(2, places).view(x.sizes());
}

Batch move_gather(const VolumeInputs& in, const at::Tensor& table) {
  const auto x = gather_volumes(table, in.first, in.standardised());
  return in.batch(x, gather_volumes(table, in.second, x));
}

// Where each voxel of T_g x comes from, 24×28³, by moving the numbers of the voxels.
at::Tensor place_table(const Action& action) {
  const auto numbers = torch::arange(kVoxels * kVoxels * kVoxels, at::kFloat)
                           .view({1, 1, kVoxels, kVoxels, kVoxels})
                           .repeat({24, 1, 1, 1, 1});
  return action(torch::arange(24), numbers).flatten(1).to(at::kLong);
}

// A volume at a time, as published code does it: (T_g x)(p) = x(R⁻¹p).
at::Tensor sample_volumes(const at::Tensor& g, const at::Tensor& x, const Group& group) {
  std::vector<at::Tensor> moved;
  for (std::int64_t n = 0; n < x.size(0); ++n) {
    const Eigen::MatrixXd& motion = orthogonal_matrices(group)->at(g[n].item<std::int64_t>());
    auto theta = torch::zeros({1, 3, 4});
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < 3; ++column) theta[0][row][column] = motion(column, row);
    const auto grid = at::affine_grid_generator(theta, x.slice(0, n, n + 1).sizes(), true);
    moved.push_back(at::grid_sampler(x.slice(0, n, n + 1), grid, 0, 0, true));
  }
  return torch::cat(moved);
}

Batch move_sampled(const VolumeInputs& in, const Group& group) {
  const auto x = sample_volumes(in.first, in.standardised(), group);
  return in.batch(x, sample_volumes(in.second, x, group));
}

struct VolumeStep {
  VolumeStep() { set_formula_weights(network); }

  Terms terms(const Batch& batch) const { return step(network, batch); }

  VolumeInputs in;
  Action action = volume_action(make_group("cube"));
  Network network = nn::make_volume_network(0);
  Step step = make_step(
      {.fixed = make_fixed_prior(regular_representation(make_group("cube")), kDimension, 1.0)});
};

struct OurVolumeStep : VolumeStep {
  double operator()() {
    const auto total = terms(move_native(in, action)).total();
    adam.zero_gradients();
    total.backward();
    adam.step();
    return total.item<double>();
  }
  Adam adam{*network.module, AdamOptions{kVolumeRate}};
};

struct TorchVolumeStep : VolumeStep {
  TorchVolumeStep() { network.forward_pair = {}; }
  double operator()() {
    const KernelsInTurn turn(Kernels::torch);
    const auto total = terms(move_gather(in, table)).total();
    adam.zero_grad();
    total.backward();
    adam.step();
    return total.item<double>();
  }
  at::Tensor table = place_table(action);
  torch::optim::Adam adam{network.module->parameters(), torch::optim::AdamOptions(kVolumeRate)};
};

constexpr const char* kVolumeCase = "medmnist3d training step, 32 volumes";
constexpr const char* kVolumePython = "medmnist3d training step, against python";
constexpr const char* kVolumeMemory = "medmnist3d training step, peak memory";
constexpr const char* kVolumeAugmentation = "augmentation of 32 volumes, twice";

BenchRow volume_augmentation_row(const BenchSettings& settings) {
  const VolumeInputs in;
  const Group group = make_group("cube");
  const Action action = volume_action(group);
  const auto ours = move_native(in, action), theirs = move_sampled(in, group);
  const bool agree = same_up_to(ours.x, theirs.x, 1e-4) && same_up_to(ours.gx, theirs.gx, 1e-4);
  return race(
      settings, {kVolumeAugmentation, "grid_sample, one volume a call", agree},
      [&] { move_native(in, action); }, [&] { move_sampled(in, group); });
}

}  // namespace

TrainingStep medmnist_step(Kernels kernels) {
  if (kernels != Kernels::torch) {
    return [step = std::make_shared<OurVolumeStep>()] { return (*step)(); };
  }
  return [step = std::make_shared<TorchVolumeStep>()] { return (*step)(); };
}

std::vector<BenchCase> volume_cases() {
  const double flops = medmnist_flops(2 * kVolumes);
  const auto against_torch = [=](const BenchSettings& settings) {
    return training_row(settings, {kVolumeCase, "LibTorch, gather", false, flops}, medmnist_step);
  };
  const auto against_python = [=](const BenchSettings& settings) {
    return python_row(settings, {kVolumePython, "python3-torch, as published", false, flops},
                      medmnist_step, kVolumeScript);
  };
  const auto memory = [](const BenchSettings& settings) {
    return memory_row(settings, kVolumeMemory, "medmnist");
  };
  return {{kVolumeCase, 0, against_torch},
          {kVolumePython, 0, against_python},
          {kVolumeMemory, 0, memory},
          {kVolumeAugmentation, 0, volume_augmentation_row}};
}

}  // namespace algprior
