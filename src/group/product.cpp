#include "algprior/group/product.hpp"

#include "algprior/base/error.hpp"
#include "product_names.hpp"
#include "state.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace algprior {
std::string numbered(const std::string& name, std::size_t number) {
  const bool ends_in_digit = name.back() >= '0' && name.back() <= '9';
  return name + (ends_in_digit ? "_" : "") + std::to_string(number);
}

Word shifted(const Word& word, int by) {
  Word result = word;
  for (int& letter : result) letter += letter > 0 ? by : -by;
  return result;
}

std::string wrapped(const std::string& name) {
  // "SL(2,3)": one symbol with its arguments.
  const std::size_t open = name.find('(');
  const bool symbol = open != std::string::npos && open > 0 && name.find(')') == name.size() - 1 &&
                      std::all_of(name.begin(), name.begin() + static_cast<std::ptrdiff_t>(open),
                                  [](unsigned char c) { return std::isupper(c) != 0; });
  if (symbol) return name;
  const bool plain = std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 && c != 'x' && c != 'w';
  });
  return plain ? name : "(" + name + ")";
}

namespace {

std::string joined_name(const std::vector<Group>& groups) {
  std::string name;
  for (std::size_t i = 0; i < groups.size();) {
    std::size_t run = i;
    while (run < groups.size() && groups[run].name() == groups[i].name()) ++run;
    const std::string one = wrapped(groups[i].name());
    if (!name.empty()) name += "x";
    name += one;
    if (run - i > 2) name += "^" + std::to_string(run - i);
    if (run - i == 2) name += "x" + one;
    i = run;
  }
  return name;
}

Presentation product_presentation(const std::vector<Group>& groups,
                                  const std::vector<std::string>& names) {
  Presentation result{names, {}};
  int offset = 0;
  for (const Group& group : groups) {
    for (const Word& relator : group.presentation().relators) {
      result.relators.push_back(shifted(relator, offset));
    }
    const int next = offset + static_cast<int>(group.generators().size());
    for (int a = 1; a <= offset; ++a) {
      for (int b = offset + 1; b <= next; ++b) result.relators.push_back({-a, -b, a, b});
    }
    offset = next;
  }
  return result;
}

}  // namespace

Group direct_product(const std::vector<Group>& groups, const GroupLimits& limits) {
  if (groups.empty()) throw InputError({"cannot form a direct product", "no factors", "", ""});
  Blueprint data;
  double order = 1;
  for (const Group& group : groups) {
    order *= static_cast<double>(group.order());
    const auto parts = factors(group);
    data.factors.insert(data.factors.end(), parts.begin(), parts.end());
  }
  if (data.factors.size() == 1) return groups.front();
  data.name = joined_name(data.factors);
  check_order(data.name, order, limits.max_order);
  data.order = static_cast<std::size_t>(order);
  data.remark = joined_remarks(groups);
  std::size_t generators = 0;
  for (const Group& factor : data.factors) generators += factor.generators().size();
  check_generators(data.name, generators, data.order);
  std::size_t inner = data.order;  // |factors to the right|
  for (std::size_t f = 0; f < data.factors.size(); ++f) {
    const Group& factor = data.factors[f];
    const std::size_t n = factor.order();
    inner /= n;
    for (std::size_t s = 0; s < factor.generators().size(); ++s) {
      data.generator_names.push_back(numbered(factor.generator_names()[s], f + 1));
      std::vector<Element> column(data.order);
      for (std::size_t g = 0; g < data.order; ++g) {
        const auto own = static_cast<Element>(g / inner % n);
        column[g] = static_cast<Element>(
            g + inner * (factor.state().data.right[s][own] - std::size_t{own}));
      }
      data.right.push_back(std::move(column));
    }
  }
  data.presentation = product_presentation(data.factors, data.generator_names);
  return assemble(std::move(data));
}

Group direct_product(const Group& g, const Group& h, const GroupLimits& limits) {
  return direct_product(std::vector<Group>{g, h}, limits);
}

std::vector<Group> factors(const Group& group) {
  const auto& parts = group.state().data.factors;
  return parts.empty() ? std::vector<Group>{group} : parts;
}

std::vector<Element> components(const Group& group, Element g) {
  const auto parts = factors(group);
  group.inverse(g);  // validates
  std::vector<Element> result(parts.size());
  for (std::size_t f = parts.size(); f-- > 0;) {
    result[f] = static_cast<Element>(g % parts[f].order());
    g = static_cast<Element>(g / parts[f].order());
  }
  return result;
}

Element from_components(const Group& group, const std::vector<Element>& parts) {
  const auto groups = factors(group);
  if (parts.size() != groups.size()) {
    throw InputError({"wrong number of components",
                      fmt::format("{} for \"{}\"", parts.size(), group.name()),
                      std::to_string(groups.size()), ""});
  }
  std::size_t index = 0;
  for (std::size_t f = 0; f < parts.size(); ++f) {
    groups[f].inverse(parts[f]);  // validates
    index = index * groups[f].order() + parts[f];
  }
  return static_cast<Element>(index);
}

}  // namespace algprior
