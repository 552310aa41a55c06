#pragma once

#include "algprior/group/group.hpp"

#include <vector>

namespace algprior {

/// Breadth-first spanning tree of the Cayley graph from e: g = letter[g] · parent[g], where letter
/// is k+1 for generator k and −(k+1) for its inverse, as in a Word.
struct SpanningTree {
  std::vector<Element> order;  ///< every element after its parent; order[0] = e
  std::vector<Element> parent;
  std::vector<int> letter;
  std::vector<std::size_t> depth;  ///< the length of a shortest word
  std::size_t height = 0;          ///< the length of the longest
};

SpanningTree spanning_tree(const Group& group);

}  // namespace algprior
