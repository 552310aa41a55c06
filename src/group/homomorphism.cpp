#include "algprior/group/homomorphism.hpp"

#include "algprior/base/error.hpp"
#include "closure.hpp"
#include "state.hpp"

#include <fmt/format.h>

namespace algprior {
namespace {

std::string words_of(const Group& group, const std::vector<Element>& elements) {
  std::string text;
  for (const Element g : elements) {
    text += (text.empty() ? "" : ",") + to_string(group.word(g), group.generator_names());
  }
  return "<" + text + ">";
}

Element evaluate_in(const Group& target, const std::vector<Element>& images, const Word& word) {
  Element result = 0;
  for (const int letter : word) {
    const Element g = images[static_cast<std::size_t>(std::abs(letter)) - 1];
    result = target.multiply_unchecked(result, letter > 0 ? g : target.inverse(g));
  }
  return result;
}

// Images of all elements from images of the generators, along a breadth-first tree.
std::vector<Element> extended(const Group& source, const Group& target,
                              const std::vector<Element>& generator_images) {
  std::vector<Element> images(source.order(), 0);
  std::vector<bool> known(source.order(), false);
  known[0] = true;
  std::vector<Element> queue{0};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (std::size_t s = 0; s < generator_images.size(); ++s) {
      const Element next = source.state().data.right[s][queue[i]];
      if (known[next]) continue;
      known[next] = true;
      images[next] = target.multiply_unchecked(images[queue[i]], generator_images[s]);
      queue.push_back(next);
    }
  }
  return images;
}

}  // namespace

Homomorphism make_homomorphism(const Group& source, const Group& target,
                               const std::vector<Element>& generator_images) {
  if (generator_images.size() != source.generators().size()) {
    throw InputError({"wrong number of images", fmt::format("{}", generator_images.size()),
                      fmt::format("one for each of the {} generators of \"{}\"",
                                  source.generators().size(), source.name()),
                      ""});
  }
  for (const Element g : generator_images) target.inverse(g);  // validates
  for (const Word& relator : source.presentation().relators) {
    const Element value = evaluate_in(target, generator_images, relator);
    if (value == 0) continue;
    throw InputError({"the images define no homomorphism",
                      fmt::format("relator {} of \"{}\" goes to element {} of \"{}\"",
                                  to_string(relator, source.generator_names()), source.name(),
                                  value, target.name()),
                      "every relator goes to the identity", "change the images of its generators"});
  }
  return {source, target, extended(source, target, generator_images)};
}

Subgroup kernel(const Homomorphism& map) {
  Closure closure(map.source);
  for (Element g = 0; g < map.source.order(); ++g) {
    if (map.images[g] == 0) closure.add(g);
  }
  return std::move(closure).to_subgroup();
}

Subgroup image(const Homomorphism& map) {
  Closure closure(map.target);
  for (const Element s : map.source.generators()) closure.add(map.images[s]);
  return std::move(closure).to_subgroup();
}

Homomorphism inclusion(const Subgroup& subgroup) {
  const Group& group = subgroup.group;
  std::vector<Element> own(group.order(), 0), embedded{0};
  std::vector<bool> seen(group.order(), false);
  seen[0] = true;
  Blueprint data;
  data.order = subgroup.order();
  data.right.resize(subgroup.generators.size());
  for (std::size_t i = 0; i < embedded.size(); ++i) {
    for (std::size_t s = 0; s < subgroup.generators.size(); ++s) {
      const Element next = group.multiply_unchecked(embedded[i], subgroup.generators[s]);
      if (!seen[next]) {
        seen[next] = true;
        own[next] = static_cast<Element>(embedded.size());
        embedded.push_back(next);
      }
      data.right[s].push_back(own[next]);
    }
  }
  data.name = "subgroup " + words_of(group, subgroup.generators) + " of " + group.name();
  data.generator_names = default_generator_names(subgroup.generators.size());
  if (const auto& defining = group.state().data.defining) {
    // The subgroup acts on the same points.
    data.defining.emplace();
    for (const Element g : subgroup.generators) {
      Permutation p =
          defining->empty() ? Permutation{0} : compose(inverse((*defining)[0]), (*defining)[0]);
      for (const int letter : group.word(g)) {
        const Permutation& step = (*defining)[static_cast<std::size_t>(std::abs(letter)) - 1];
        p = compose(p, letter > 0 ? step : inverse(step));
      }
      data.defining->push_back(std::move(p));
    }
  }
  return {assemble(std::move(data)), group, std::move(embedded)};
}

Homomorphism quotient(const Subgroup& normal) {
  const Group& group = normal.group;
  if (!is_normal(normal)) {
    throw InputError({"no quotient by a subgroup that is not normal",
                      fmt::format("{} in \"{}\"", words_of(group, normal.generators), group.name()),
                      "a normal subgroup", "take its normal closure"});
  }
  const auto cosets = left_cosets(normal);
  std::vector<Element> coset_of(group.order());
  for (std::size_t c = 0; c < cosets.size(); ++c) {
    for (const Element g : cosets[c]) coset_of[g] = static_cast<Element>(c);
  }
  Blueprint data;
  data.order = cosets.size();
  for (std::size_t s = 0; s < group.generators().size(); ++s) {
    std::vector<Element> column;
    for (const auto& coset : cosets) {
      column.push_back(coset_of[group.state().data.right[s][coset.front()]]);
    }
    data.right.push_back(std::move(column));
  }
  data.name = group.name() + "/" + words_of(group, normal.generators);
  data.generator_names = group.generator_names();
  Presentation presentation = group.presentation();
  for (const Element g : normal.generators) presentation.relators.push_back(group.word(g));
  data.presentation = std::move(presentation);
  const Group target = assemble(renumbered(std::move(data)));
  return {group, target, extended(group, target, target.generators())};
}

}  // namespace algprior
