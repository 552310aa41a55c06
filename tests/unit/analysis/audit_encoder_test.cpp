#include "algprior/analysis/audit_encoder.hpp"

#include "algprior/action/latent.hpp"
#include "algprior/action/planar.hpp"
#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/rep/constructions.hpp"

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
  const auto refuses = [](const at::Tensor& x) {
    return at::matmul(x.flatten(1), at::ones({7, 2}));
  };
  EXPECT_THROW(embed_orbits({refuses, action}, some_images(4), {}), InputError);
}

}  // namespace
}  // namespace algprior
