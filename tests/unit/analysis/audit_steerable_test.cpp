// Equivariance of steerable networks as the audit sees it, which knows nothing of how they are
// made.
#include "algprior/action/latent.hpp"
#include "algprior/action/planar.hpp"
#include "algprior/analysis/audit_encoder.hpp"
#include "algprior/group/geometry.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/nn/ddmnist.hpp"
#include "algprior/nn/fluids.hpp"
#include "algprior/nn/steerable/digits.hpp"
#include "algprior/nn/steerable/flows.hpp"
#include "algprior/rep/constructions.hpp"

#include <gtest/gtest.h>
#include <torch/torch.h>

namespace algprior {
namespace {

// Z of a network at random weights, after a pass that sets its norms.
EncoderView latent_view(const Network& network, const Action& action, const at::Tensor& x) {
  const torch::NoGradGuard no_gradient;
  network.module->train();
  network.forward(x);
  network.module->eval();
  return {[network](const at::Tensor& input) { return network.forward(input).latents.at(0); },
          action};
}

AuditReport audit_latents(const Network& network, const Action& action, const at::Tensor& x,
                          AuditOptions options = {}) {
  options.bootstrap = 100;
  options.theorem_samples = 10;
  const AuditSubject subject = embed_orbits(latent_view(network, action, x), x, {}, {.batch = 32});
  return audit(subject, action.group(), options);
}

// Noise on a wind, so that turns are seen in the mean over positions too.
at::Tensor some_flows() {
  torch::manual_seed(5);
  return torch::randn({60, 4, 8, 8}) + 1.5 * torch::randn({60, 4, 1, 1});
}

TEST(AuditSteerable, HiddenFieldsOfAnEquivariantNetworkCarryTheRegularRepresentation) {
  const Group group = make_group("C4");
  const Eigen::MatrixXd quarter = orthogonal_matrices(group)->at(group.generators()[0]);
  const Action action =
      compose(planar_action(group), channel_action(matrix_representation(group, {quarter}), 4));
  steerable::FlowNetworkOptions options;
  options.frames = 2;
  options.hidden = 4;
  options.height = options.width = 8;
  const auto x = some_flows();
  AuditOptions regular;
  regular.representation = regular_representation(group);
  const auto report = audit_latents(make_flow_network(3, options), action, x, regular);
  EXPECT_EQ(report.dimension, 16U);
  EXPECT_EQ(report.verdict, Verdict::kGiven) << to_text(report);
  EXPECT_LT(report.errors.given->value, 1e-4);
  EXPECT_GT(report.errors.invariance->value, 0.3);
  const auto free = audit_latents(nn::make_fluid_network(3, {.frames = 2, .hidden = 16, .side = 8}),
                                  action, x, regular);
  EXPECT_EQ(free.dimension, 16U);
  EXPECT_NE(free.verdict, Verdict::kGiven) << to_text(free);
  EXPECT_NE(free.verdict, Verdict::kInvariant);
  EXPECT_GT(free.errors.given->value, 0.3);
}

TEST(AuditSteerable, TheLatentsOfAnEquivariantClassifierAreInvariantThoseOfACnnAreNot) {
  const Action action = planar_action(make_group("C4"));
  torch::manual_seed(6);
  const auto x = at::upsample_nearest2d(torch::randn({24, 1, 7, 7}), {56, 56});  // large patches
  steerable::DigitNetworkOptions options;
  options.group = "C4";
  options.width = 1;
  options.latent = 8;
  const auto steered = audit_latents(make_digit_network(4, options), action, x);
  EXPECT_EQ(steered.verdict, Verdict::kInvariant) << to_text(steered);
  EXPECT_LT(steered.errors.invariance->value, 1e-3);
  const auto free = audit_latents(nn::make_ddmnist_network(4), action, x);
  EXPECT_NE(free.verdict, Verdict::kInvariant) << to_text(free);
  EXPECT_GT(free.errors.invariance->value, 0.3);
}

}  // namespace
}  // namespace algprior
