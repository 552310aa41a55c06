// What ρ̂ became, and what an encoder still knows of g.
#include "algprior/nn/learned.hpp"

#include "algprior/analysis/probes.hpp"
#include "algprior/analysis/representation_report.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/train/evaluate.hpp"
#include "measure.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <torch/types.h>

namespace algprior {
namespace {

// Enough orbits for stable numbers, few enough to re-encode them after every epoch.
constexpr std::int64_t kOrbitSamples = 1000;
constexpr std::int64_t kTheoremSamples = 200;
constexpr std::int64_t kProbeTraining = 4000;
constexpr std::int64_t kProbeTest = 2000;

// The first samples of a data set as one batch.
Batch take(const Dataset& dataset, std::int64_t count, const RandomKey& key) {
  return dataset.get(torch::arange(std::min(dataset.size, count)), key);
}

// Orbits by encoding h·x for every h; the swap of C2 has no action on images but the pair itself.
at::Tensor orbits_of(const Assembled& all, const Dataset& dataset, std::int64_t count,
                     const RandomKey& key) {
  const Network& network = all.parts.network;
  const ModeScope evaluation(network, Mode::evaluation);
  const torch::NoGradGuard no_gradient;
  const Batch batch = to_device(take(dataset, count, key), device_of(network));
  const auto encoder = [&](const at::Tensor& x) { return encode(network, x); };
  const auto& input = all.parts.data.input;
  if (input) return encode_orbits(encoder, *input, batch.x).cpu();
  return torch::stack({average_positions(encoder(batch.x)), average_positions(encoder(batch.gx))},
                      1)
      .cpu();
}

}  // namespace

at::Tensor encode(const Network& network, const at::Tensor& x) {
  return network.encode ? network.encode(x).at(0) : network.forward(x).latents.at(0);
}

Metrics measure_representation(const Assembled& all, const std::filesystem::path& folder) {
  const Parts& parts = all.parts;
  const RandomKey key = all.key("test");
  const LearnedRepresentation& representation = all.learned->representation();
  const ApproximateRepresentation approximate = to_approximate(representation);
  const TestSet& test = parts.data.tests.at(0);
  std::vector<at::Tensor> z, zg, g;
  MetricSums sums(parts.task);
  for_each_batch(parts.network, test.data, key, parts.train.batch_size, [&](const Batch& batch) {
    const auto latent = encode(parts.network, batch.x);
    z.push_back(latent.cpu());
    zg.push_back(encode(parts.network, batch.gx).cpu());
    g.push_back(batch.g.cpu());
    sums.add(parts.network.decode(latent, 0), parts.task.target(batch));
  });
  EncodedData data;
  data.z = torch::cat(z);
  data.zg = torch::cat(zg);
  data.g = torch::cat(g);
  {
    const ModeScope evaluation(parts.network, Mode::evaluation);
    const torch::NoGradGuard no_gradient;
    const Batch batch = take(parts.data.train, kOrbitSamples, key);
    data.samples = encode(parts.network, batch.x.to(device_of(parts.network))).cpu();
  }
  data.orbits = orbits_of(all, test.data, kTheoremSamples, key);
  const RepresentationReport report = report_representation(approximate, data);
  if (!folder.empty()) {
    write_file(folder / "representation.json", to_json(report));
    write_file(folder / "theorem.csv", to_csv(theorem_one(approximate, data.orbits)));
    save_representation(representation, folder / "representation.safetensors");
    write_element_errors(all, data.z, data.zg, data.g, folder);
    write_orbit(all, folder);
  }
  Metrics metrics = to_metrics(report);
  const auto means = sums.means();
  for (std::size_t i = 0; i < means.size(); ++i) {
    metrics[fmt::format("{}_{}", test.name, parts.task.metrics[i].metric.name)] = means[i];
  }
  return metrics;
}

Metrics measure_probes(const Assembled& all) {
  const ExperimentData& data = all.parts.data;
  const auto train =
      orbits_of(all, data.upright_train.value(), kProbeTraining, all.key("probe training"));
  const auto test = orbits_of(all, data.upright_test.value(), kProbeTest, all.key("probe test"));
  const LocalProbes local = local_probes(test);
  // The mean of MSE(E(x), E(gx)) over all pairs of an orbit, g ≠ e, is twice the variance in it.
  const auto order = static_cast<double>(test.size(1));
  const double invariance =
      2.0 * order / (order - 1.0) * orbit_residuals(test).square().mean().item<double>();
  return {{std::string(metrics::kLocalProbe.name), local.accuracy},
          {std::string(metrics::kPerfectOrbits.name), local.perfect_orbits},
          {std::string(metrics::kGlobalProbe.name), global_probe_accuracy(train, test)},
          {std::string(metrics::kInvarianceLoss.name), invariance}};
}

}  // namespace algprior
