#include "algprior/analysis/probes.hpp"

#include "algprior/analysis/eigenvalues.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/prior/learned_representation.hpp"

#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>
#include <torch/types.h>
#include <torch/utils.h>

namespace algprior {
namespace {

TEST(LocalProbes, SolveTheRidgeProblemOfThePaper) {
  torch::manual_seed(1);
  const auto orbits = at::randn({20, 4, 9}, at::kDouble);
  const auto probes = local_probes(orbits, 0.1);
  // W = Y Xᵀ(X Xᵀ + λI)⁻¹, the d×d form.
  double right = 0, perfect = 0;
  for (std::int64_t i = 0; i < 20; ++i) {
    const auto x = orbits[i].t();
    const auto lambda = 0.1 * x.square().sum() / 4;
    const auto w =
        at::matmul(x.t(), at::linalg_inv(at::matmul(x, x.t()) + lambda * at::eye(9, at::kDouble)));
    const double hits = (at::matmul(w, x).argmax(0) == at::arange(4)).sum().item<double>();
    right += hits;
    perfect += hits == 4 ? 1 : 0;
  }
  EXPECT_DOUBLE_EQ(probes.accuracy, right / 80);
  EXPECT_DOUBLE_EQ(probes.perfect_orbits, perfect / 20);
  const auto sigma = at::linalg_svdvals(orbits);
  EXPECT_NEAR(probes.median_condition,
              (sigma.select(1, 0) / sigma.select(1, 3)).median().item<double>(), 1e-9);
  // Four vectors in three dimensions are dependent.
  EXPECT_TRUE(std::isinf(local_probes(orbits.narrow(2, 0, 3), 0.1).median_condition));
}

TEST(LocalProbes, ReadIndependentOrbitsAndFailOnInvariantOnes) {
  const auto independent = at::randn({50, 4, 64}, at::kDouble);
  const auto all = local_probes(independent);
  EXPECT_EQ(all.accuracy, 1.0);
  EXPECT_EQ(all.perfect_orbits, 1.0);
  EXPECT_LT(all.median_condition, 10.0);
  // A signal much weaker than the invariant part still counts.
  const auto weak = at::randn({50, 1, 64}, at::kDouble) + 0.05 * independent;
  EXPECT_EQ(local_probes(weak).accuracy, 1.0);
  const auto invariant = at::randn({50, 1, 64}, at::kDouble).expand({50, 4, 64});
  EXPECT_LT(local_probes(invariant).perfect_orbits, 0.1);
  EXPECT_LE(local_probes(at::zeros({3, 4, 8})).accuracy, 0.25);
  EXPECT_THROW(local_probes(at::zeros({3, 4})), InputError);
  EXPECT_THROW(local_probes({}), InputError);
  EXPECT_THROW(local_probes(at::zeros({0, 4, 8})), InputError);
  EXPECT_THROW(local_probes(independent.to(at::kComplexDouble)), InputError);
  EXPECT_THROW(local_probes(independent / 0.0), InputError);
  EXPECT_THROW(local_probes(independent, 0), InputError);
}

TEST(OrbitResiduals, AddUpToZero) {
  const auto residuals = orbit_residuals(at::randn({6, 4, 5}));
  EXPECT_LT(residuals.sum(1).abs().max().item<double>(), 1e-12);
  EXPECT_LT(at::linalg_svdvals(residuals).select(1, 3).max().item<double>(), 1e-12);
}

TEST(GlobalProbe, FindsTheMinimumOfTheConvexProblem) {
  torch::manual_seed(4);
  const auto features = at::randn({300, 5}, at::kDouble) * 3 + 2;
  const auto labels = torch::randint(3, {300}, torch::kLong);
  const auto probe = fit_global_probe(features, labels, 3, {.penalty = 0.01});
  EXPECT_TRUE(probe.converged);
  EXPECT_LT(probe.gradient, 1e-6);
  // By autograd on the definition: stationary there, and no better nearby.
  const auto inputs = (features - features.mean(0)) / features.std(0, false);
  const auto loss = [&](const at::Tensor& w, const at::Tensor& b) {
    return at::cross_entropy_loss(at::matmul(inputs, w.t()) + b, labels) + 0.005 * w.square().sum();
  };
  const auto w = probe.weight.clone().requires_grad_();
  const auto value = loss(w, probe.bias);
  value.backward();
  EXPECT_NEAR(value.item<double>(), probe.loss, 1e-12);
  EXPECT_LT(w.grad().abs().max().item<double>(), 1e-6);
  for (int i = 0; i < 5; ++i) {
    EXPECT_GT(loss(probe.weight + 0.01 * at::randn_like(probe.weight), probe.bias).item<double>(),
              probe.loss);
  }
}

TEST(GlobalProbe, GeneralisesWhenOrbitsAreAlignedOnly) {
  torch::manual_seed(6);
  const auto direction = at::randn({1, 4, 16}, at::kDouble);
  const auto orbits = [&](std::int64_t n) {
    return at::randn({n, 1, 16}, at::kDouble) + direction +
           0.3 * at::randn({n, 4, 16}, at::kDouble);
  };
  EXPECT_GT(global_probe_accuracy(orbits(200), orbits(100)), 0.98);
  // Independent, but twisted differently in every sample: local 100 %, global chance.
  const auto twisted = at::randn({400, 4, 16}, at::kDouble);
  EXPECT_EQ(local_probes(twisted).accuracy, 1.0);
  EXPECT_NEAR(global_probe_accuracy(twisted.narrow(0, 0, 300), twisted.narrow(0, 300, 100)), 0.25,
              0.1);
  // A feature that does not vary does no harm.
  auto constant = orbits(50);
  constant.select(2, 0).fill_(1.0);
  EXPECT_GT(global_probe_accuracy(constant, constant), 0.9);
}

TEST(GlobalProbe, RefusesLabelsThatDoNotFit) {
  const auto features = at::zeros({4, 3});
  EXPECT_THROW(fit_global_probe(features, at::zeros({3}, at::kLong), 2), InputError);
  EXPECT_THROW(fit_global_probe(features, at::full({4}, 2, at::kLong), 2), InputError);
  EXPECT_THROW(fit_global_probe(features, at::zeros({4}), 2), InputError);
  const auto labels = at::zeros({4}, at::kLong);
  EXPECT_THROW(fit_global_probe({}, labels, 2), InputError);
  EXPECT_THROW(fit_global_probe(features, {}, 2), InputError);
  EXPECT_THROW(fit_global_probe(features, labels - 1, 2), InputError);
  EXPECT_THROW(fit_global_probe(features, labels.view({4, 1}), 2), InputError);
  EXPECT_THROW(fit_global_probe(features.view({4, 3, 1}), labels, 2), InputError);
  EXPECT_THROW(fit_global_probe(features.to(at::kComplexFloat), labels, 2), InputError);
  EXPECT_THROW(fit_global_probe(features + NAN, labels, 2), InputError);
  EXPECT_THROW(fit_global_probe(at::zeros({4, 0}), labels, 2), InputError);
}

TEST(GlobalProbe, RefusesOptionsThatMakeNoSense) {
  const auto features = at::randn({6, 3}, at::kDouble);
  const auto labels = at::arange(6) % 2;
  const auto refused = [&](const GlobalProbeOptions& options) {
    EXPECT_THROW(fit_global_probe(features, labels, 2, options), InputError);
  };
  refused({.penalty = -1e-9});
  refused({.penalty = NAN});
  refused({.penalty = INFINITY});
  // 2026-11-18: a loss that is no number any more took all of the iterations.
  refused({.penalty = 1e300, .iterations = 1 << 20});
  refused({.iterations = 0});
  refused({.tolerance = -1e-9});
  refused({.tolerance = NAN});
  refused({.tolerance = INFINITY});
  EXPECT_TRUE(std::isfinite(
      fit_global_probe(features, labels, 2, {.penalty = 0, .iterations = 1, .tolerance = 0}).loss));
  EXPECT_THROW(fit_global_probe(features, labels, 1'000'000'000'000), Error);
}

TEST(Eigenvalues, AreRecordedOnTheSchedule) {
  std::vector<std::int64_t> steps;
  for (std::int64_t step = 0; step <= 6000; ++step) {
    if (is_snapshot_step(step)) steps.push_back(step);
  }
  EXPECT_EQ(steps.size(), 23U);  // 0, 100, …, 1900, 2000, 4000, 6000
  EXPECT_EQ(steps[19], 1900);
  EXPECT_EQ(steps[20], 2000);
  EXPECT_EQ(steps.back(), 6000);
}

TEST(Eigenvalues, StandInTheFileWholeAndSurviveAResume) {
  const auto file = std::filesystem::path(testing::TempDir()) / "eigenvalues.csv";
  std::filesystem::remove(file);
  const auto group = make_group("D3");
  Eigen::MatrixXd r(2, 2), s(2, 2);
  r << -0.5, -0.8, 0.8, -0.5;
  s << 1, 0, 0, -1;
  const auto rho = [&] { return ApproximateRepresentation(group, {r, s}); };
  const auto first = record_eigenvalues(group, file, rho);
  for (std::int64_t step = 0; step <= 250; ++step) first(step);
  const EigenvalueTrajectory before(group, file);
  ASSERT_EQ(before.snapshots().size(), 6U);  // steps 0, 100, 200 of r and s
  const auto& last = before.snapshots()[4];
  EXPECT_EQ(last.step, 200);
  EXPECT_EQ(last.generator, "r");
  EXPECT_NEAR(std::abs(last.eigenvalues[0] - std::complex(-0.5, 0.8)), 0.0, 1e-15);
  EXPECT_EQ(last.nearest, (std::vector<std::size_t>{1, 2}));
  const auto whole = read_file(file);
  // Killed at 250, resumed from a checkpoint at 150: step 200 is written again, not twice.
  const auto second = record_eigenvalues(group, file, rho);
  second(150);
  EXPECT_EQ(EigenvalueTrajectory(group, file).snapshots().back().step, 100);
  for (std::int64_t step = 151; step <= 250; ++step) second(step);
  EXPECT_EQ(read_file(file), whole);
  write_file(file, "step,generator\n1,2\n");
  EXPECT_THROW(EigenvalueTrajectory(group, file), FileError);
  for (const char* row : {"0,7,1,0,0", "0,2,1,0,0", "-1,0,1,0,0", "0,-1,1,0,0", "0,0,1,0,-1"}) {
    write_file(file, std::string("step,generator,real,imaginary,nearest_root\n0,0,1,0,0\n") + row);
    try {
      EigenvalueTrajectory(group, file);
      ADD_FAILURE() << "took " << row;
    } catch (const FileError& error) {
      EXPECT_NE(std::string(error.what()).find("row 2"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace algprior
