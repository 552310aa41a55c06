#include "algprior/prior/room.hpp"

#include "algprior/action/latent.hpp"
#include "algprior/action/planar.hpp"
#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/prior/learned_representation.hpp"
#include "algprior/rep/constructions.hpp"
#include "algprior/rep/make_representation.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace algprior {
namespace {

Action latent(const char* group, const char* representation, std::int64_t dimension) {
  return latent_action(make_representation(make_group(group), representation), dimension);
}

TEST(InvariantRoom, OfThePaperSettings) {
  EXPECT_EQ(invariant_room(latent("D4xD4", "regular", 66), {66}), 3);
  EXPECT_EQ(invariant_room(latent("D4xD4", "regular", 642), {642}), 12);
  EXPECT_EQ(invariant_room(latent("C4xC4", "regular", 66), {66}), 6);
  EXPECT_EQ(invariant_room(latent("C2xC2", "regular", 66), {66}), 18);
  EXPECT_EQ(invariant_room(latent("cube", "regular", 48), {48}), 2);
  EXPECT_EQ(invariant_room(latent("D4xD4", "defining", 66), {66}), 6);
  EXPECT_EQ(invariant_room(latent("D4xD4", "trivial", 66), {66}), 66);
}

TEST(InvariantRoom, IsTheMultiplicityOfTheTrivialRepresentation) {
  for (const char* text : {"irrep0 + 3*irrep4", "defining @ defining", "sign + 2*irrep4"}) {
    const Group group = make_group("D4");
    const auto representation = make_representation(group, text);
    double mean = 0;
    for (Element g = 0; g < group.order(); ++g) mean += representation.trace(g).real();
    mean /= static_cast<double>(group.order());
    const auto d = static_cast<std::int64_t>(representation.dimension());
    EXPECT_NEAR(invariant_room(latent_action(representation, d), {d}), mean, 1e-5) << text;
    EXPECT_NEAR(invariant_room(latent_action(representation, d, LatentPath::dense), {d}), mean,
                1e-5)
        << text;
  }
}

TEST(InvariantRoom, OfGridsCountsOrbitsOfPlaces) {
  // C4 turns a 4×4 grid: 4 orbits a channel; with the channels turned along, 16 places × 4
  // channels in 16 orbits; channels alone, one a place.
  const Group group = make_group("C4");
  const auto turn = planar_action(group, Resampling::none);
  const auto channels = channel_action(regular_representation(group), 4);
  EXPECT_EQ(invariant_room(turn, {3, 4, 4}), 12);
  EXPECT_EQ(invariant_room(turn, {1, 128, 128}), 4096);  // too large for matrices
  EXPECT_EQ(invariant_room(channels, {4, 4, 4}), 16);
  EXPECT_EQ(invariant_room(compose(turn, channels), {4, 4, 4}), 16);
}

// Exact, but no permutation: reading the images of 1 … d as places must not deceive it.
TEST(InvariantRoom, OfExactActionsThatPermuteNothing) {
  const Group group = make_group("C2");
  const auto room = [&](const Action::Function& function) {
    return invariant_room(Action(group, "odd", 0.0, function), {3});
  };
  // Element 1 multiplies by a factor: traces 3 and 3 · factor.
  const auto on = [](const at::Tensor& g, const at::Tensor& x, double factor) {
    return x * (1 + (factor - 1) * g.to(x.scalar_type()).unsqueeze(1));
  };
  EXPECT_NEAR(room([&](const auto& g, const auto& x) { return on(g, x, 2); }), 4.5, 1e-6);
  EXPECT_NEAR(room([&](const auto& g, const auto& x) { return on(g, x, 0); }), 1.5, 1e-6);
  EXPECT_NEAR(room([&](const auto& g, const auto& x) { return on(g, x, -1); }), 0.0, 1e-6);
  EXPECT_NEAR(room([&](const auto& g, const auto& x) { return on(g, x, 0.3); }), 1.95, 1e-6);
  // A shear takes (1, 2, 3) to (1, 2, 4), whole numbers of which one names no coordinate.
  EXPECT_NEAR(room([&](const auto& g, const auto& x) {
                const auto added = x.select(1, 0) * g.to(x.scalar_type());
                return at::cat({x.narrow(1, 0, 2), (x.select(1, 2) + added).unsqueeze(1)}, 1);
              }),
              3.0, 1e-6);
}

TEST(InvariantRoom, OfALearnedRepresentationIsNearItsOwn) {
  const Group group = make_group("D3");
  LearnedRepresentationOptions options;
  options.dimension = 7;
  options.start = MatrixStart::identity;
  options.noise = 0.0;
  const LearnedRepresentation learned(group, options);
  EXPECT_NEAR(invariant_room(learned->action(), {7}), 7, 1e-4);
}

TEST(InvariantRoom, RefusesWhatItCannotCompute) {
  EXPECT_THROW(invariant_room(latent("C4", "regular", 4), {}), InputError);
  EXPECT_THROW(invariant_room(latent("C4", "regular", 4), {0}), InputError);
  EXPECT_THROW(invariant_room(latent("C4", "regular", 4), {1'000'000, 1'000}), InputError);
  EXPECT_THROW(invariant_room(latent("C4", "regular", 4), {5}), InputError);
  const auto dense = channel_action(make_representation(make_group("D3"), "irrep2"), 2);
  EXPECT_NEAR(invariant_room(dense, {2, 4, 4}), 0, 1e-4);
  EXPECT_THROW(invariant_room(dense, {2, 64, 64}), LimitError);
}

// The lemma on an exactly equivariant encoder: averaged over the orbit, a linear head sees the
// sums of the copies, and one behind a function of single coordinates the values of each copy
// without their places; a hidden layer sees more.
class Lemma : public testing::Test {
 protected:
  const Group group = make_group("D4");
  const Action rho = latent_action(regular_representation(group), 18);  // two copies, two fixed
  const at::Tensor z = at::sin(at::arange(1, 19, at::kDouble) * 1.7).reshape({1, 18});
  // Another z with the values of each copy at other places, which no g moves one to the other.
  at::Tensor shuffled() const {
    auto other = z.clone();
    other.slice(1, 0, 2).copy_(z.slice(1, 0, 2).flip(1));
    return other;
  }
  at::Tensor averaged(const at::Tensor& from,
                      const std::function<at::Tensor(const at::Tensor&)>& head) const {
    at::Tensor sum = at::zeros({1, 5}, at::kDouble);
    for (Element g = 0; g < group.order(); ++g) sum += head(rho(g, from));
    return sum / static_cast<double>(group.order());
  }
  // 1/|G| Σ ρ(g): the projection onto the invariant part.
  at::Tensor averaged_projection() const {
    at::Tensor sum = at::zeros({18, 18}, at::kDouble);
    for (Element g = 0; g < group.order(); ++g) sum += rho(g, at::eye(18, at::kDouble));
    return sum / static_cast<double>(group.order());
  }
  static at::Tensor weights(std::int64_t rows, std::int64_t columns) {
    return at::cos(at::arange(rows * columns, at::kDouble) * 0.9).reshape({rows, columns});
  }
};

TEST_F(Lemma, ALinearHeadSeesSumsOfCopiesAndPadding) {
  const auto head = [](const at::Tensor& x) { return at::matmul(x, weights(18, 5)); };
  auto other = z.clone();  // equal sums, other values
  other.select(1, 3).add_(0.4);
  other.select(1, 6).sub_(0.4);
  EXPECT_LT((averaged(z, head) - averaged(other, head)).abs().max().item<double>(), 1e-12);
  other.select(1, 6).sub_(0.4);
  EXPECT_GT((averaged(z, head) - averaged(other, head)).abs().max().item<double>(), 1e-2);
  // As many directions as there is room.
  const auto mean = averaged_projection();
  EXPECT_EQ(at::linalg_matrix_rank(mean, 1e-9).item<std::int64_t>(),
            static_cast<std::int64_t>(invariant_room(rho, {18})));
}

TEST_F(Lemma, CoordinatewiseFunctionsSeeValuesWithoutPlaces) {
  const auto head = [](const at::Tensor& x) {
    return at::matmul(at::elu(x * weights(1, 18) + weights(1, 18).flip(1)), weights(18, 5));
  };
  EXPECT_LT((averaged(z, head) - averaged(shuffled(), head)).abs().max().item<double>(), 1e-12);
  auto other = z.clone();  // equal sums, other values: now seen
  other.select(1, 3).add_(0.4);
  other.select(1, 6).sub_(0.4);
  EXPECT_GT((averaged(z, head) - averaged(other, head)).abs().max().item<double>(), 1e-3);
}

TEST_F(Lemma, AHiddenLayerSeesPlaces) {
  const auto head = [](const at::Tensor& x) {
    return at::matmul(at::elu(at::matmul(x, weights(18, 30))), weights(30, 5));
  };
  EXPECT_GT((averaged(z, head) - averaged(shuffled(), head)).abs().max().item<double>(), 1e-3);
}

TEST(RoomAdvice, SaysTheCaseAndWhatGivesMore) {
  EXPECT_NE(room_advice(Head::linear, 3, 66, 100).find("3 of 66"), std::string::npos);
  EXPECT_NE(room_advice(Head::coordinatewise, 3, 66, 100).find("more room"), std::string::npos);
  EXPECT_EQ(room_advice(Head::coordinatewise, 66, 66, 10).find("more room"), std::string::npos);
  // Rounding of a computed room does not make it tight.
  EXPECT_EQ(room_advice(Head::linear, 9.9999, 66, 10).find("more room"), std::string::npos);
  EXPECT_EQ(room_advice(Head::linear, 9.5, 66, 10).find("more room"), std::string::npos);
  EXPECT_NE(room_advice(Head::linear, 9, 66, 10).find("more room"), std::string::npos);
  EXPECT_NE(room_advice(Head::unknown, 9, 66, 10).find("9 of 66"), std::string::npos);
  EXPECT_EQ(room_advice(Head::hidden, 3, 66, 100).find("more room"), std::string::npos);
}

}  // namespace
}  // namespace algprior
