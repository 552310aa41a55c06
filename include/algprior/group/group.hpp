#pragma once

#include "algprior/group/word.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace algprior {

/// An element of a finite group G: an index 0 … |G|−1. The identity e is 0.
using Element = std::uint32_t;

/// The conjugacy classes of a group. Class 0 is {e}; the others stand in the order of their
/// smallest element.
struct ConjugacyClasses {
  std::vector<std::vector<Element>> members;  ///< sorted; members[c].front() represents class c
  std::vector<std::uint32_t> class_of;        ///< element → class
  std::size_t count() const { return members.size(); }
  Element representative(std::size_t c) const { return members[c].front(); }
};

/// A finite group as an immutable handle, cheap to copy and safe to share between threads.
///
/// Elements are indices, so a group is data: whatever made it (a name, permutations, matrices, a
/// table, a presentation), the same few functions serve it. What is costly (classes, words, a
/// derived presentation) is computed on first use and kept. No |G|×|G| table is stored above
/// kTableLimit.
/// References returned by its functions live as long as any handle of the group.
class Group {
 public:
  /// Largest order for which products are looked up in a full table.
  static constexpr std::size_t kTableLimit = 4096;

  const std::string& name() const noexcept;
  /// What a person who typed a name should know of it, or nothing: which of several semidirect
  /// products it was taken for.
  const std::string& remark() const noexcept;
  std::size_t order() const noexcept;
  static constexpr Element identity() noexcept { return 0; }

  /// The product gh. Throws InputError for an index outside 0 … |G|−1.
  Element multiply(Element g, Element h) const;
  Element multiply_unchecked(Element g, Element h) const noexcept;
  Element inverse(Element g) const;
  /// g^n for any integer n.
  Element power(Element g, std::int64_t n) const;
  /// g x g⁻¹.
  Element conjugate(Element g, Element x) const;
  /// The smallest n ≥ 1 with g^n = e.
  std::size_t element_order(Element g) const;

  const std::vector<Element>& generators() const noexcept;
  const std::vector<std::string>& generator_names() const noexcept;
  /// A shortest word for g over the generators and their inverses.
  Word word(Element g) const;
  /// The element that a word stands for.
  Element evaluate(const Word& word) const;
  /// A presentation on generators(): the standard one of a catalogue group, else derived on first
  /// use.
  const Presentation& presentation() const;

  const ConjugacyClasses& classes() const;

  /// Whether both are the same group value: the same elements under the same numbers with the same
  /// generators under the same names, whoever made them. Not an isomorphism test. At once for
  /// handles of one value, else O(|G|) for each generator.
  friend bool operator==(const Group& a, const Group& b) noexcept;

  struct State;
  explicit Group(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  const State& state() const noexcept { return *state_; }

 private:
  std::shared_ptr<const State> state_;
};

}  // namespace algprior
