// Steerable networks for volumes: SO(3) and O(3) by generators, groups of the grid, their numbers
// of weights, and what leaves them invariant.
#include "algprior/action/planar.hpp"
#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/nn/steerable/continuous.hpp"
#include "algprior/nn/steerable/volumes.hpp"

#include <cstdlib>
#include <filesystem>

#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/nn/module.h>

namespace algprior::steerable {
namespace {

// Bases go to a folder of the test's own, empty at the start.
const bool kCacheOfVolumes = [] {
  const auto folder = std::filesystem::path(testing::TempDir()) / "steerable_volumes_test_cache";
  std::filesystem::remove_all(folder);
  return setenv("XDG_CACHE_HOME", folder.c_str(), 1) == 0;
}();

VolumeNetworkOptions volumes(const std::string& symmetry, System system, std::int64_t width = 6) {
  VolumeNetworkOptions options;
  options.symmetry = symmetry;
  options.system.system = system;
  options.width = width;
  options.classes = 11;
  return options;
}

std::vector<std::int64_t> weights_by_layer(const Network& network) {
  std::vector<std::int64_t> counts;
  for (const char* name :
       {"conv1", "conv2", "skip1", "conv3", "conv4", "skip2", "conv5", "conv6", "skip3"}) {
    counts.push_back(
        network.module->named_parameters()[std::string("steered.") + name + ".weight"].numel());
  }
  return counts;
}

TEST(RotationSteering, HasIrreducibleRepresentationsOfTheTabledCouplings) {
  const auto rotations = make_rotation_steering(false, 3);
  const auto space = make_spatial_basis({.axes = 3, .kernel = 7});
  for (std::size_t a = 0; a < 4; ++a) {
    for (std::size_t b = 0; b < 4; ++b) {
      // Σ_j n_j over |a − b| ≤ j ≤ a + b, n_j the rings that carry frequency j.
      std::int64_t expected = 0;
      for (const SpatialBlock& block : space.blocks) {
        const auto j = static_cast<std::size_t>(block.frequency);
        const bool fits = j <= a + b && a <= b + j && b <= a + j;
        if (fits) expected += static_cast<std::int64_t>(block.samples.size());
      }
      EXPECT_EQ(solve_equivariant_basis(space, field_of_irreps(rotations, {a}),
                                        field_of_irreps(rotations, {b}))
                    .size(),
                expected)
          << a << " " << b;
    }
  }
}

TEST(SteerableVolumes, HaveThePublishedNumberOfParameters) {
  const auto so3 = make_volume_network(0, volumes("SO(3)", System::scnn));
  EXPECT_EQ(weights_by_layer(so3), (std::vector<std::int64_t>{132, 4'824, 324, 12'672, 38'016,
                                                              19'008, 42'768, 1'728, 6'912}));
  EXPECT_EQ(parameter_count(so3), 128'891);
  const auto o3 = make_volume_network(0, volumes("O(3)", System::scnn));
  EXPECT_EQ(weights_by_layer(o3), (std::vector<std::int64_t>{204, 7'776, 408, 17'280, 51'840,
                                                             25'920, 77'760, 1'728, 6'912}));
  EXPECT_EQ(parameter_count(o3), 193'241);
  EXPECT_EQ(parameter_count(make_volume_network(0, volumes("SO(3)", System::rpp))), 18'264'227);
  EXPECT_EQ(parameter_count(make_volume_network(0, volumes("O(3)", System::rpp))), 29'292'641);
  EXPECT_EQ(parameter_count(make_volume_network(0, volumes("SO(3)", System::pscnn))), 4'166'780);
  EXPECT_EQ(parameter_count(make_volume_network(0, volumes("O(3)", System::pscnn))), 3'512'123);
}

// Largest change of the outputs under some elements, after a pass that sets the norms.
double volume_error(const Network& network, const char* name,
                    const std::vector<Element>& elements) {
  const at::NoGradGuard no_gradient;
  at::manual_seed(1);
  const auto x = at::rand({2, 1, 28, 28, 28});
  network.module->train();
  network.forward(x);
  network.module->eval();
  const auto output = network.forward(x).output;
  const auto action = volume_action(make_group(name));
  double worst = 0;
  for (const Element g : elements) {
    const auto moved = network.forward(action(g, x)).output;
    worst = std::max(worst, ((moved - output).norm() / output.norm()).item<double>());
  }
  return worst;
}

TEST(SteerableVolumes, AreInvariantToTheCubeAsFarAsTheyShould) {
  const auto error = [](const char* symmetry, System system, const char* group) {
    const auto network = make_volume_network(2, volumes(symmetry, system, 1));
    const auto last = static_cast<Element>(make_group(group).order() - 1);
    return volume_error(network, group, {1, 7, last});
  };
  EXPECT_LT(error("SO(3)", System::scnn, "cube"), 1e-5);
  EXPECT_LT(error("O(3)", System::scnn, "Oh"), 1e-5);
  EXPECT_LT(error("cube", System::scnn, "cube"), 1e-5);
  EXPECT_GT(error("SO(3)", System::rpp, "cube"), 1e-3);
}

TEST(SteerableVolumes, AveragedOnesAreInvariantUnderTheUniformDensityAlone) {
  const auto network = make_volume_network(2, volumes("SO(3)", System::pscnn, 1));
  EXPECT_LT(volume_error(network, "cube", {1, 7}), 1e-5);
  for (const Term& term : network.terms())
    EXPECT_NEAR(term.value.item<double>(), 0, 1e-5) << term.name;
  {
    const at::NoGradGuard no_gradient;
    network.module->named_parameters()["steered.likelihood1"].add_(0.5);
  }
  EXPECT_GT(volume_error(network, "cube", {1, 7}), 1e-3);
  EXPECT_GT(network.terms().at(1).value.item<double>(), 1e-3);
}

TEST(SteerableVolumes, RefuseWhatDoesNotFit) {
  EXPECT_THROW(make_volume_network(0, volumes("D4", System::scnn)), InputError);
  EXPECT_THROW(make_volume_network(0, volumes("I", System::scnn)), InputError);
  EXPECT_THROW(make_volume_network(0, volumes("SO(3)", System::restriction)), InputError);
}

}  // namespace
}  // namespace algprior::steerable
