#pragma once

#include "algprior/group/group.hpp"
#include "algprior/group/permutation.hpp"
#include "product_cover.hpp"

#include <functional>
#include <mutex>
#include <optional>

#include <Eigen/Core>

namespace algprior {

/// What a maker of groups hands over: the Cayley graph, right multiplication by each generator, and
/// whatever else it knows. Everything else follows from these columns.
struct Blueprint {
  std::string name;
  std::size_t order = 1;
  std::vector<std::string> generator_names;
  std::vector<std::vector<Element>> right;  ///< right[s][g] = g · generator s
  std::optional<Presentation> presentation;
  std::optional<std::vector<Permutation>> defining;    ///< one permutation a generator
  std::function<Eigen::MatrixXd(Element)> orthogonal;  ///< in closed form, or else …
  std::vector<Eigen::MatrixXd> orthogonal_generators;  ///< … one a generator, or empty
  std::vector<Group> factors;                          ///< of a direct product, else empty
  std::string remark;                                  ///< what Group::remark returns
};

/// Completes a blueprint. Costs O(|G|² ) up to Group::kTableLimit, O(|G| log |G|) columns above.
Group assemble(Blueprint blueprint);

/// The blueprint of the group that permutations generate; see group_from_permutations.
Blueprint enumerate_permutations(const std::vector<Permutation>& generators,
                                 const GroupLimits& limits);

/// The blueprint of a semidirect product; see semidirect_product.
Blueprint semidirect_blueprint(const Group& n, const Group& h,
                               const std::vector<std::vector<Element>>& action,
                               const GroupLimits& limits);

/// The blueprint with its elements renumbered breadth-first from 0 over its generators, and with
/// those that are not reached left out. For a blueprint without closed-form matrices.
Blueprint renumbered(Blueprint blueprint);

/// Throws LimitError naming the cost when a group of this order is above the bound.
void check_order(const std::string& name, double order, std::size_t max_order);

/// Throws LimitError when so many generators of a group of this order do not fit the memory, or are
/// more than a presentation of their products can name.
void check_generators(const std::string& name, std::size_t count, std::size_t order);

/// One remark after another, each once.
std::string joined_remarks(const std::vector<Group>& groups);

/// "a", "b", …, or "g1", "g2", … when there are more than 26.
std::vector<std::string> default_generator_names(std::size_t count);

struct Group::State {
  Blueprint data;
  std::vector<Element> generators;
  std::vector<std::vector<Element>> left;           ///< left[s][g] = generator s · g
  std::vector<std::vector<Element>> right_inverse;  ///< right_inverse[s][g] = g · (generator s)⁻¹
  std::vector<Element> inverse;
  std::vector<std::uint16_t> table;  ///< row-major products up to kTableLimit
  ProductCover cover;                ///< products above it

  struct Spanning {  ///< breadth-first tree over generators and inverses
    std::vector<Element> parent;
    std::vector<int> letter;  ///< last letter of the word
  };
  mutable std::once_flag words_once, classes_once, orders_once, presentation_once, defining_once,
      orthogonal_once;
  mutable Spanning words;
  mutable ConjugacyClasses classes;
  mutable std::vector<std::uint32_t> orders;
  mutable Presentation presentation;
  mutable std::optional<std::vector<Permutation>> defining;
  mutable std::optional<std::vector<Eigen::MatrixXd>> orthogonal;
};

}  // namespace algprior
