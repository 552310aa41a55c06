#include "algprior/train/null_model.hpp"

#include "algprior/analysis/eigenvalues.hpp"
#include "algprior/analysis/representation_report.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/memory.hpp"
#include "algprior/io/csv.hpp"
#include "algprior/kernel/one_thread.hpp"
#include "algprior/train/optimizer.hpp"

#include <algorithm>
#include <cmath>

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace algprior {
namespace {

constexpr std::int64_t kProgressSteps = 100;

LearnedRepresentation start_seeds(const Group& group, const NullModelOptions& options) {
  std::vector<at::Tensor> generators;
  for (std::size_t k = 0; k < group.generators().size(); ++k) {
    std::vector<at::Tensor> seeds;
    for (std::int64_t s = 0; s < options.seeds; ++s) {
      seeds.push_back(start_matrix({.dimension = options.dimension,
                                    .start = options.start,
                                    .noise = options.noise,
                                    .seed = options.first_seed + static_cast<std::uint64_t>(s)},
                                   k));
    }
    generators.push_back(at::stack(seeds));
  }
  return LearnedRepresentation(group, generators);
}

// Counts of one seed; nothing when its matrices are not finite.
void count_seed(const Group& group, const std::vector<at::Tensor>& generators, std::int64_t seed,
                NullModelResult& result) {
  std::vector<at::Tensor> own;
  bool finite = true;
  for (const auto& all : generators) {
    own.push_back(all[seed]);
    finite = finite && at::isfinite(own.back()).all().item<bool>();
  }
  result.multiplicities.emplace_back();
  for (auto& counts : result.counts) counts.emplace_back();
  if (!finite) return;
  const auto approximate = to_approximate(LearnedRepresentation(group, own));
  result.multiplicities.back() =
      multiplicities_by_eigenvalues(approximate, character_table(group)).multiplicities;
  const auto snapshots = eigenvalue_snapshot(approximate, 0);
  for (std::size_t k = 0; k < snapshots.size(); ++k) {
    auto& counts = result.counts[k].back();
    counts.assign(group.element_order(group.generators()[k]), 0);
    for (const std::size_t root : snapshots[k].nearest) ++counts[root];
  }
}

}  // namespace

std::int64_t NullModelResult::unconverged() const {
  return std::count(converged.begin(), converged.end(), false);
}

NullModelResult run_null_model(const AlgebraLoss& algebra, const NullModelOptions& options,
                               const std::function<void(std::int64_t)>& progress) {
  if (options.seeds < 1 || options.steps < 0) {
    throw InputError({"a null model has nothing to do",
                      fmt::format("{} seeds, {} steps", options.seeds, options.steps),
                      "at least 1 seed and no negative number of steps", ""});
  }
  check_memory(64.0 * static_cast<double>(options.seeds) * static_cast<double>(options.dimension) *
                   static_cast<double>(options.dimension),
               "a null model",
               fmt::format("{} seeds of dimension {}", options.seeds, options.dimension));
  const OneThread one_thread;  // small matrices; and the same bits on every machine
  const Group& group = algebra.group();
  const auto representation = start_seeds(group, options);
  Adam optimizer(*representation, AdamOptions{.learning_rate = options.learning_rate});
  for (std::int64_t step = 0; step < options.steps; ++step) {
    if (progress && step % kProgressSteps == 0) progress(step);
    optimizer.zero_gradients();
    const auto values = algebra(representation);
    const auto loss =
        values.regulariser.defined() ? values.algebra + values.regulariser : values.algebra;
    loss.sum().backward();
    optimizer.step();
  }

  NullModelResult result;
  for (const auto& generator : representation->generators()) {
    result.generators.push_back(generator.detach().to(at::kCPU, at::kDouble));
  }
  const at::NoGradGuard no_gradient;
  const AlgebraLoss plain(group, algebra.presentation());
  const auto losses = plain(LearnedRepresentation(group, result.generators)).algebra.contiguous();
  result.counts.resize(group.generators().size());
  for (std::int64_t s = 0; s < options.seeds; ++s) {
    result.algebra.push_back(losses[s].item<double>());
    result.converged.push_back(result.algebra.back() <= options.converged_below);
    count_seed(group, result.generators, s, result);
  }
  return result;
}

std::string to_csv(const NullModelResult& result, const AlgebraLoss& algebra,
                   std::uint64_t first_seed) {
  const auto table = character_table(algebra.group());
  std::vector<std::string> names = {"seed", "algebra_loss", "converged"};
  for (std::size_t i = 0; i < table.count(); ++i) {
    names.push_back(character_by_values(table, i));
  }
  std::vector<double> values;
  for (std::size_t s = 0; s < result.algebra.size(); ++s) {
    values.insert(values.end(), {static_cast<double>(first_seed + s), result.algebra[s],
                                 result.converged[s] ? 1.0 : 0.0});
    for (std::size_t i = 0; i < table.count(); ++i) {
      values.push_back(result.multiplicities[s].empty() ? std::nan("")
                                                        : result.multiplicities[s][i]);
    }
  }
  return io::to_csv(names, io::make_array({static_cast<std::int64_t>(result.algebra.size()),
                                           static_cast<std::int64_t>(names.size())},
                                          values));
}

}  // namespace algprior
