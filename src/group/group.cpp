#include "algprior/group/group.hpp"

#include "algprior/base/error.hpp"
#include "algprior/group/presentation.hpp"
#include "state.hpp"

#include <algorithm>
#include <numeric>

namespace algprior {
namespace {

void check_element(const Group::State& state, Element g) {
  if (g < state.data.order) return;
  throw InputError({"no such element", std::to_string(g) + " of \"" + state.data.name + "\"",
                    "an index from 0 to " + std::to_string(state.data.order - 1), ""});
}

void grow_words(const Group::State& state) {
  const std::size_t n = state.data.order;
  auto& parent = state.words.parent;
  auto& letter = state.words.letter;
  parent.assign(n, 0);
  letter.assign(n, 0);
  std::vector<Element> queue{0};
  queue.reserve(n);
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const Element g = queue[i];
    const auto visit = [&](Element h, int last) {
      if (h == 0 || letter[h] != 0) return;
      letter[h] = last;
      parent[h] = g;
      queue.push_back(h);
    };
    for (std::size_t s = 0; s < state.generators.size(); ++s) {
      visit(state.data.right[s][g], static_cast<int>(s) + 1);
      visit(state.right_inverse[s][g], -static_cast<int>(s) - 1);
    }
  }
}

void find_classes(const Group::State& state) {
  const std::size_t n = state.data.order;
  auto& [members, class_of] = state.classes;
  constexpr std::uint32_t kNone = 0xffffffffu;
  class_of.assign(n, kNone);
  for (Element first = 0; first < n; ++first) {
    if (class_of[first] != kNone) continue;
    const auto c = static_cast<std::uint32_t>(members.size());
    std::vector<Element> orbit{first};
    class_of[first] = c;
    for (std::size_t i = 0; i < orbit.size(); ++i) {
      for (std::size_t s = 0; s < state.generators.size(); ++s) {
        const Element image = state.right_inverse[s][state.left[s][orbit[i]]];
        if (class_of[image] != kNone) continue;
        class_of[image] = c;
        orbit.push_back(image);
      }
    }
    std::sort(orbit.begin(), orbit.end());
    members.push_back(std::move(orbit));
  }
}

void find_orders(const Group& group, std::vector<std::uint32_t>& orders) {
  orders.assign(group.order(), 0);
  std::vector<Element> powers;
  for (Element g = 0; g < group.order(); ++g) {
    if (orders[g] != 0) continue;
    powers.assign(1, 0);
    for (Element p = g; p != 0; p = group.multiply_unchecked(p, g)) powers.push_back(p);
    const std::size_t m = powers.size();
    for (std::size_t k = 0; k < m; ++k) {
      orders[powers[k]] = static_cast<std::uint32_t>(m / std::gcd(m, k));
    }
  }
}

}  // namespace

const std::string& Group::name() const noexcept {
  return state_->data.name;
}
const std::string& Group::remark() const noexcept {
  return state_->data.remark;
}
std::size_t Group::order() const noexcept {
  return state_->data.order;
}
const std::vector<Element>& Group::generators() const noexcept {
  return state_->generators;
}
const std::vector<std::string>& Group::generator_names() const noexcept {
  return state_->data.generator_names;
}

Element Group::multiply_unchecked(Element g, Element h) const noexcept {
  const State& s = *state_;
  return s.table.empty() ? s.cover.multiply(g, h) : s.table[g * s.data.order + h];
}

Element Group::multiply(Element g, Element h) const {
  check_element(*state_, g);
  check_element(*state_, h);
  return multiply_unchecked(g, h);
}

Element Group::inverse(Element g) const {
  check_element(*state_, g);
  return state_->inverse[g];
}

Element Group::power(Element g, std::int64_t n) const {
  check_element(*state_, g);
  auto exponent = static_cast<std::uint64_t>(n);
  if (n < 0) {
    g = state_->inverse[g];
    exponent = 0 - exponent;
  }
  Element result = 0;
  for (; exponent != 0; exponent >>= 1) {
    if (exponent & 1) result = multiply_unchecked(result, g);
    g = multiply_unchecked(g, g);
  }
  return result;
}

Element Group::conjugate(Element g, Element x) const {
  return multiply_unchecked(multiply(g, x), state_->inverse[g]);
}

std::size_t Group::element_order(Element g) const {
  check_element(*state_, g);
  std::call_once(state_->orders_once, [&] { find_orders(*this, state_->orders); });
  return state_->orders[g];
}

Word Group::word(Element g) const {
  check_element(*state_, g);
  std::call_once(state_->words_once, [&] { grow_words(*state_); });
  Word word;
  for (; g != 0; g = state_->words.parent[g]) word.push_back(state_->words.letter[g]);
  std::reverse(word.begin(), word.end());
  return word;
}

Element Group::evaluate(const Word& word) const {
  Element g = 0;
  const auto count = static_cast<int>(state_->generators.size());
  for (const int letter : word) {
    if (letter == 0 || letter > count || letter < -count) {
      throw InputError({"no such generator in a word", "letter " + std::to_string(letter),
                        "±1 … ±" + std::to_string(count), ""});
    }
    g = letter > 0 ? state_->data.right[static_cast<std::size_t>(letter - 1)][g]
                   : state_->right_inverse[static_cast<std::size_t>(-letter - 1)][g];
  }
  return g;
}

const Presentation& Group::presentation() const {
  if (state_->data.presentation) return *state_->data.presentation;
  std::call_once(state_->presentation_once,
                 [&] { state_->presentation = derive_presentation(*this); });
  return state_->presentation;
}

const ConjugacyClasses& Group::classes() const {
  std::call_once(state_->classes_once, [&] { find_classes(*state_); });
  return state_->classes;
}

// The columns of the Cayley graph decide every product.
bool operator==(const Group& a, const Group& b) noexcept {
  if (a.state_ == b.state_) return true;
  return a.order() == b.order() && a.generator_names() == b.generator_names() &&
         a.state_->data.right == b.state_->data.right;
}

}  // namespace algprior
