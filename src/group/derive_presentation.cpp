#include "algprior/base/error.hpp"
#include "algprior/base/interrupt.hpp"
#include "algprior/group/coset_enumeration.hpp"
#include "algprior/group/presentation.hpp"
#include "state.hpp"

#include <algorithm>
#include <cstdlib>

namespace algprior {
namespace {

std::size_t generator_of(int letter) {
  return static_cast<std::size_t>(std::abs(letter) - 1);
}

// Colours the edges of the Cayley graph that the relators so far imply. The relators present the
// group when every edge is coloured: each cycle is then a product of conjugates of relators.
class Colouring {
 public:
  explicit Colouring(const Group& group) : group_(group), n_(group.order()) {
    coloured_.assign(n_ * group.generators().size(), false);
    for (Element g = 1; g < n_; ++g) {
      const Word word = group.word(g);
      const Element before = group.state().words.parent[g];
      coloured_[word.back() > 0 ? edge(before, word.back()) : edge(g, word.back())] = true;
    }
  }

  bool is_coloured(Element g, std::size_t s) const { return coloured_[s * n_ + g]; }

  // Adds a relator and colours all that follows. One that is not `kept` counts only once it is
  // used.
  void add(const Word& word, bool kept) {
    relators_.push_back(cycles_of(word));
    relators_.back().used = kept;
    const Cycles& added = relators_.back();
    for (std::size_t c = 0; c < added.open.size(); ++c) {
      if (added.open[c] == 1) pending_.push_back({relators_.size() - 1, c});
    }
    for (std::size_t steps = 0; !pending_.empty(); ++steps) {
      if (steps % 4096 == 0) throw_if_stopped();
      const auto [r, c] = pending_.back();
      pending_.pop_back();
      if (relators_[r].open[c] != 1) continue;
      relators_[r].used = true;
      colour(open_edge(relators_[r], c));
    }
  }

  // The relators that coloured something: they present the group once every edge is coloured.
  std::vector<Word> used_relators() const {
    std::vector<Word> words;
    for (const Cycles& cycles : relators_) {
      if (cycles.used) words.push_back(cycles.word);
    }
    return words;
  }

 private:
  // The cycles of one relator u^m: start g and start gu are the same cycle.
  struct Cycles {
    Word word;
    bool used = false;
    Word root;
    std::vector<Element> back;        // start = (source of the edge) · back[j]
    std::vector<std::uint32_t> of;    // start → cycle
    std::vector<Element> start;       // cycle → one start
    std::vector<std::uint32_t> open;  // cycle → occurrences of uncoloured edges
  };

  std::size_t edge(Element source, int letter) const { return generator_of(letter) * n_ + source; }

  Element step(Element g, int letter) const {
    const auto& state = group_.state();
    return letter > 0 ? state.data.right[generator_of(letter)][g]
                      : state.right_inverse[generator_of(letter)][g];
  }

  Cycles cycles_of(const Word& word) const {
    Cycles cycles;
    cycles.word = word;
    cycles.root.assign(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(period(word)));
    Element prefix = 0;
    for (const int letter : cycles.root) {
      const Element after = step(prefix, letter);
      cycles.back.push_back(group_.inverse(letter > 0 ? prefix : after));
      prefix = after;
    }
    constexpr std::uint32_t kNone = 0xffffffffu;
    cycles.of.assign(n_, kNone);
    for (Element start = 0; start < n_; ++start) {
      if (cycles.of[start] != kNone) continue;
      std::uint32_t open = 0;
      Element g = start;
      do {
        cycles.of[g] = static_cast<std::uint32_t>(cycles.start.size());
        for (const int letter : cycles.root) {
          const Element next = step(g, letter);
          open += !coloured_[edge(letter > 0 ? g : next, letter)];
          g = next;
        }
      } while (g != start);
      cycles.start.push_back(start);
      cycles.open.push_back(open);
    }
    return cycles;
  }

  std::size_t open_edge(const Cycles& cycles, std::size_t c) const {
    for (Element g = cycles.start[c];;) {
      for (const int letter : cycles.root) {
        const Element next = step(g, letter);
        const std::size_t e = edge(letter > 0 ? g : next, letter);
        if (!coloured_[e]) return e;
        g = next;
      }
    }
  }

  void colour(std::size_t e) {
    coloured_[e] = true;
    const auto source = static_cast<Element>(e % n_);
    const std::size_t s = e / n_;
    for (std::size_t r = 0; r < relators_.size(); ++r) {
      Cycles& cycles = relators_[r];
      for (std::size_t j = 0; j < cycles.root.size(); ++j) {
        if (generator_of(cycles.root[j]) != s) continue;
        const std::uint32_t c = cycles.of[group_.multiply_unchecked(source, cycles.back[j])];
        if (--cycles.open[c] == 1) pending_.push_back({r, c});
      }
    }
  }

  const Group& group_;
  std::size_t n_;
  std::vector<bool> coloured_;
  std::vector<Cycles> relators_;
  std::vector<std::pair<std::size_t, std::size_t>> pending_;
};

Word repeated(const Word& root, std::size_t times) {
  Word word;
  for (std::size_t i = 0; i < times; ++i) word.insert(word.end(), root.begin(), root.end());
  return word;
}

// Powers of generators and of short products: the relators a person would write first.
std::vector<Word> natural_relators(const Group& group) {
  std::vector<Word> words;
  const auto add_power = [&](const Word& root) {
    words.push_back(repeated(root, group.element_order(group.evaluate(root))));
  };
  const int k = static_cast<int>(group.generators().size());
  for (int a = 1; a <= k; ++a) add_power({a});
  for (int a = 1; a <= k; ++a) {
    for (int b = a + 1; b <= k; ++b) {
      add_power({a, b});
      add_power({a, -b});
      words.push_back({-a, -b, a, b});
      if (group.evaluate(words.back()) != 0) words.pop_back();
    }
  }
  std::stable_sort(words.begin() + k, words.end(),
                   [](const Word& u, const Word& v) { return u.size() < v.size(); });
  return words;
}

// s⁻¹ reads better as s when s² = e.
Word written_for_involutions(const Group& group, Word word) {
  for (int& letter : word) {
    if (letter < 0 && group.element_order(group.generators()[generator_of(letter)]) == 2) {
      letter = -letter;
    }
  }
  return word;
}

struct Chord {
  std::size_t length;
  Element g;
  std::size_t s;
};

std::vector<Chord> chords_by_length(const Group& group, const Colouring& colouring) {
  std::vector<std::size_t> depth(group.order());
  for (Element g = 0; g < group.order(); ++g) depth[g] = group.word(g).size();
  std::vector<Chord> chords;
  for (std::size_t s = 0; s < group.generators().size(); ++s) {
    for (Element g = 0; g < group.order(); ++g) {
      if (colouring.is_coloured(g, s)) continue;
      chords.push_back({depth[g] + 1 + depth[group.state().data.right[s][g]], g, s});
    }
  }
  std::stable_sort(chords.begin(), chords.end(),
                   [](const Chord& a, const Chord& b) { return a.length < b.length; });
  return chords;
}

bool presents(const Presentation& presentation, std::size_t order) {
  GroupLimits limits;
  limits.max_cosets = 8 * order + 2000;
  try {
    return enumerate_cosets(presentation, {}, limits).count == order;
  } catch (const LimitError&) {
    return false;  // too hard without the relator: it stays
  }
}

// Leaves out relators, longest first, as long as the rest still presents the group.
void drop_redundant(Presentation& presentation, std::size_t order) {
  std::vector<Word>& relators = presentation.relators;
  std::vector<Word> candidates = relators;
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Word& u, const Word& v) { return u.size() > v.size(); });
  for (const Word& word : candidates) {
    Presentation shorter{presentation.generators, {}};
    bool skipped = false;
    for (const Word& other : relators) {
      if (!skipped && other == word) {
        skipped = true;
      } else {
        shorter.relators.push_back(other);
      }
    }
    if (presents(shorter, order)) presentation = std::move(shorter);
  }
}

}  // namespace

Presentation derive_presentation(const Group& group) {
  Presentation presentation{group.generator_names(), {}};
  Colouring colouring(group);
  for (const Word& word : natural_relators(group)) {
    // Powers of generators stay in any case: written_for_involutions relies on s².
    colouring.add(word, period(word) == 1);
  }
  for (const Chord& chord : chords_by_length(group, colouring)) {
    if (colouring.is_coloured(chord.g, chord.s)) continue;
    Word word = group.word(chord.g);
    word.push_back(static_cast<int>(chord.s) + 1);
    const Word back = group.word(group.state().data.right[chord.s][chord.g]);
    for (auto letter = back.rbegin(); letter != back.rend(); ++letter) word.push_back(-*letter);
    colouring.add(written_for_involutions(group, cyclically_reduced(std::move(word))), true);
  }
  presentation.relators = colouring.used_relators();
  constexpr std::size_t kLargestToShorten = 4096;
  if (group.order() <= kLargestToShorten) drop_redundant(presentation, group.order());
  return presentation;
}

}  // namespace algprior
