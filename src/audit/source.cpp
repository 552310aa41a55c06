#include "source.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/random.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace algprior::auditing {
namespace {

std::size_t length_of(const EmbeddingSpan& values) {
  return std::visit([](const auto& span) { return span.size(); }, values);
}

void check_common(std::size_t samples, std::size_t dimension, const Group& group) {
  if (group.order() < 2) {
    throw InputError({"a group of order 1 moves nothing", "group " + group.name(),
                      "a group of order 2 or more", "name the symmetry with --group"});
  }
  if (samples < 2) {
    throw InputError({"too few samples to audit an encoder", fmt::format("{}", samples),
                      "at least 2, better some hundred", "embed more samples"});
  }
  if (dimension < 1) {
    throw InputError({"the embedding has no coordinates", "d = 0", "at least 1", ""});
  }
}

std::size_t choose_base_points(const OrbitEmbeddings& orbits, const Group& group,
                               const AuditOptions& options) {
  const std::size_t most = orbits.order;
  if (options.base_points > 0) return std::min(options.base_points, most);
  const auto d = static_cast<double>(orbits.dimension);
  const double once =
      static_cast<double>(orbits.samples) * static_cast<double>(group.order()) * d * d;
  // Least squares for d unknowns wants several times d rows.
  const double least = std::ceil(8 * d / static_cast<double>(orbits.samples));
  const double wanted = std::max({1.0, std::floor(options.work / once), least});
  return wanted < static_cast<double>(most) ? static_cast<std::size_t>(wanted) : most;
}

}  // namespace

void check_shapes(const OrbitEmbeddings& orbits, const Group& group) {
  const std::string shape =
      fmt::format("{} x {} x {}", orbits.samples, orbits.order, orbits.dimension);
  if (orbits.order != group.order()) {
    throw InputError({fmt::format("the orbits do not fit {}", group.name()), "z of shape " + shape,
                      fmt::format("N x {} x d, one embedding for each element of {}", group.order(),
                                  group.name()),
                      fmt::format("encode g*x for every g, in the order of 'algprior group \"{}\" "
                                  "--elements', or name another group",
                                  group.name())});
  }
  check_common(orbits.samples, orbits.dimension, group);
  if (length_of(orbits.values) / orbits.order / orbits.dimension != orbits.samples ||
      length_of(orbits.values) % (orbits.order * orbits.dimension) != 0) {
    throw InputError({"the embeddings are not as many as their shape says",
                      fmt::format("{} numbers", length_of(orbits.values)), shape, ""});
  }
}

void check_shapes(const PairEmbeddings& pairs, const Group& group) {
  check_common(pairs.samples, pairs.dimension, group);
  const std::size_t wanted = pairs.samples * pairs.dimension;
  if (length_of(pairs.z) != wanted || length_of(pairs.zg) != wanted ||
      pairs.g.size() != pairs.samples || pairs.z.index() != pairs.zg.index()) {
    throw InputError({"z, zg and g do not fit each other",
                      fmt::format("{} numbers in z, {} in zg, {} in g", length_of(pairs.z),
                                  length_of(pairs.zg), pairs.g.size()),
                      fmt::format("z and zg of shape {} x {} and one type, {} elements g",
                                  pairs.samples, pairs.dimension, pairs.samples),
                      "save E(x), E(g*x) and the index of g for the same samples"});
  }
  for (std::size_t n = 0; n < pairs.samples; ++n) {
    if (pairs.g[n] >= 0 && static_cast<std::uint64_t>(pairs.g[n]) < group.order()) continue;
    throw InputError({"an element is out of range", fmt::format("g[{}] = {}", n, pairs.g[n]),
                      fmt::format("0 to {} for {}", group.order() - 1, group.name()),
                      fmt::format("'algprior group \"{}\" --elements' lists them", group.name())});
  }
}

Source::Source(const OrbitEmbeddings& orbits, const Group& encoded, const Group& group,
               std::vector<Element> embedding, const AuditOptions& options)
    : group_(group),
      first_(orbits.values),
      second_(orbits.values),
      first_rows_(orbits.samples * orbits.order),
      samples_(orbits.samples),
      dimension_(orbits.dimension),
      rows_per_sample_(orbits.order),
      embedding_(std::move(embedding)) {
  base_points_ = choose_base_points(orbits, group, options);
  products_.reserve(embedding_.size() * encoded.order());
  for (const Element h : embedding_) {
    for (Element t = 0; t < encoded.order(); ++t) {
      products_.push_back(encoded.multiply_unchecked(h, t));
    }
  }
  split(options.seed);
}

Source::Source(const PairEmbeddings& pairs, const Group& group, const AuditOptions& options)
    : group_(group),
      first_(pairs.z),
      second_(pairs.zg),
      first_rows_(pairs.samples),
      samples_(pairs.samples),
      dimension_(pairs.dimension),
      rows_per_sample_(2) {
  split(options.seed);
  buckets_.resize(3 * group.order());
  for (int part = 0; part < 3; ++part) {
    for (const std::size_t n : halves_[part]) {
      buckets_[3 * static_cast<std::size_t>(pairs.g[n]) + static_cast<std::size_t>(part)].push_back(
          n);
    }
  }
}

void Source::split(std::uint64_t seed) {
  RandomStream random(RandomKey(seed, "audit halves"));
  const auto order = random.permutation(static_cast<std::uint32_t>(samples_));
  for (std::size_t i = 0; i < order.size(); ++i) {
    halves_[static_cast<int>(i < order.size() / 2 ? Half::kFit : Half::kScore)].push_back(order[i]);
    halves_[0].push_back(i);
  }
}

std::size_t Source::pair_count(Element h, Half half) const {
  const auto part = static_cast<std::size_t>(half);
  return is_pairs() ? buckets_[3 * h + part].size() : halves_[part].size() * base_points_;
}

RowPair Source::pair(Element h, Half half, std::size_t i) const {
  const auto part = static_cast<std::size_t>(half);
  if (is_pairs()) {
    const std::size_t n = buckets_[3 * h + part][i];
    return {n, n, n + samples_};
  }
  const std::size_t n = halves_[part][i / base_points_];
  // Every element is base point of about as many samples.
  const std::size_t t = (n + i % base_points_) % rows_per_sample_;
  return {n, n * rows_per_sample_ + t, n * rows_per_sample_ + products_[h * rows_per_sample_ + t]};
}

RowPair Source::shuffled_pair(Element h, Half half, std::size_t i) const {
  RowPair pair = this->pair(h, half, i);
  if (is_pairs()) {
    const auto& bucket = buckets_[3 * h + static_cast<std::size_t>(half)];
    pair.to = bucket[(i + 1) % bucket.size()] + samples_;
    return pair;
  }
  const auto& members = halves_[static_cast<int>(half)];
  const std::size_t other = members[(i / base_points_ + 1) % members.size()];
  pair.to = other * rows_per_sample_ + pair.to % rows_per_sample_;
  return pair;
}

}  // namespace algprior::auditing
