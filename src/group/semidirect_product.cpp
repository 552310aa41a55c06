#include "algprior/base/error.hpp"
#include "algprior/group/geometry.hpp"
#include "algprior/group/homomorphism.hpp"
#include "algprior/group/product.hpp"
#include "product_names.hpp"
#include "state.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace algprior {
namespace {

using Automorphism = std::vector<Element>;  // element → element

Automorphism checked_automorphism(const Group& n, const std::vector<Element>& generator_images) {
  Homomorphism map = make_homomorphism(n, n, generator_images);
  if (image(map).order() != n.order()) {
    throw InputError({"the images define no automorphism", "\"" + n.name() + "\"",
                      "images that generate the whole group", ""});
  }
  return std::move(map.images);
}

// φ_h for every h, along a breadth-first tree of H: φ_{ht} = φ_h ∘ φ_t.
std::vector<Automorphism> extended_action(const Group& h, std::size_t order_n,
                                          const std::vector<Automorphism>& generators) {
  std::vector<Automorphism> action(h.order());
  for (std::size_t x = 0; x < order_n; ++x) action[0].push_back(static_cast<Element>(x));
  std::vector<Element> queue{0};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (std::size_t t = 0; t < generators.size(); ++t) {
      const Element next = h.state().data.right[t][queue[i]];
      const Automorphism product = compose(action[queue[i]], generators[t]);
      if (action[next].empty()) {
        action[next] = product;
        queue.push_back(next);
      } else if (action[next] != product) {
        throw InputError(
            {"the automorphisms define no action of \"" + h.name() + "\"",
             "two words for " + to_string(h.word(next), h.generator_names()) + " act differently",
             "automorphisms that satisfy the relators", ""});
      }
    }
  }
  return action;
}

std::vector<std::string> joined_names(const Group& n, const Group& h) {
  std::vector<std::string> names = n.generator_names();
  names.insert(names.end(), h.generator_names().begin(), h.generator_names().end());
  std::vector<std::string> sorted = names;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end()) return names;
  for (std::size_t i = 0; i < names.size(); ++i) {
    names[i] = numbered(names[i], i < n.generators().size() ? 1 : 2);
  }
  return names;
}

}  // namespace

Blueprint semidirect_blueprint(const Group& n, const Group& h,
                               const std::vector<std::vector<Element>>& action,
                               const GroupLimits& limits) {
  if (action.size() != h.generators().size()) {
    throw InputError({"wrong number of automorphisms", std::to_string(action.size()),
                      fmt::format("one for each of the {} generators of \"{}\"",
                                  h.generators().size(), h.name()),
                      ""});
  }
  Blueprint data;
  data.name = wrapped(n.name()) + ":" + wrapped(h.name());
  check_order(data.name, static_cast<double>(n.order()) * static_cast<double>(h.order()),
              limits.max_order);
  data.order = n.order() * h.order();
  std::vector<Automorphism> generators;
  for (const auto& images : action) generators.push_back(checked_automorphism(n, images));
  const auto acts = extended_action(h, n.order(), generators);
  for (const Element s : n.generators()) {
    std::vector<Element> column(data.order);
    for (Element g = 0; g < data.order; ++g) {
      const auto x = static_cast<Element>(g / h.order()), y = static_cast<Element>(g % h.order());
      column[g] = static_cast<Element>(n.multiply_unchecked(x, acts[y][s]) * h.order() + y);
    }
    data.right.push_back(std::move(column));
  }
  for (const auto& top : h.state().data.right) {
    std::vector<Element> column(data.order);
    for (Element g = 0; g < data.order; ++g) {
      const auto y = static_cast<Element>(g % h.order());
      column[g] = g - y + top[y];
    }
    data.right.push_back(std::move(column));
  }
  data.generator_names = joined_names(n, h);
  Presentation presentation{data.generator_names, n.presentation().relators};
  const auto offset = static_cast<int>(n.generators().size());
  for (const Word& word : h.presentation().relators) {
    presentation.relators.push_back(shifted(word, offset));
  }
  for (std::size_t t = 0; t < generators.size(); ++t) {
    for (std::size_t s = 0; s < n.generators().size(); ++s) {
      const int top = offset + static_cast<int>(t) + 1;
      Word word{top, static_cast<int>(s) + 1, -top};
      const Word image_word = n.word(generators[t][n.generators()[s]]);
      for (auto l = image_word.rbegin(); l != image_word.rend(); ++l) word.push_back(-*l);
      presentation.relators.push_back(std::move(word));
    }
  }
  data.presentation = std::move(presentation);
  return data;
}

namespace {

// The imprimitive action: point p of copy v is number v·degree + p.
std::vector<Permutation> imprimitive_generators(const Group& g,
                                                const std::vector<Permutation>& top) {
  const auto& inner = *defining_generators(g);
  const std::size_t degree = defining_degree(g), copies = top.empty() ? 1 : top.front().size();
  std::vector<Permutation> result;
  for (std::size_t v = 0; v < copies; ++v) {
    for (const Permutation& s : inner) {
      Permutation p(copies * degree);
      for (std::size_t i = 0; i < p.size(); ++i) {
        p[i] = static_cast<std::uint32_t>(i / degree == v ? v * degree + s[i % degree] : i);
      }
      result.push_back(std::move(p));
    }
  }
  for (const Permutation& t : top) {
    Permutation p(copies * degree);
    for (std::size_t i = 0; i < p.size(); ++i) {
      p[i] = static_cast<std::uint32_t>(t[i / degree] * degree + i % degree);
    }
    result.push_back(std::move(p));
  }
  return result;
}

}  // namespace

Group semidirect_product(const Group& n, const Group& h,
                         const std::vector<std::vector<Element>>& action,
                         const GroupLimits& limits) {
  return assemble(semidirect_blueprint(n, h, action, limits));
}

Group wreath_product(const Group& g, const Group& h, const GroupLimits& limits) {
  const std::vector<Permutation> top = defining_generators(h).value_or(h.state().left);
  const std::size_t copies = top.empty() ? 1 : top.front().size();
  const std::string name = wrapped(g.name()) + "wr" + wrapped(h.name());
  check_order(name,
              std::pow(static_cast<double>(g.order()), static_cast<double>(copies)) *
                  static_cast<double>(h.order()),
              limits.max_order);
  const Group base = direct_product(std::vector<Group>(copies, g), limits);
  const std::size_t k = g.generators().size();
  std::vector<std::vector<Element>> action;
  for (const Permutation& t : top) {
    action.emplace_back();
    for (std::size_t v = 0; v < copies; ++v) {
      for (std::size_t s = 0; s < k; ++s) action.back().push_back(base.generators()[t[v] * k + s]);
    }
  }
  Blueprint data = semidirect_blueprint(base, h, action, limits);
  data.name = name;
  data.remark = joined_remarks({g, h});
  if (defining_generators(g)) data.defining = imprimitive_generators(g, top);
  return assemble(std::move(data));
}

}  // namespace algprior
