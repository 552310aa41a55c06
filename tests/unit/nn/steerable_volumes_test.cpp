// Steerable networks for volumes: SO(3) and O(3) by generators, groups of the grid, their numbers
// of weights, and what leaves them invariant.
#include "algprior/action/planar.hpp"
#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/nn/steerable/continuous.hpp"
#include "algprior/nn/steerable/volumes.hpp"
#include "train_a_little.hpp"

#include <cmath>
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

// Groups of the grid as the cheaper choice: their elements are few, and averaged one by one.
TEST(SteerableVolumes, AveragedOnesOfTheCubeAreInvariantUnderTheUniformDensityAlone) {
  for (const char* group : {"cube", "Oh"}) {
    const auto network = make_volume_network(2, volumes(group, System::pscnn, 1));
    const auto last = static_cast<Element>(make_group(group).order() - 1);
    EXPECT_LT(volume_error(network, group, {1, 7, last}), 1e-5) << group;
    const auto likelihood = network.module->named_parameters()["steered.likelihood0"];
    EXPECT_EQ(likelihood.numel(), last + 1);
    for (const Term& term : network.terms())
      EXPECT_NEAR(term.value.item<double>(), 0, 1e-5) << term.name;
    {
      const at::NoGradGuard no_gradient;
      likelihood.add_(0.5);
    }
    EXPECT_GT(volume_error(network, group, {1, 7, last}), 1e-3) << group;
  }
}

// 2026-11-18: harmonics that the steering has no ψ for were taken for its first, and read past it.
TEST(RotationKernels, HarmonicsBeyondTheSteeringAreRefused) {
  const auto steering = make_rotation_steering(false, 1);
  const FieldType scalar = field_of_irreps(steering, {0});
  EXPECT_THROW(solve_coupled_basis(make_spatial_basis({.axes = 3, .kernel = 3}), scalar, scalar, 1),
               InputError);
  const auto narrow = make_spatial_basis({.axes = 3, .kernel = 3, .highest = 1});
  EXPECT_GT(solve_coupled_basis(narrow, scalar, scalar, 1).kernels.elements.rows(), 0);
}

// log-density √3 tr(D¹(h)ᵀ D¹(g)): largest at h, a turn by 0.15 about the x axis, to which no
// rotation of the grid is closer than e is.
TEST(RotationLikelihood, AlignmentSeesAPeakNearTheIdentity) {
  for (const bool reflections : {false, true}) {
    const auto steering = make_rotation_steering(reflections, 2);
    Likelihood likelihood = make_likelihood(*steering, 2);
    EXPECT_EQ(likelihood.near.size(0), 100);
    EXPECT_EQ(likelihood.near.size(1), likelihood.coefficients.size(0));
    EXPECT_TRUE(at::equal(likelihood.near, make_likelihood(*steering, 2).near));
    // Rows are ψ(g) times √d: near e they are close to its own, no closer than noise allows.
    const auto distance = (likelihood.near - likelihood.fourier[0]).norm(2, 1);
    EXPECT_GT(distance.min().item<double>(), 0);
    EXPECT_LT(distance.max().item<double>(), 0.8 * likelihood.fourier[0].norm().item<double>());
    Eigen::MatrixXd turn = Eigen::MatrixXd::Identity(3, 3);
    turn(1, 1) = turn(2, 2) = std::cos(0.15);
    turn(2, 1) = std::sin(0.15);
    turn(1, 2) = -turn(2, 1);
    const SpatialBasis space{{.axes = 3}, {}};
    const RowMatrix target = spatial_action(space, {1, 3, {}}, turn);
    // Coefficients of ψ₁ (of O(3): of both parities) stand behind those of ψ₀.
    const std::int64_t first = reflections ? 2 : 1;
    likelihood.coefficients = at::zeros_like(likelihood.coefficients);
    for (std::int64_t i = 0; i < 9; ++i) {
      for (std::int64_t copy = 0; copy < (reflections ? 2 : 1); ++copy) {
        likelihood.coefficients[first + 9 * copy + i] = target.data()[i];
      }
    }
    const auto at_grid = likelihood.fourier.mv(likelihood.coefficients);
    ASSERT_EQ(at_grid.argmax().item<std::int64_t>(), 0);
    likelihood.coefficients.requires_grad_();
    const auto value = alignment(likelihood);
    // At most l(h) − l(e) = √3 · (3 − 1 − 2 cos 0.15) for each parity.
    const double most = (reflections ? 2 : 1) * std::sqrt(3.0) * 2 * (1 - std::cos(0.15));
    EXPECT_GT(value.item<double>(), 0.3 * most);
    EXPECT_LE(value.item<double>(), most + 1e-5);
    value.backward();
    EXPECT_GT(likelihood.coefficients.grad().abs().max().item<double>(), 0);
  }
}

TEST(SteerableVolumes, EverySystemLearnsABatch) {
  at::manual_seed(13);
  const auto x = at::rand({2, 1, 28, 28, 28});
  const auto labels = at::arange(2);
  const auto loss = [&](const at::Tensor& output) {
    return at::cross_entropy_loss(output, labels);
  };
  for (const char* symmetry : {"SO(3)", "O(3)"}) {
    for (const auto& [name, system] :
         {std::pair("scnn", System::scnn), {"rpp", System::rpp}, {"pscnn", System::pscnn}}) {
      const auto what = std::string(symmetry) + " " + name;
      const auto training = train_a_little(make_volume_network(1, volumes(symmetry, system, 1)), x,
                                           loss, 4, 3e-2, what);
      EXPECT_LT(training.last, 0.9 * training.first) << what;
    }
  }
}

TEST(SteerableVolumes, RefuseWhatDoesNotFit) {
  EXPECT_THROW(make_volume_network(0, volumes("D4", System::scnn)), InputError);
  EXPECT_THROW(make_volume_network(0, volumes("I", System::scnn)), InputError);
  EXPECT_THROW(make_volume_network(0, volumes("SO(3)", System::restriction)), InputError);
}

}  // namespace
}  // namespace algprior::steerable
