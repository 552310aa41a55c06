// What can be wrong with data, found before hours of training rest on it.
#include "algprior/data/check.hpp"

#include "algprior/base/error.hpp"
#include "algprior/kernel/detail/translate.hpp"
#include "algprior/train/evaluate.hpp"
#include "measure.hpp"

#include <algorithm>

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace algprior {
namespace {

constexpr std::int64_t kLookedAt = 4;

void try_samples(const Assembled& all, const Dataset& data) {
  const Network& network = all.parts.network;
  const ModeScope evaluation(network, Mode::evaluation);
  const at::NoGradGuard no_gradient;
  const auto indices = at::arange(std::min(data.size, kLookedAt), at::kLong);
  const Batch batch = to_device(data.get(indices, all.key("check")), device_of(network));
  check_finite(batch.x, "x");
  check_finite(batch.y, "y");
  const Encoded encoded = network.forward(batch.x);
  const at::Tensor target = all.target(batch);
  all.parts.task.loss(encoded.output, target);
  for (const auto& metric : all.parts.task.metrics) metric.of_samples(encoded.output, target);
  if (!batch.paired()) return;
  check_finite(batch.gx, "g x");
  network.forward(batch.gx);
}

void check_set(const Assembled& all, const std::string& split, const Dataset& data) {
  const std::string where = fmt::format("{} set ({})", split, data.name);
  try {
    translated("a data set does not fit", where, [&] { try_samples(all, data); });
  } catch (const InputError& error) {
    Failure failure = error.failure();
    if (failure.where != where) {
      failure.where = failure.where.empty() ? where : where + ": " + failure.where;
    }
    throw InputError(std::move(failure));
  }
}

}  // namespace

void check_data(const Assembled& all) {
  const ExperimentData& data = all.parts.data;
  check_set(all, "training", data.train);
  check_set(all, "validation", data.validation);
  for (const TestSet& test : data.tests) check_set(all, test.name, test.data);
}

}  // namespace algprior
