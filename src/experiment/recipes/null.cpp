// The null model: the algebra loss alone, without data or network. What it gives already is no
// finding about a network.
#include "algprior/analysis/representation_report.hpp"
#include "algprior/base/file.hpp"
#include "algprior/base/interrupt.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/rep/character_table.hpp"
#include "algprior/train/null_model.hpp"
#include "recipes.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace algprior {
namespace {

struct NullSettings {
  std::string group = "C2";
  std::int64_t dimension = 8;
  AlgebraSettings algebra;
  double learning_rate = 0.003;
  std::int64_t seeds = 200;
  std::int64_t steps = 4000;

  void bind(config::Fields& fields) {
    fields.text("data.group", group, "whose relators are asked for: C2, C4, D3, …");
    fields.integer("network.latent", dimension, "size of the matrices").at_least(1);
    algebra.bind(fields);
    fields.real("train.learning_rate", learning_rate, "of Adam").above(0);
    fields.integer("train.seeds", seeds, "seeds, all in one run").at_least(1);
    fields.integer("train.steps", steps, "steps of Adam").at_least(1);
  }
};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Metrics to_metrics(const NullModelResult& result, const Group& group) {
  const auto seeds = static_cast<double>(result.algebra.size());
  const auto name = [](const Metric& family, const std::string& rest) {
    return std::string(family.name) + rest;
  };
  Metrics metrics{
      {std::string(metrics::kSeeds.name), seeds},
      {std::string(metrics::kUnconverged.name), static_cast<double>(result.unconverged())},
      {std::string(metrics::kMedianAlgebraLoss.name), median(result.algebra)}};
  const CharacterTable table = character_table(group);
  for (const auto& multiplicities : result.multiplicities) {
    for (std::size_t i = 0; i < multiplicities.size(); ++i) {
      metrics[name(metrics::kMultiplicityByEigenvalues, character_by_values(table, i))] +=
          multiplicities[i] / seeds;
    }
  }
  // How often each number of eigenvalues lies at the root exp(2πik/n): shares of the seeds.
  for (std::size_t generator = 0; generator < result.counts.size(); ++generator) {
    const std::string& letter = group.generator_names()[generator];
    for (const auto& counts : result.counts[generator]) {
      for (std::size_t k = 0; k < counts.size(); ++k) {
        metrics[name(metrics::kEigenvalues, fmt::format("{}/{}", letter, k))] +=
            static_cast<double>(counts[k]) / seeds;
        metrics[name(metrics::kShare, fmt::format("{}/{}/{}", letter, k, counts[k]))] +=
            1.0 / seeds;
      }
    }
  }
  return metrics;
}

Experiment make_null(const RunId& run, const NullSettings& settings) {
  const Group group = make_group(settings.group);
  const AlgebraLoss algebra(group, settings.algebra.algebra);
  NullModelOptions options;
  options.dimension = settings.dimension;
  options.start = settings.algebra.start.start;
  options.noise = settings.algebra.start.noise;
  options.seeds = settings.seeds;
  options.first_seed = run.seed * static_cast<std::uint64_t>(settings.seeds);
  options.steps = settings.steps;
  options.learning_rate = settings.learning_rate;
  Experiment experiment;
  experiment.measure = [group, algebra, options](const MeasureContext& context) {
    const NullModelResult result = run_null_model(algebra, options, [&](std::int64_t step) {
      throw_if_stopped();
      if (!context.progress) return;
      context.progress(static_cast<std::uint64_t>(step), static_cast<std::uint64_t>(options.steps));
    });
    if (!context.folder.empty()) {
      write_file(context.folder / "null.csv", to_csv(result, algebra, options.first_seed));
    }
    return to_metrics(result, group);
  };
  experiment.columns = {metrics::kSeeds, metrics::kUnconverged, metrics::kMedianAlgebraLoss};
  return experiment;
}

}  // namespace

Recipe null_recipe() {
  return make_recipe("null", "the null model of a learned representation: no data, no network",
                     make_null);
}

}  // namespace algprior
