#include "algprior/data/image_pairs.hpp"

#include "algprior/action/sample.hpp"
#include "algprior/base/error.hpp"
#include "algprior/data/check.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace algprior {
namespace {

void check_weights(const Group& group, const std::vector<double>& weights) {
  if (weights.empty()) return;
  const bool positive =
      std::all_of(weights.begin(), weights.end(), [](double w) { return w >= 0; });
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (weights.size() == group.order() && positive && sum > 0 && std::isfinite(sum)) return;
  throw InputError({"these weights do not fit the group",
                    fmt::format("{} for {}", fmt::join(weights, " "), group.name()),
                    fmt::format("{} finite numbers of at least 0, not all 0", group.order()), ""});
}

// No weights: every element alike.
bool only_identity(const Group& group, const std::vector<double>& weights) {
  if (weights.empty()) return group.order() == 1;
  for (std::size_t g = 0; g < weights.size(); ++g) {
    if (g != group.identity() && weights[g] != 0.0) return false;
  }
  return true;
}

at::Tensor inverses_of(const Group& group, const at::Tensor& g) {
  const auto inverses = at::empty({static_cast<std::int64_t>(group.order())}, at::kLong);
  for (Element h = 0; h < group.order(); ++h) {
    inverses.data_ptr<std::int64_t>()[h] = group.inverse(h);
  }
  return inverses.index_select(0, g);
}

}  // namespace

at::Tensor sample_weighted_elements(const Group& group, const std::vector<double>& weights,
                                    const at::Tensor& indices, const RandomKey& key) {
  if (weights.empty()) return sample_elements(group, indices, key);
  check_weights(group, weights);
  std::vector<double> cumulated(weights.size());
  std::partial_sum(weights.begin(), weights.end(), cumulated.begin());
  const auto numbers = indices.contiguous();
  const auto chosen = at::empty({numbers.numel()}, at::kLong);
  for (std::int64_t i = 0; i < numbers.numel(); ++i) {
    RandomStream random(
        key.sample(static_cast<std::uint64_t>(numbers.data_ptr<std::int64_t>()[i])));
    const double mark = random.uniform() * cumulated.back();
    const auto place = std::upper_bound(cumulated.begin(), cumulated.end(), mark);
    chosen.data_ptr<std::int64_t>()[i] = place - cumulated.begin();
  }
  return chosen;
}

Dataset make_image_pairs(std::string name, at::Tensor images, at::Tensor labels,
                         const Action& action, const ImagePairOptions& options) {
  if (!images.defined() || !labels.defined()) {
    throw InputError({"there are no images", name, "a tensor of images and one of labels", ""});
  }
  check_labelled_images(images, labels);
  check_weights(action.group(), options.first);
  check_weights(action.group(), options.second);
  if (!std::isfinite(options.mean) || !std::isfinite(options.deviation) ||
      options.deviation == 0.0) {
    throw InputError({"images cannot be normalised so",
                      fmt::format("mean {}, deviation {}", options.mean, options.deviation),
                      "finite numbers, and a deviation other than 0", ""});
  }
  const auto size = images.size(0);
  const bool moves_first = !only_identity(action.group(), options.first);
  return make_dataset(
      std::move(name), size,
      [images, labels, action, options, moves_first](const at::Tensor& indices,
                                                     const RandomKey& key) {
        const auto& group = action.group();
        Batch batch;
        batch.x = images.index_select(0, indices).to(at::kFloat).div_(255.0);
        batch.x.sub_(options.mean).div_(options.deviation);
        batch.y = labels.index_select(0, indices);
        if (moves_first) {
          const at::Tensor h =
              sample_weighted_elements(group, options.first, indices, key.purpose("augment"));
          batch.x = action(h, batch.x);
          if (options.labels) batch.y = (*options.labels)(h, batch.y);
        }
        batch.g = sample_weighted_elements(group, options.second, indices, key.purpose("pair"));
        const at::Tensor by = options.inverse_partner ? inverses_of(group, batch.g) : batch.g;
        batch.gx = action(by, batch.x);
        batch.gy = options.labels ? (*options.labels)(by, batch.y) : batch.y;
        return batch;
      });
}

}  // namespace algprior
