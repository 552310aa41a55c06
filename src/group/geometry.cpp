#include "algprior/group/geometry.hpp"

#include "algprior/base/error.hpp"
#include "state.hpp"

#include <numeric>

#include <fmt/format.h>

namespace algprior {
namespace {

constexpr std::size_t kMostTableEntries = std::size_t{1} << 28;

// Extends values on the generators to all elements along a breadth-first tree.
template <typename Value, typename Product>
std::vector<Value> extended(const Group& group, Value identity,
                            const std::vector<Value>& generators, Product product) {
  std::vector<Value> result(group.order());
  std::vector<bool> known(group.order(), false);
  result[0] = std::move(identity);
  known[0] = true;
  std::vector<Element> queue{0};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (std::size_t s = 0; s < generators.size(); ++s) {
      const Element next = group.state().data.right[s][queue[i]];
      if (known[next]) continue;
      known[next] = true;
      result[next] = product(result[queue[i]], generators[s]);
      queue.push_back(next);
    }
  }
  return result;
}

std::vector<Permutation> permutations_of_elements(const Group& group) {
  const std::size_t degree = defining_degree(group);
  if (group.order() * degree > kMostTableEntries) {
    throw LimitError({"the permutations of all elements are too large",
                      fmt::format("{} elements on {} points, {} MB", group.order(), degree,
                                  group.order() * degree * 4 >> 20),
                      fmt::format("at most {} MB", kMostTableEntries * 4 >> 20),
                      "use defining_generators and words"});
  }
  Permutation identity(degree);
  std::iota(identity.begin(), identity.end(), 0u);
  return extended(group, std::move(identity), *group.state().data.defining, compose);
}

std::vector<Eigen::MatrixXd> matrices_of_elements(const Group& group) {
  const Blueprint& data = group.state().data;
  if (!data.orthogonal) {
    const auto d = data.orthogonal_generators.front().rows();
    return extended<Eigen::MatrixXd>(
        group, Eigen::MatrixXd::Identity(d, d), data.orthogonal_generators,
        [](const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) -> Eigen::MatrixXd {
          return a * b;
        });
  }
  std::vector<Eigen::MatrixXd> result;
  for (Element g = 0; g < group.order(); ++g) result.push_back(data.orthogonal(g));
  return result;
}

}  // namespace

const std::optional<std::vector<Permutation>>& defining_generators(const Group& group) {
  return group.state().data.defining;
}

std::size_t defining_degree(const Group& group) {
  const auto& generators = group.state().data.defining;
  if (!generators) return 0;
  return generators->empty() ? 1 : generators->front().size();
}

const std::optional<std::vector<Permutation>>& defining_permutations(const Group& group) {
  const auto& state = group.state();
  std::call_once(state.defining_once, [&] {
    if (state.data.defining) state.defining = permutations_of_elements(group);
  });
  return state.defining;
}

const std::optional<std::vector<Eigen::MatrixXd>>& orthogonal_matrices(const Group& group) {
  const auto& state = group.state();
  std::call_once(state.orthogonal_once, [&] {
    if (!state.data.orthogonal && state.data.orthogonal_generators.empty()) return;
    state.orthogonal = matrices_of_elements(group);
  });
  return state.orthogonal;
}

}  // namespace algprior
