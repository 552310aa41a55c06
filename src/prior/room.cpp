#include "algprior/prior/room.hpp"

#include "algprior/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace algprior {
namespace {

std::int64_t count_of(const std::vector<std::int64_t>& shape) {
  double count = 1;
  for (const std::int64_t side : shape)
    count *= static_cast<double>(std::max<std::int64_t>(side, 0));
  if (!shape.empty() && count >= 1 && count < 1e9) return static_cast<std::int64_t>(count);
  throw InputError({"the room of a latent space needs its shape",
                    fmt::format("{} coordinates", count), "a shape such as {66} or {92, 64, 64}",
                    "give the network its latent_shapes"});
}

std::vector<std::int64_t> batch_shape(std::int64_t samples, const std::vector<std::int64_t>& one) {
  std::vector<std::int64_t> shape{samples};
  shape.insert(shape.end(), one.begin(), one.end());
  return shape;
}

// tr T_g of a T_g that permutes coordinates up to their signs; nothing for any other. What is read
// off the images of 1 … d is tried on numbers without any pattern.
std::optional<double> signed_permutation_trace(const Action& action, Element g,
                                               const std::vector<std::int64_t>& shape,
                                               const at::Tensor& counted,
                                               const at::Tensor& irregular) {
  const auto image = action(g, counted.reshape(batch_shape(1, shape))).reshape({-1});
  const auto source = image.abs();
  if (source.numel() != counted.numel() || !at::equal(source, source.round())) return std::nullopt;
  const auto from = source.to(at::kLong) - 1;
  if (from.min().item<std::int64_t>() < 0 || from.max().item<std::int64_t>() >= from.numel()) {
    return std::nullopt;
  }
  const auto moved = action(g, irregular.reshape(batch_shape(1, shape))).reshape({-1});
  if (!at::equal(moved, irregular.index_select(0, from) * image.sign())) return std::nullopt;
  return (image.sign() * from.eq(at::arange(from.numel())).to(at::kDouble)).sum().item<double>();
}

double dense_trace(const Action& action, Element g, const std::vector<std::int64_t>& shape,
                   std::int64_t dimension) {
  if (dimension > kMostRoomDimension) {
    throw LimitError({"the room of this latent space takes too long to compute",
                      fmt::format("{} on {} coordinates", action.name(), dimension),
                      fmt::format("at most {} for an action that mixes them", kMostRoomDimension),
                      "compute it on one point of the grid"});
  }
  const auto basis = at::eye(dimension).reshape(batch_shape(dimension, shape));
  return action(g, basis)
      .reshape({dimension, dimension})
      .diagonal()
      .sum(at::kDouble)
      .item<double>();
}

}  // namespace

double invariant_room(const Action& latent, const std::vector<std::int64_t>& shape) {
  const at::NoGradGuard no_gradient;
  const std::int64_t dimension = count_of(shape);
  const auto order = static_cast<Element>(latent.group().order());
  const auto& places = latent.places();
  if (places.defined() && shape.size() == 1 && places.size(1) == dimension) {
    const auto fixed = places.eq(at::arange(dimension)).sum().item<std::int64_t>();
    return static_cast<double>(fixed) / static_cast<double>(order);
  }
  const auto counted = at::arange(1, dimension + 1, at::kDouble);
  const auto irregular = at::sin(counted * counted + 1.0);
  double sum = 0;
  bool permutes = latent.exact();
  for (Element g = 0; g < order; ++g) {
    std::optional<double> trace;
    if (permutes) trace = signed_permutation_trace(latent, g, shape, counted, irregular);
    permutes = trace.has_value();
    sum += trace ? *trace : dense_trace(latent, g, shape, dimension);
  }
  return sum / static_cast<double>(order);
}

std::string room_advice(Head head, double invariants, std::int64_t dimension,
                        std::int64_t classes) {
  const std::string count = fmt::format("{:.3g} of {}", invariants, dimension);
  const std::string more =
      "more room: a hidden layer behind Z, more copies (a larger Z), a representation with more "
      "fixed numbers (trivial), or a smaller group";
  // Distinct values of n numbers can tell any number of classes apart, but a linear head on them
  // wants about as many as there are classes.
  const bool tight = invariants < static_cast<double>(classes) - 0.5;
  switch (head) {
    case Head::linear:
      return fmt::format("the head is linear in Z: of invariant labels it can use {} numbers{}",
                         count, tight ? "; " + more : "");
    case Head::coordinatewise:
      return fmt::format(
          "the head is linear behind functions of single coordinates: it sees each of {:.3g} "
          "orbits "
          "of coordinates as a set of values, not which value stands where{}",
          invariants, tight ? "; " + more : "");
    case Head::hidden:
      return "a hidden layer stands behind Z: every invariant function of z can be approximated";
    case Head::unknown:
      break;
  }
  return fmt::format("a head that is linear in Z could use {} numbers of invariant labels{}", count,
                     tight ? "; " + more : "");
}

}  // namespace algprior
