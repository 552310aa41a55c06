// The acceptance numbers of whole steerable networks: parameter counts, and how their outputs move.
#include "algprior/action/latent.hpp"
#include "algprior/action/planar.hpp"
#include "algprior/group/geometry.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/nn/steerable/digits.hpp"
#include "algprior/nn/steerable/flows.hpp"
#include "algprior/rep/constructions.hpp"
#include "relative_change.hpp"

#include <gtest/gtest.h>

namespace algprior::steerable {
namespace {

DigitNetworkOptions digits(const std::string& group, System system) {
  DigitNetworkOptions options;
  options.group = group;
  options.system.system = system;
  options.trivial_fields = group == "D1";
  return options;
}

TEST(DigitNetworks, HaveThePublishedNumberOfParameters) {
  struct Row {
    const char* group;
    std::int64_t scnn, restriction, rpp, pscnn;
  };
  for (const Row& row :
       {Row{"C4", 116'632, 124'192, 793'696, 509'416}, Row{"D1", 28'132, 33'316, 78'340, 38'596},
        Row{"D4", 145'636, 169'828, 1'733'404, 1'226'092}}) {
    const auto count = [&](System system) {
      return parameter_count(make_digit_network(0, digits(row.group, system)));
    };
    EXPECT_EQ(count(System::scnn), row.scnn) << row.group;
    EXPECT_EQ(count(System::restriction), row.restriction) << row.group;
    EXPECT_EQ(count(System::rpp), row.rpp) << row.group;
    EXPECT_EQ(count(System::pscnn), row.pscnn) << row.group;
  }
  auto single = digits("C4", System::pscnn);
  single.system.averaged.duplicates = false;
  EXPECT_EQ(parameter_count(make_digit_network(0, single)), 447'496);
}

// Largest change of the outputs under the group, after a pass that sets the norms.
double invariance_error(const Network& network, const Group& group, const at::Tensor& x) {
  const at::NoGradGuard no_gradient;
  network.module->train();
  network.forward(x);
  network.module->eval();
  const auto output = network.forward(x).output;
  double worst = 0;
  for (Element g = 1; g < group.order(); ++g) {
    worst = std::max(worst,
                     relative_change(output, network.forward(planar_action(group)(g, x)).output));
  }
  return worst;
}

TEST(DigitNetworks, EquivariantOnesAreInvariantAndOthersAreNot) {
  at::manual_seed(1);
  const auto x = at::rand({2, 1, 56, 56});
  for (const char* name : {"C4", "D4", "D1"}) {
    const Group group = make_group(name);
    const auto error = [&](System system) {
      return invariance_error(make_digit_network(3, digits(name, system)), group, x);
    };
    EXPECT_LT(error(System::scnn), 1e-5) << name;
    EXPECT_LT(error(System::pscnn), 1e-5) << name;  // uniform λ
    EXPECT_GT(error(System::rpp), 1e-3) << name;
    EXPECT_GT(error(System::restriction), 1e-3) << name;
  }
}

TEST(FlowNetworks, HaveThePublishedNumberOfParameters) {
  const auto count = [](FlowSystem system, const auto& change) {
    FlowNetworkOptions options;
    options.system = system;
    change(options);
    return parameter_count(make_flow_network(0, options));
  };
  const auto nothing = [](FlowNetworkOptions&) {};
  EXPECT_EQ(count(FlowSystem::e2cnn, nothing), 622'656);
  // The published code counts a norm of 4 channels that it never applies.
  EXPECT_EQ(count(FlowSystem::rpp, nothing), 4'355'658 - 2 * 4);
  EXPECT_EQ(count(FlowSystem::rgroup, nothing), 1'874'632);
  EXPECT_EQ(count(FlowSystem::rgroup, [](auto& options) { options.vectors = false; }), 1'874'632);
  // Likewise four norms of 92 fields.
  EXPECT_EQ(count(FlowSystem::rsteer, nothing), 5'596'178 - 4 * 2 * 92);
  EXPECT_EQ(count(FlowSystem::pscnn, nothing), 3'121'028);
  // Its encoder is made for the frames of another data set.
  EXPECT_EQ(count(FlowSystem::lift,
                  [](auto& options) {
                    options.height = 62;
                    options.width = 23;
                    options.code_width = 92;
                  }),
            3'314'852);
}

FlowNetworkOptions small_flow(FlowSystem system) {
  FlowNetworkOptions options;
  options.system = system;
  options.frames = 2;
  options.hidden = 4;
  options.height = options.width = 8;
  return options;
}

// ‖f(gx) − g f(x)‖ / ‖f(x)‖ for a quarter turn of the plane and of the velocities.
// The published turn reverses velocities.
enum class Turn { physical, published };

double flow_error(const Network& network, Turn turn) {
  const at::NoGradGuard no_gradient;
  const Group group = make_group("C4");
  const Eigen::MatrixXd quarter =
      (turn == Turn::physical ? 1 : -1) * orthogonal_matrices(group)->at(group.generators()[0]);
  const auto vector = matrix_representation(group, {quarter});
  const auto action = [&](Element g, const at::Tensor& field) {
    return planar_action(group)(g, channel_action(vector, field.size(1))(g, field));
  };
  const auto x = at::randn({2, 4, 8, 8});
  network.module->train();
  network.forward(x);
  network.module->eval();
  const auto output = network.forward(x).output;
  return relative_change(action(Element{1}, output), network.forward(action(Element{1}, x)).output);
}

TEST(FlowNetworks, TurnVelocitiesWithThePlane) {
  at::manual_seed(6);
  for (const auto system : {FlowSystem::e2cnn, FlowSystem::pscnn, FlowSystem::rgroup}) {
    auto options = small_flow(system);
    const auto network = make_flow_network(1, options);
    EXPECT_LT(flow_error(network, Turn::physical), 1e-5) << int(system);
    EXPECT_GT(flow_error(network, Turn::published), 0.1) << int(system);
    options.published_sign = true;
    EXPECT_LT(flow_error(make_flow_network(1, options), Turn::published), 1e-5);
  }
  for (const auto system : {FlowSystem::rpp, FlowSystem::lift, FlowSystem::rsteer}) {
    EXPECT_GT(flow_error(make_flow_network(1, small_flow(system)), Turn::physical), 1e-3)
        << int(system);
  }
}

TEST(FlowNetworks, RelaxedGroupConvolutionsLoseTheSymmetryWithTheirMixture) {
  at::manual_seed(7);
  const auto network = make_flow_network(1, small_flow(FlowSystem::rgroup));
  {
    const at::NoGradGuard no_gradient;
    network.module->named_parameters()["conv1.mixture"][0][2] += 0.5;
  }
  EXPECT_GT(flow_error(network, Turn::physical), 1e-3);
}

}  // namespace
}  // namespace algprior::steerable
