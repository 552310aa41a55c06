#include "spanning_tree.hpp"

namespace algprior {

SpanningTree spanning_tree(const Group& group) {
  const std::size_t n = group.order();
  std::vector<std::pair<int, Element>> letters;
  for (std::size_t k = 0; k < group.generators().size(); ++k) {
    const Element s = group.generators()[k];
    letters.emplace_back(static_cast<int>(k) + 1, s);
    const Element inverse = group.inverse(s);
    if (inverse != s) letters.emplace_back(-static_cast<int>(k) - 1, inverse);
  }
  SpanningTree tree{
      {0}, std::vector<Element>(n, 0), std::vector<int>(n, 0), std::vector<std::size_t>(n, 0), 0};
  tree.order.reserve(n);
  for (std::size_t i = 0; i < tree.order.size(); ++i) {
    const Element g = tree.order[i];
    for (const auto& [letter, s] : letters) {
      const Element next = group.multiply_unchecked(s, g);
      if (next == 0 || tree.letter[next] != 0) continue;
      tree.parent[next] = g;
      tree.letter[next] = letter;
      tree.depth[next] = tree.depth[g] + 1;
      tree.height = tree.depth[next];
      tree.order.push_back(next);
    }
  }
  return tree;
}

}  // namespace algprior
