#include "algprior/base/cpu.hpp"
#include "algprior/base/error.hpp"
#include "state.hpp"

#include <stdexcept>

#include <fmt/format.h>

namespace algprior {
namespace {

constexpr std::size_t kLargestGeneratingSet = 512;
constexpr double kAlwaysAllowed = 1 << 26;

std::string shortened(const std::string& name) {
  constexpr std::size_t kLongest = 60;
  return name.size() <= kLongest ? name : name.substr(0, kLongest - 3) + "...";
}

std::vector<Element> inverse_column(const std::vector<Element>& column) {
  std::vector<Element> result(column.size());
  for (std::size_t g = 0; g < column.size(); ++g) result[column[g]] = static_cast<Element>(g);
  return result;
}

struct Tree {  // positive breadth-first tree: order[i] = parent[i] · generator[i]
  std::vector<Element> order, parent;
  std::vector<std::uint32_t> generator;
};

Tree grow_tree(const std::vector<std::vector<Element>>& right, std::size_t order) {
  Tree tree{{0}, {0}, {0}};
  std::vector<bool> seen(order, false);
  seen[0] = true;
  for (std::size_t i = 0; i < tree.order.size(); ++i) {
    const Element g = tree.order[i];
    for (std::size_t s = 0; s < right.size(); ++s) {
      const Element h = right[s][g];
      if (seen[h]) continue;
      seen[h] = true;
      tree.order.push_back(h);
      tree.parent.push_back(g);
      tree.generator.push_back(static_cast<std::uint32_t>(s));
    }
  }
  return tree;
}

std::vector<std::uint16_t> full_table(const Blueprint& data, const Tree& tree) {
  const std::size_t n = data.order;
  std::vector<std::uint16_t> table(n * n);
  for (std::size_t g = 0; g < n; ++g) {
    std::uint16_t* row = table.data() + g * n;
    row[0] = static_cast<std::uint16_t>(g);
    for (std::size_t i = 1; i < n; ++i) {
      row[tree.order[i]] =
          static_cast<std::uint16_t>(data.right[tree.generator[i]][row[tree.parent[i]]]);
    }
  }
  return table;
}

}  // namespace

Group assemble(Blueprint blueprint) {
  auto state = std::make_shared<Group::State>();
  state->data = std::move(blueprint);
  const Blueprint& data = state->data;
  const std::size_t n = data.order;
  check_generators(data.name, data.right.size(), n);
  const Tree tree = grow_tree(data.right, n);
  if (tree.order.size() != n) {
    throw std::logic_error("generators of \"" + data.name + "\" do not reach every element");
  }
  for (const auto& column : data.right) {
    state->generators.push_back(column[0]);
    state->right_inverse.push_back(inverse_column(column));
    std::vector<Element> left(n);
    left[0] = column[0];
    for (std::size_t i = 1; i < n; ++i) {
      left[tree.order[i]] = data.right[tree.generator[i]][left[tree.parent[i]]];
    }
    state->left.push_back(std::move(left));
  }
  std::vector<std::vector<Element>> left_inverse;
  for (const auto& column : state->left) left_inverse.push_back(inverse_column(column));
  state->inverse.assign(n, 0);
  for (std::size_t i = 1; i < n; ++i) {
    state->inverse[tree.order[i]] = left_inverse[tree.generator[i]][state->inverse[tree.parent[i]]];
  }
  if (n <= Group::kTableLimit) {
    state->table = full_table(data, tree);
  } else {
    state->cover = ProductCover(state->left, n);
  }
  return Group(std::move(state));
}

Blueprint renumbered(Blueprint blueprint) {
  const std::vector<Element> old = grow_tree(blueprint.right, blueprint.order).order;
  std::vector<Element> fresh(blueprint.order, 0);
  for (std::size_t i = 0; i < old.size(); ++i) fresh[old[i]] = static_cast<Element>(i);
  for (auto& column : blueprint.right) {
    std::vector<Element> moved(old.size());
    for (std::size_t i = 0; i < old.size(); ++i) moved[i] = fresh[column[old[i]]];
    column = std::move(moved);
  }
  blueprint.order = old.size();
  return blueprint;
}

void check_order(const std::string& name, double order, std::size_t max_order) {
  if (order <= static_cast<double>(max_order)) return;
  throw LimitError({"the group is too large",
                    fmt::format("\"{}\" has {:.6g} elements, about {:.3g} MB of products", name,
                                order, order * 100 / 1e6),
                    fmt::format("at most {} elements", max_order),
                    "choose a smaller group or raise max_order"});
}

void check_generators(const std::string& name, std::size_t count, std::size_t order) {
  if (count > kLargestGeneratingSet) {
    throw LimitError({"the group has too many generators",
                      fmt::format("\"{}\" has {}, and a presentation of {} relators or more",
                                  shortened(name), count, count * (count - 1) / 2),
                      fmt::format("at most {}", kLargestGeneratingSet),
                      "leave out trivial factors and generators that others generate"});
  }
  // Columns for left and right products, their inverses, and the blueprint's own.
  const double bytes =
      5.0 * sizeof(Element) * static_cast<double>(count) * static_cast<double>(order);
  const auto bound = static_cast<double>(this_machine().memory_available_bytes) / 2;
  if (bytes <= kAlwaysAllowed || bytes <= bound) return;
  throw LimitError({"the group has too many generators for its order",
                    fmt::format("\"{}\": {} generators of {} elements take {:.3g} MB",
                                shortened(name), count, order, bytes / 1e6),
                    fmt::format("at most {:.3g} MB, half of the memory that is free", bound / 1e6),
                    "leave out generators that others generate, or choose a smaller group"});
}

std::string joined_remarks(const std::vector<Group>& groups) {
  std::string text;
  for (const Group& group : groups) {
    if (group.remark().empty() || text.find(group.remark()) != std::string::npos) continue;
    text += (text.empty() ? "" : "; ") + group.remark();
  }
  return text;
}

std::vector<std::string> default_generator_names(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) {
    names.push_back(count <= 26 ? std::string(1, static_cast<char>('a' + i))
                                : "g" + std::to_string(i + 1));
  }
  return names;
}

}  // namespace algprior
