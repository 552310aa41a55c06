#include "algprior/analysis/audit_encoder.hpp"

#include "algprior/action/latent.hpp"
#include "algprior/action/planar.hpp"
#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/rep/constructions.hpp"

#include <cmath>
#include <utility>

#include <gtest/gtest.h>
#include <torch/torch.h>

namespace algprior {
namespace {

AuditOptions quick_audit() {
  AuditOptions options;
  options.bootstrap = 100;
  options.theorem_samples = 10;
  return options;
}

at::Tensor some_images(std::int64_t count) {
  return torch::sin(torch::arange(count * 64, torch::kFloat32).square() * 0.37)
      .reshape({count, 1, 8, 8});
}

// The means of the four quarters of an image, counter-clockwise: C4 permutes them.
at::Tensor quarters(const at::Tensor& x) {
  const auto mean = [&](std::int64_t top, std::int64_t left) {
    return x.slice(2, top, top + 4).slice(3, left, left + 4).flatten(1).mean(1);
  };
  return torch::stack({mean(0, 4), mean(0, 0), mean(4, 0), mean(4, 4)}, 1);
}

TEST(AuditEncoder, FindsTheRegularRepresentationOfQuarters) {
  const Action action = planar_action(make_group("C4"));
  AuditSubject subject = embed_orbits({quarters, action}, some_images(100), {}, {.batch = 32});
  ASSERT_TRUE(subject.floor);
  EXPECT_EQ(subject.floor->value, 0);
  EXPECT_EQ(subject.floor->exact, 3u);
  EXPECT_EQ(subject.inputs->unmoved, 0);
  const AuditReport report = audit(subject, action.group(), quick_audit());
  EXPECT_EQ(report.verdict, Verdict::kGiven);
  EXPECT_LT(report.errors.regular->value, 1e-5);
  // The reference by its own matrices: what a run with a prior does.
  subject.matrices = matrices_of(latent_action(regular_representation(action.group()), 4), 4);
  const AuditReport given = audit(subject, action.group(), quick_audit());
  EXPECT_LT(given.errors.given->value, 1e-5);
  EXPECT_EQ(given.audited, "given");
}

TEST(AuditEncoder, FloorOfInterpolatedTurns) {
  const Action action = planar_action(make_group("C8"), Resampling::bilinear);
  const AuditFloor floor = measure_floor(action, some_images(20));
  EXPECT_EQ(floor.exact, 3u);  // the quarter turns
  EXPECT_GT(floor.value, 0.05);
  ASSERT_TRUE(floor.inside);
  EXPECT_LT(*floor.inside, floor.value);  // corners leave the image
  ASSERT_EQ(floor.per_element.size(), 7u);
  EXPECT_GT(floor.per_element[0].error, floor.per_element[1].error);
}

/// Element 1 of C3 halves what `where` marks, element 2 does nothing: no action, but one whose
/// floor can be told without a computer.
Action halving(const at::Tensor& where) {
  return {make_group("C3"), "halves", 1.0, [where](const at::Tensor& g, const at::Tensor& x) {
            const auto first = g.eq(1).view({-1, 1, 1, 1}).to(x.scalar_type());
            return x * (1 - 0.5 * first * where.to(x.scalar_type()));
          }};
}

/// Four images, and their negatives: of mean zero, so that chance is twice the mean square.
at::Tensor balanced_images() {
  const auto x = some_images(4);
  return at::cat({x, -x});
}

TEST(AuditEncoder, FloorByHand) {
  const auto everywhere = at::ones({8, 8});
  const AuditFloor floor = measure_floor(halving(everywhere), balanced_images());
  // 1 takes x to x/2 and its inverse, 2, leaves that: off by half of x. The same for 2.
  const double each = std::sqrt(0.25 / 2);
  ASSERT_EQ(floor.per_element.size(), 2u);
  EXPECT_NEAR(floor.per_element[0].error, each, 1e-6);
  EXPECT_NEAR(floor.per_element[1].error, each, 1e-6);
  EXPECT_NEAR(floor.value, each, 1e-6);
  EXPECT_NEAR(floor.inside.value(), each, 1e-6);
  EXPECT_EQ(floor.exact, 0u);
  // The corners lie outside the inscribed disc, the middle of an edge within it.
  auto corners = at::zeros({8, 8});
  for (const int i : {0, 7}) {
    for (const int j : {0, 7}) corners[i][j] = 1;
  }
  const AuditFloor outer = measure_floor(halving(corners), balanced_images());
  EXPECT_GT(outer.value, 0.01);
  EXPECT_EQ(outer.inside.value(), 0.0);
  for (const auto& [i, j] : {std::pair{0, 3}, {4, 7}, {3, 0}, {7, 4}, {1, 2}}) {
    auto edge = at::zeros({8, 8});
    edge[i][j] = 1;
    EXPECT_GT(measure_floor(halving(edge), balanced_images()).inside.value(), 0.001) << i << j;
  }
  // Signals have no disc; samples that are all equal have no chance to compare with.
  const Action still = trivial_action(make_group("C2"));
  EXPECT_FALSE(measure_floor(still, at::rand({4, 2, 9})).inside);
  EXPECT_EQ(measure_floor(still, at::ones({4, 1, 8, 8})).value, 0.0);
  EXPECT_FALSE(measure_floor(still, at::ones({4, 1, 8, 8})).inside);
  EXPECT_THROW(measure_floor(still, at::empty({0, 1, 8, 8})), InputError);
}

TEST(AuditEncoder, InputsByHand) {
  const Action action = halving(at::ones({8, 8}));
  const AuditInputs inputs = measure_inputs(action, balanced_images());
  EXPECT_DOUBLE_EQ(inputs.unmoved, 0.5);  // by element 2, all of them
  EXPECT_NEAR(inputs.norm_drift, std::sqrt(0.25 / 2), 1e-12);
  // An empty image has no norm that could drift, and stays.
  const auto some = at::cat({balanced_images(), at::zeros({8, 1, 8, 8})});
  EXPECT_DOUBLE_EQ(measure_inputs(action, some).unmoved, 0.75);
  EXPECT_NEAR(measure_inputs(action, some).norm_drift, std::sqrt(0.25 / 2), 1e-12);
  EXPECT_EQ(measure_inputs(action, at::zeros({2, 1, 8, 8})).norm_drift, 0.0);
}

TEST(AuditEncoder, BatchesCoordinatesAndProgress) {
  const Action action = planar_action(make_group("C4"));
  const auto x = some_images(7);
  const auto flat = [](const at::Tensor& images) {
    EXPECT_GT(images.size(0), 0);  // an encoder need not take an empty batch
    return images.flatten(1);
  };
  std::vector<std::uint64_t> told;
  const auto progress = [&](std::uint64_t done, std::uint64_t total) {
    told.push_back(done);
    EXPECT_EQ(total, 28u);
  };
  const AuditSubject few = embed_orbits({flat, action}, x, {},
                                        {.batch = 3, .most_coordinates = 5, .progress = progress});
  EXPECT_TRUE(few.remarks.empty());  // vectors are no grids
  EXPECT_EQ(few.embeddings.dimension(), 5u);
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told.front(), 3u);
  EXPECT_EQ(told.back(), 28u);
  const AuditSubject one = embed_orbits({flat, action}, x, {}, {.batch = 1, .most_coordinates = 1});
  EXPECT_EQ(one.embeddings.dimension(), 1u);
  const EncoderView view{flat, action};
  EXPECT_THROW(embed_orbits(view, x, {}, {.batch = 0}), InputError);
  EXPECT_THROW(embed_orbits(view, x, {}, {.most_coordinates = 0}), InputError);
  // A thousand million samples, of which only one stands in memory.
  const auto many = at::zeros({1, 1, 8, 8}).expand({1'000'000'000, 1, 8, 8});
  EXPECT_THROW(embed_orbits({quarters, action}, many, {}), Error);
}

TEST(AuditEncoder, MatricesOfAnAction) {
  const Group group = make_group("D3");
  const auto regular = regular_representation(group);
  const auto matrices = matrices_of(latent_action(regular, 6), 6);
  ASSERT_EQ(matrices.size(), 6u);
  for (Element g = 0; g < 6; ++g) EXPECT_TRUE(matrices[g].isApprox(regular.matrix(g).real()));
  EXPECT_EQ(matrices_of(trivial_action(group), 1).front(), Eigen::MatrixXd::Identity(1, 1));
  EXPECT_EQ(matrices_of(trivial_action(group), 2, 8).front(), Eigen::MatrixXd::Identity(2, 2));
  EXPECT_THROW(matrices_of(trivial_action(group), 0), InputError);
  EXPECT_THROW(matrices_of(trivial_action(group), 2, -1), InputError);
  EXPECT_THROW(matrices_of(trivial_action(group), 2, 9), InputError);
  EXPECT_THROW(matrices_of(trivial_action(group), 100'000), Error);  // 640 GB
}

TEST(AuditEncoder, MapsBetweenImagesArePulledBack) {
  const Action action = planar_action(make_group("C4"));
  const auto square = [](const at::Tensor& x) { return x.square(); };
  const AuditSubject equivariant = embed_orbits({square, action, true}, some_images(40), {});
  EXPECT_EQ(audit(equivariant, action.group(), quick_audit()).verdict, Verdict::kInvariant);
  const auto shift = [](const at::Tensor& x) { return x.roll(1, 3); };
  const AuditSubject broken = embed_orbits({shift, action, true}, some_images(40), {});
  EXPECT_NE(audit(broken, action.group(), quick_audit()).verdict, Verdict::kInvariant);
  EXPECT_THROW(embed_orbits({quarters, action, true}, some_images(4), {}), InputError);
}

TEST(AuditEncoder, SaysWhatItIsGiven) {
  const Action action = planar_action(make_group("C4"));
  const auto noisy = [](const at::Tensor& x) { return quarters(x) + torch::randn({x.size(0), 4}); };
  const AuditSubject subject = embed_orbits({noisy, action}, some_images(10), {});
  ASSERT_FALSE(subject.remarks.empty());
  EXPECT_NE(subject.remarks[0].find("differs between two calls"), std::string::npos);
  const auto grid = [](const at::Tensor& x) { return x.expand({-1, 3, -1, -1}); };
  const AuditSubject averaged = embed_orbits({grid, action}, some_images(10), {});
  EXPECT_EQ(averaged.embeddings.dimension(), 3u);
  EXPECT_NE(averaged.remarks[0].find("averaged over its positions"), std::string::npos);
  const auto scalar = [](const at::Tensor& x) { return x.flatten(1).mean(1); };
  EXPECT_THROW(embed_orbits({scalar, action}, some_images(4), {}), InputError);
  const auto half = [](const at::Tensor& x) { return quarters(x).narrow(0, 0, x.size(0) / 2); };
  EXPECT_THROW(embed_orbits({half, action}, some_images(4), {}), InputError);
  const auto whole = [](const at::Tensor& x) { return quarters(x).to(at::kLong); };
  EXPECT_THROW(embed_orbits({whole, action}, some_images(4), {}), InputError);
  const auto nothing = [](const at::Tensor&) { return at::Tensor(); };
  EXPECT_THROW(embed_orbits({nothing, action}, some_images(4), {}), InputError);
  EXPECT_THROW(embed_orbits({{}, action}, some_images(4), {}), InputError);
  const auto refuses = [](const at::Tensor& x) {
    return at::matmul(x.flatten(1), at::ones({7, 2}));
  };
  EXPECT_THROW(embed_orbits({refuses, action}, some_images(4), {}), InputError);
}

}  // namespace
}  // namespace algprior
