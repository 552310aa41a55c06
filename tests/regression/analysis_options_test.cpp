// What analyses and ranks are given, as options_test.cpp does it for the others.
#include "algprior/action/latent.hpp"
#include "algprior/action/planar.hpp"
#include "algprior/analysis/auc.hpp"
#include "algprior/analysis/audit_encoder.hpp"
#include "algprior/analysis/block_diagonal.hpp"
#include "algprior/analysis/equivariance.hpp"
#include "algprior/analysis/orbits.hpp"
#include "algprior/analysis/probes.hpp"
#include "algprior/analysis/representation_report.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/ranks/batch_norm.hpp"
#include "algprior/ranks/gradient_sum.hpp"
#include "algprior/rep/constructions.hpp"
#include "draw_options.hpp"

namespace algprior {
namespace {

at::Tensor draw_latents(Draw& d) {
  if (d.below(3) == 0) return d.tensor();
  const auto z = at::rand({12, 4});
  return d.below(5) == 0 ? z / 0 : z;
}

at::Tensor draw_orbits(Draw& d) {
  if (d.below(3) == 0) return d.tensor();
  const auto orbits = at::rand({3, 2, 4});
  return d.below(5) == 0 ? orbits / 0 : orbits;
}

// Also with NaN and infinities in it.
ApproximateRepresentation draw_representation(Draw& d, const Group& group) {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Identity(4, 4);
  matrix(0, 0) = -1;
  if (d.below(3) == 0) matrix(1, 1) = d.real();
  return ApproximateRepresentation(group, {matrix});
}

TEST(AnalysisOptions, OfEquivariance) {
  const auto group = make_group("C2");
  const auto action = latent_action(regular_representation(group), 4);
  const auto g = [](Draw& d) { return d.coin() ? d.tensor() : at::arange(12, at::kLong) % 2; };
  rounds("spread", [](Draw& d) { latent_spread(draw_latents(d)); });
  rounds("error",
         [&](Draw& d) { equivariance_error(action, draw_latents(d), draw_latents(d), g(d)); });
  rounds("element errors",
         [&](Draw& d) { element_errors(action, draw_latents(d), draw_latents(d), g(d)); });
  rounds("linear error", [](Draw& d) {
    linear_error(d.coin() ? at::rand({20, 4}) : draw_latents(d),
                 d.coin() ? at::rand({20, 4}) : draw_latents(d));
  });
  rounds("area", [](Draw& d) {
    area_under_curve(d.coin() ? at::rand({4}) * d.real() : d.tensor(),
                     d.coin() ? at::arange(4) % 2 : d.tensor());
  });
  rounds("classification area", [](Draw& d) {
    classification_auc(draw_latents(d), d.coin() ? at::arange(12) % 4 : d.tensor());
  });
}

TEST(AnalysisOptions, OfOrbits) {
  const auto group = make_group("C2");
  const auto action = planar_action(group);
  rounds("orbits", [&](Draw& d) {
    encode_orbits([&](const at::Tensor& x) { return d.coin() ? x.flatten(1) : d.tensor(); }, action,
                  d.images(), d.size());
  });
  rounds("positions", [](Draw& d) { average_positions(d.tensor()); });
  rounds("independent", [&](Draw& d) {
    count_independent_orbits(draw_representation(d, group), draw_latents(d),
                             {d.coin() ? 5 : d.integer(), 1, d.coin() ? 0 : d.real()});
  });
  rounds("theorem", [&](Draw& d) { theorem_one(draw_representation(d, group), draw_orbits(d)); });
  rounds("residuals", [](Draw& d) { orbit_residuals(draw_orbits(d)); });
  rounds("local probes", [](Draw& d) { local_probes(draw_orbits(d), d.part()); });
  const auto probe_options = [](Draw& d) {
    return GlobalProbeOptions{d.part(), d.coin() ? 5 : d.whole(), d.part()};
  };
  rounds("global probe", [&](Draw& d) {
    GlobalProbe probe = fit_global_probe(
        draw_latents(d), d.coin() ? at::arange(12) % 2 : d.tensor(), d.size(), probe_options(d));
    if (d.coin()) probe.weight = d.tensor();
    probe_accuracy(probe, draw_latents(d), at::arange(12) % 2);
  });
  rounds("probe of elements",
         [&](Draw& d) { global_probe_accuracy(draw_orbits(d), draw_orbits(d), probe_options(d)); });
}

TEST(AnalysisOptions, OfReports) {
  const auto group = make_group("C2");
  rounds("report", [&](Draw& d) {
    EncodedData data;
    if (d.coin()) {
      data.z = draw_latents(d);
      data.zg = draw_latents(d);
      data.g = d.coin() ? at::arange(12) % 2 : d.tensor();
    }
    if (d.coin()) data.samples = draw_latents(d);
    if (d.coin()) data.orbits = draw_orbits(d);
    ReportOptions options;
    options.orbits.combinations = 5;
    if (d.coin()) options.tie_margin = d.part();
    if (d.coin()) options.converged_below = d.part();
    if (d.coin()) options.singular_below = d.part();
    if (d.coin()) options.nearest.radius = d.part();
    if (d.coin()) options.nearest.max_iterations = d.small();
    if (d.coin()) options.nearest.polish_steps = d.small();
    report_representation(draw_representation(d, group), data, options);
  });
  rounds("blocks", [](Draw& d) {
    BlockDiagonalOptions options;
    options.steps = d.coin() ? 2 : std::min<std::int64_t>(d.integer(), 2);
    options.starts = d.coin() ? 2 : std::min<std::int64_t>(d.integer(), 2);
    options.batch_size = d.size();
    options.learning_rate = d.part();
    options.threshold = d.part();
    block_diagonalise(
        d.coin() ? at::rand({3, 4, 4}) * (d.below(4) == 0 ? d.real() : 1) : d.tensor(), options);
  });
  const auto action = planar_action(group);
  rounds("embedded orbits", [&](Draw& d) {
    EncoderView view{{}, action, d.coin()};
    if (d.below(5) != 0) {
      view.encode = [&](const at::Tensor& x) { return d.below(4) == 0 ? d.tensor() : x.clone(); };
    }
    embed_orbits(view, d.images(), d.coin() ? at::Tensor() : d.elements(),
                 {d.size(), d.size(), {}});
  });
  rounds("floor", [&](Draw& d) {
    measure_floor(action, d.images());
    measure_inputs(action, d.images());
  });
  rounds("matrices", [&](Draw& d) {
    matrices_of(latent_action(regular_representation(group), 4), d.coin() ? 4 : d.integer(),
                d.coin() ? 0 : d.integer());
  });
}

TEST(RankOptions, OfPlaces) {
  rounds("place", [](Draw& d) {
    RankPlace place;
    place.rank = d.coin() ? 0 : d.whole();
    // Never a place where others would be waited for.
    place.size = d.coin() ? 1 : std::min(d.whole(), 0);
    place.port = d.whole();
    place.timeout = d.real();
    World{place};
  });
  const World alone;
  rounds("share", [&](Draw& d) { share_of(d.integer(), alone); });
  rounds("rows", [&](Draw& d) { alone.gather_rows(d.tensor()); });
  rounds("gradients", [&](Draw& d) {
    GradientSum sum(alone, {d.tensor(), at::rand({2})}, d.integer());
    sum.begin();
    sum.finish();
  });
  rounds("batch norm", [](Draw& d) {
    const auto x = d.coin() ? d.tensor() : at::rand({3, 4, 2});
    const auto number = [&] { return d.below(5) == 0 ? d.tensor() : at::rand({4}); };
    const auto momentum = d.part(), eps = d.part();
    synchronised_batch_norm(x, number(), number(), number(), number(), momentum, eps);
  });
}

}  // namespace
}  // namespace algprior
