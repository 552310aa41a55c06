#include "algprior/base/error.hpp"
#include "algprior/group/homomorphism.hpp"
#include "closure.hpp"
#include "state.hpp"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

namespace algprior {
namespace {

using Colour = std::uint64_t;
constexpr std::size_t kMostSteps = 100'000'000;

Colour mix(Colour a, Colour b) {
  Colour h = (a ^ (b + 0x9E3779B97F4A7C15ull + (a << 6) + (a >> 2))) * 0xD6E8FEB86659FD93ull;
  return h ^ (h >> 29);
}

// Equal for elements that an isomorphism could map to each other: order and class size, refined by
// the colours of powers and of square roots.
std::vector<Colour> colours_of(const Group& group) {
  const std::size_t n = group.order();
  std::vector<Colour> colours(n);
  for (Element g = 0; g < n; ++g) {
    const auto& classes = group.classes();
    colours[g] = mix(group.element_order(g), classes.members[classes.class_of[g]].size());
  }
  for (int round = 0; round < 3; ++round) {
    std::vector<Colour> roots(n, 0), next(n);
    for (Element g = 0; g < n; ++g) roots[group.multiply_unchecked(g, g)] += mix(colours[g], 17);
    for (Element g = 0; g < n; ++g) {
      next[g] = mix(colours[g], roots[g]);
      for (const int k : {2, 3, 5}) next[g] = mix(next[g], colours[group.power(g, k)]);
    }
    colours = std::move(next);
  }
  return colours;
}

std::unordered_map<Colour, std::vector<Element>> by_colour(const std::vector<Colour>& colours) {
  std::unordered_map<Colour, std::vector<Element>> result;
  for (std::size_t g = 0; g < colours.size(); ++g) {
    result[colours[g]].push_back(static_cast<Element>(g));
  }
  return result;
}

// Greedily the element that generates most, and among those the one with fewest look-alikes.
std::vector<Element> small_generating_set(const Group& group, const std::vector<Colour>& colours) {
  const auto alike = by_colour(colours);
  Closure closure(group);
  while (closure.elements.size() < group.order()) {
    Element best = 0;
    std::size_t best_size = 0, best_alike = 0;
    for (Element g = 0; g < group.order(); ++g) {
      if (closure.contains(g)) continue;
      Closure extended = closure;
      extended.add(g);
      const std::size_t size = extended.elements.size(), count = alike.at(colours[g]).size();
      if (size > best_size || (size == best_size && count < best_alike)) {
        best = g;
        best_size = size;
        best_alike = count;
      }
    }
    closure.add(best);
  }
  return closure.generators;
}

class Search {
 public:
  Search(const Group& g, const Group& h)
      : g_(g), h_(h), colours_(colours_of(g)), candidates_(by_colour(colours_of(h))) {}

  std::optional<Homomorphism> run() {
    const auto own = by_colour(colours_);
    for (const auto& [colour, elements] : own) {
      const auto found = candidates_.find(colour);
      if (found == candidates_.end() || found->second.size() != elements.size()) return {};
    }
    generators_ = small_generating_set(g_, colours_);
    if (!extend()) return {};
    return Homomorphism{g_, h_, images_};
  }

 private:
  bool extend() {
    const std::size_t depth = chosen_.size();
    if (depth == generators_.size()) return consistent();
    for (const Element y : candidates_.at(colours_[generators_[depth]])) {
      // Inner automorphisms of H: the first image is needed up to conjugacy only.
      if (depth == 0 && h_.classes().representative(h_.classes().class_of[y]) != y) continue;
      chosen_.push_back(y);
      if ((depth + 1 == generators_.size() || consistent()) && extend()) return true;
      chosen_.pop_back();
    }
    return false;
  }

  // Whether x_i ↦ y_i extends to an injective homomorphism of ⟨x_1, …⟩.
  bool consistent() {
    images_.assign(g_.order(), 0);
    std::vector<bool> known(g_.order(), false), hit(h_.order(), false);
    known[0] = hit[0] = true;
    std::vector<Element> queue{0};
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (std::size_t s = 0; s < chosen_.size(); ++s) {
        if (++steps_ > kMostSteps) give_up();
        const Element x = g_.multiply_unchecked(queue[i], generators_[s]);
        const Element y = h_.multiply_unchecked(images_[queue[i]], chosen_[s]);
        if (known[x]) {
          if (images_[x] != y) return false;
          continue;
        }
        if (hit[y]) return false;
        known[x] = hit[y] = true;
        images_[x] = y;
        queue.push_back(x);
      }
    }
    return true;
  }

  [[noreturn]] void give_up() const {
    throw LimitError(
        {"the isomorphism test takes too long",
         fmt::format("\"{}\" and \"{}\" of order {}", g_.name(), h_.name(), g_.order()),
         fmt::format("at most {} steps", kMostSteps), "compare smaller groups"});
  }

  const Group& g_;
  const Group& h_;
  std::vector<Colour> colours_;
  std::unordered_map<Colour, std::vector<Element>> candidates_;
  std::vector<Element> generators_, chosen_, images_;
  std::size_t steps_ = 0;
};

}  // namespace

std::optional<Homomorphism> find_isomorphism(const Group& g, const Group& h) {
  if (g.order() != h.order() || g.classes().count() != h.classes().count()) return {};
  return Search(g, h).run();
}

}  // namespace algprior
