#include "algprior/group/permutation.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/interrupt.hpp"
#include "algprior/group/detail/cursor.hpp"
#include "state.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace algprior {
namespace {

constexpr std::uint64_t kLargestPoint = 1'000'000;
constexpr std::size_t kMostEntries = std::size_t{1} << 28;
constexpr std::uint32_t kEmpty = 0xffffffffu;

// Distinct permutations in the order of arrival, found again by hash.
class PermutationSet {
 public:
  explicit PermutationSet(std::size_t degree) : degree_(degree), slots_(1024, kEmpty) {}

  std::size_t size() const { return count_; }
  const std::uint32_t* operator[](std::size_t i) const { return entries_.data() + i * degree_; }

  // Index of the permutation, which is stored if it is new.
  std::uint32_t insert(const std::uint32_t* p) {
    std::size_t slot = hash(p) & (slots_.size() - 1);
    for (; slots_[slot] != kEmpty; slot = (slot + 1) & (slots_.size() - 1)) {
      if (std::equal(p, p + degree_, (*this)[slots_[slot]])) return slots_[slot];
    }
    slots_[slot] = static_cast<std::uint32_t>(count_);
    entries_.insert(entries_.end(), p, p + degree_);
    if (2 * ++count_ > slots_.size()) grow();
    return static_cast<std::uint32_t>(count_ - 1);
  }

 private:
  std::size_t hash(const std::uint32_t* p) const {
    std::uint64_t h = 0x9E3779B97F4A7C15ull;
    for (std::size_t i = 0; i < degree_; ++i) h = (h ^ p[i]) * 0xD6E8FEB86659FD93ull;
    return h ^ (h >> 32);
  }
  void grow() {
    slots_.assign(2 * slots_.size(), kEmpty);
    for (std::size_t i = 0; i < count_; ++i) {
      std::size_t slot = hash((*this)[i]) & (slots_.size() - 1);
      while (slots_[slot] != kEmpty) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = static_cast<std::uint32_t>(i);
    }
  }

  std::size_t degree_, count_ = 0;
  std::vector<std::uint32_t> entries_, slots_;
};

void check_permutations(const std::vector<Permutation>& generators) {
  for (std::size_t k = 0; k < generators.size(); ++k) {
    std::vector<bool> hit(generators.front().size(), false);
    bool good = generators[k].size() == hit.size();
    for (std::size_t v = 0; good && v < generators[k].size(); ++v) {
      const std::uint32_t image = generators[k][v];
      good = image < hit.size() && !hit[image];
      if (good) hit[image] = true;
    }
    if (good) continue;
    throw InputError({"not a permutation", fmt::format("generator {}", k + 1),
                      fmt::format("each of 0 … {} once", hit.size() - 1), ""});
  }
}

void read_cycle(Cursor& cursor, std::vector<std::vector<std::uint32_t>>& cycles,
                std::vector<bool>& used) {
  cursor.expect("(");
  cycles.emplace_back();
  if (cursor.accept(")")) return;
  do {
    const std::size_t at = (cursor.peek(), cursor.position());
    const std::uint64_t point = cursor.number(kLargestPoint);
    if (point == 0) cursor.fail_at(at, "a point of at least 1");
    if (used.size() < point) used.resize(point, false);
    if (used[point - 1]) cursor.fail_at(at, "disjoint cycles: this point occurs twice");
    used[point - 1] = true;
    cycles.back().push_back(static_cast<std::uint32_t>(point - 1));
  } while (cursor.accept(","));
  if (!cursor.accept(")")) cursor.fail("\",\" or \")\"");
}

}  // namespace

Permutation compose(const Permutation& p, const Permutation& q) {
  Permutation product(p.size());
  for (std::size_t v = 0; v < p.size(); ++v) product[v] = p[q[v]];
  return product;
}

Permutation inverse(const Permutation& p) {
  Permutation result(p.size());
  for (std::size_t v = 0; v < p.size(); ++v) result[p[v]] = static_cast<std::uint32_t>(v);
  return result;
}

std::vector<Permutation> parse_permutations(std::string_view text) {
  Cursor cursor(text, "permutations");
  std::vector<std::vector<std::vector<std::uint32_t>>> all;
  std::size_t degree = 1;
  do {
    std::vector<bool> used;
    all.emplace_back();
    do read_cycle(cursor, all.back(), used);
    while (cursor.peek() == '(');
    degree = std::max(degree, used.size());
  } while (cursor.accept(";"));
  if (!cursor.at_end()) cursor.fail("\"(\", \";\" or the end of the text");
  if (degree * all.size() > kMostEntries) {
    throw LimitError({"the permutations are too large",
                      fmt::format("{} of degree {}", all.size(), degree),
                      fmt::format("at most {} entries", kMostEntries), "use smaller points"});
  }
  std::vector<Permutation> permutations;
  for (const auto& cycles : all) {
    Permutation p(degree);
    for (std::size_t v = 0; v < degree; ++v) p[v] = static_cast<std::uint32_t>(v);
    for (const auto& cycle : cycles) {
      for (std::size_t i = 0; i < cycle.size(); ++i) p[cycle[i]] = cycle[(i + 1) % cycle.size()];
    }
    permutations.push_back(std::move(p));
  }
  return permutations;
}

std::string to_cycles(const Permutation& p) {
  std::string text;
  std::vector<bool> seen(p.size(), false);
  for (std::uint32_t v = 0; v < p.size(); ++v) {
    if (seen[v] || p[v] == v) continue;
    text += "(" + std::to_string(v + 1);
    for (std::uint32_t w = p[v]; w != v; w = p[w]) {
      seen[w] = true;
      text += "," + std::to_string(w + 1);
    }
    text += ")";
  }
  return text.empty() ? "()" : text;
}

Blueprint enumerate_permutations(const std::vector<Permutation>& generators,
                                 const GroupLimits& limits) {
  check_permutations(generators);
  const std::size_t degree = generators.empty() ? 1 : generators.front().size();
  Permutation product(degree);
  for (std::size_t v = 0; v < degree; ++v) product[v] = static_cast<std::uint32_t>(v);
  PermutationSet elements(degree);
  elements.insert(product.data());
  Blueprint data;
  data.right.resize(generators.size());
  for (std::size_t g = 0; g < elements.size(); ++g) {
    for (std::size_t s = 0; s < generators.size(); ++s) {
      const std::uint32_t* p = elements[g];
      for (std::size_t v = 0; v < degree; ++v) product[v] = p[generators[s][v]];
      data.right[s].push_back(elements.insert(product.data()));
    }
    if (g % 4096 == 0) {
      throw_if_stopped();
      check_generators(fmt::format("{} permutations", generators.size()), generators.size(),
                       elements.size());
    }
    if (elements.size() > limits.max_order || elements.size() * degree > kMostEntries) {
      throw LimitError(
          {"the permutation group is too large",
           fmt::format("more than {} elements of degree {}, {} MB", elements.size() - 1, degree,
                       elements.size() * degree * 4 >> 20),
           fmt::format("at most {} elements and {} MB", limits.max_order, kMostEntries * 4 >> 20),
           "choose a smaller group or raise max_order"});
    }
  }
  for (std::size_t s = 0; s < generators.size(); ++s) {
    data.name += (s == 0 ? "" : ";") + to_cycles(generators[s]);
  }
  data.order = elements.size();
  data.generator_names = default_generator_names(generators.size());
  data.defining = generators;
  return data;
}

Group group_from_permutations(const std::vector<Permutation>& generators,
                              const GroupLimits& limits) {
  return assemble(enumerate_permutations(generators, limits));
}

}  // namespace algprior
