#pragma once

#include "spanning_tree.hpp"

#include <cstdlib>
#include <utility>
#include <vector>

namespace algprior {

/// Calls visit(g, ρ(g)·start) for every g, for ρ given by the matrices of the generators and of
/// their inverses: one product an element. Depth first, so that only the way from e to g is kept.
template <class Matrix, class Start, class Visit>
void walk(const SpanningTree& tree, const std::vector<Matrix>& generators,
          const std::vector<Matrix>& inverses, const Start& start, Visit visit) {
  std::vector<std::vector<Element>> children(tree.order.size());
  for (Element g : tree.order) {
    if (g != 0) children[tree.parent[g]].push_back(g);
  }
  struct Step {
    Element g;
    Start image;
    std::size_t next;
  };
  std::vector<Step> path;
  path.push_back({0, start, 0});
  visit(Element{0}, start);
  while (!path.empty()) {
    Step& top = path.back();
    if (top.next == children[top.g].size()) {
      path.pop_back();
      continue;
    }
    const Element child = children[top.g][top.next++];
    const auto k = static_cast<std::size_t>(std::abs(tree.letter[child])) - 1;
    Start image = (tree.letter[child] > 0 ? generators[k] : inverses[k]) * top.image;
    visit(child, image);
    path.push_back({child, std::move(image), 0});
  }
}

}  // namespace algprior
