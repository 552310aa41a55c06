#include "measure.hpp"

#include "algprior/analysis/equivariance.hpp"
#include "algprior/base/error.hpp"
#include "algprior/prior/room.hpp"
#include "algprior/ranks/world.hpp"
#include "algprior/train/evaluate.hpp"
#include "algprior/train/running_averages.hpp"

#include <fmt/format.h>
#include <torch/types.h>

namespace algprior {
namespace {

// "equivariance_error", and with the layer's number for all but the first of several.
std::string layer_name(const Metric& metric, const std::vector<LatentTarget>& targets,
                       std::size_t i) {
  return i == 0 ? std::string(metric.name) : fmt::format("{}/{}", metric.name, targets[i].layer);
}

void add_errors(const Assembled& all, const EncodedSet& set, Metrics& metrics) {
  for (std::size_t i = 0; i < all.latents.size(); ++i) {
    const LatentTarget& target = all.latents[i];
    metrics[layer_name(metrics::kEquivarianceError, all.latents, i)] =
        equivariance_error(target.action, set.z.at(target.layer), set.zg.at(target.layer), set.g);
  }
}

double sum_over_ranks(double own) {
  const auto value = torch::full({1}, own, torch::kDouble);
  world().sum(value);
  return value.item<double>();
}

}  // namespace

std::vector<LayerRoom> layer_rooms(const Network& network,
                                   const std::vector<LatentTarget>& latents) {
  std::vector<LayerRoom> rooms;
  for (const LatentTarget& target : latents) {
    if (target.layer >= network.latent_shapes.size()) continue;
    const auto& shape = network.latent_shapes[target.layer];
    try {
      rooms.push_back(
          {target.layer, c10::multiply_integers(shape), invariant_room(target.action, shape)});
    } catch (const LimitError&) {
      continue;  // what mixes the points of a large grid
    }
  }
  return rooms;
}

EncodedSet encode_set(const Assembled& all, const Dataset& data, const RandomKey& key,
                      bool partners) {
  const Network& network = all.parts.network;
  const Task& task = all.parts.task;
  MetricSums sums(task);
  std::vector<std::vector<at::Tensor>> z, zg;
  std::vector<at::Tensor> g;
  const auto keep = [](std::vector<std::vector<at::Tensor>>& all_batches,
                       const std::vector<at::Tensor>& latents) {
    all_batches.resize(latents.size());
    for (std::size_t i = 0; i < latents.size(); ++i) all_batches[i].push_back(latents[i].cpu());
  };
  // Grids can be large: of these as many of the first samples as fit 64 MB.
  constexpr std::int64_t kMostNumbers = std::int64_t{1} << 24;
  std::int64_t kept = 0;
  double task_loss = 0;
  const auto visit = [&](const Batch& batch) {
    const Encoded encoded = network.forward(batch.x);
    const at::Tensor target = all.target(batch);
    sums.add(encoded.output, target);
    task_loss +=
        static_cast<double>(batch.size()) * task.loss(encoded.output, target).item<double>();
    if (kept > kMostNumbers / world().size()) return;
    for (const auto& latent : encoded.latents) kept += latent.dim() > 2 ? latent.numel() : 0;
    keep(z, encoded.latents);
    if (!partners || !batch.paired()) return;
    keep(zg, network.forward(batch.gx).latents);
    g.push_back(batch.g.cpu());
  };
  const bool dealt = for_each_own_batch(network, data, key, all.parts.train.batch_size, visit);
  if (dealt) sums.sum_over_ranks();
  const auto joined = [dealt](const std::vector<at::Tensor>& parts) {
    return dealt ? world().gather_rows(torch::cat(parts)) : torch::cat(parts);
  };
  EncodedSet set;
  set.metrics = sums.means();
  if (dealt) task_loss = sum_over_ranks(task_loss);
  set.task_loss = task_loss / static_cast<double>(data.size);
  for (const auto& layer : z) set.z.push_back(joined(layer));
  for (const auto& layer : zg) set.zg.push_back(joined(layer));
  if (!g.empty()) set.g = joined(g);
  return set;
}

Metrics validation_losses(const Assembled& all, const Dataset& data, const RandomKey& key) {
  Metrics sums;
  const auto visit = [&](const Batch& batch) {
    const Terms terms = all.step(all.parts.network, batch);
    const auto weight = static_cast<double>(batch.size());
    sums[std::string(metrics::kLoss.name)] += weight * terms.total().item<double>();
    for (const Term& term : terms.all()) {
      sums[term.name] += weight * term.value.item<double>();
    }
  };
  if (for_each_own_batch(all.parts.network, data, key, all.parts.train.batch_size, visit)) {
    for (auto& [name, sum] : sums) sum = sum_over_ranks(sum);
  }
  for (auto& [name, sum] : sums) sum /= static_cast<double>(data.size);
  return sums;
}

Metrics validate(const Assembled& all, std::int64_t epoch) {
  const RandomKey key = all.key("validation").at(static_cast<std::uint32_t>(epoch));
  const Parts& parts = all.parts;
  const Dataset& data = parts.data.validation;
  if (parts.train.fresh_averages) {
    refresh_running_averages(parts.network, parts.data.train, key.purpose("running averages"),
                             parts.train.batch_size);
  }
  Metrics metrics;
  const bool losses = parts.train.watch == metrics::kLoss.name;
  if (all.learned || losses) metrics = validation_losses(all, data, key);
  if (!all.learned || !losses) {
    const EncodedSet set = encode_set(all, data, key, !all.latents.empty());
    for (std::size_t i = 0; i < set.metrics.size(); ++i) {
      metrics[std::string(parts.task.metrics[i].metric.name)] = set.metrics[i];
    }
    if (parts.train.ties == Ties::loss) {
      metrics[std::string(metrics::kTaskLoss.name)] = set.task_loss;
    }
    if (set.g.defined()) add_errors(all, set, metrics);
  }
  if (parts.validate) metrics.merge(parts.validate(parts.network, key));
  if (parts.train.probes) metrics.merge(measure_probes(all));
  return metrics;
}

Metrics measure_network(const Assembled& all, const std::filesystem::path& folder) {
  const Parts& parts = all.parts;
  const RandomKey key = all.key("test");
  Metrics metrics;
  const auto add = [&](const TestSet& test, const std::vector<double>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      metrics[fmt::format("{}_{}", test.name, parts.task.metrics[i].metric.name)] = values[i];
    }
  };
  for (std::size_t i = 0; i < parts.data.tests.size(); ++i) {
    const TestSet& test = parts.data.tests[i];
    if (i > 0) {
      add(test, encode_set(all, test.data, key, false).metrics);
      continue;
    }
    const EncodedSet set = encode_set(all, test.data, key, true);
    add(test, set.metrics);
    metrics[std::string(metrics::kLatentSpread.name)] = latent_spread(set.z.at(0));
    if (!set.g.defined()) continue;
    add_errors(all, set, metrics);
    for (const LayerRoom& room : layer_rooms(parts.network, all.latents)) {
      const bool first = room.layer == all.latents[0].layer;
      metrics[first ? std::string(metrics::kRoom.name)
                    : fmt::format("{}/{}", metrics::kRoom.name, room.layer)] = room.invariants;
    }
    write_element_errors(all, set.z.at(0), set.zg.at(0), set.g, folder);
    metrics[std::string(metrics::kInvarianceError.name)] =
        equivariance_error(trivial_action(parts.data.group), set.z.at(0), set.zg.at(0), set.g);
    if (all.regular) {
      metrics[std::string(metrics::kEquivarianceErrorRegular.name)] =
          equivariance_error(*all.regular, set.z.at(0), set.zg.at(0), set.g);
    }
  }
  write_orbit(all, folder);
  return metrics;
}

}  // namespace algprior
