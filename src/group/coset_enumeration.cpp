#include "algprior/group/coset_enumeration.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/interrupt.hpp"
#include "algprior/group/presentation.hpp"
#include "state.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

namespace algprior {
namespace {

using Coset = std::int32_t;
constexpr Coset kNoCoset = -1;
using Columns = std::vector<std::uint32_t>;  // a word as column numbers

std::string shortened_presentation(const std::string& text) {
  return text.size() <= 120 ? text : text.substr(0, 117) + "...";
}

class Enumeration {
 public:
  Enumeration(const Presentation& presentation, const std::vector<Word>& subgroup,
              const GroupLimits& limits)
      : presentation_(presentation), limit_(std::max<std::size_t>(limits.max_cosets, 1)) {
    number_columns();
    for (const Word& word : presentation.relators) add_relator(word);
    std::stable_sort(relators_.begin(), relators_.end(), [](const Relator& a, const Relator& b) {
      return a.word.size() < b.word.size();
    });
    for (const Word& word : subgroup) subgroup_.push_back(to_columns(word));
    add_row();
  }

  CosetTable run() {
    for (const Columns& word : subgroup_) trace(0, word, true);
    while (current_ < rows()) {
      if (++steps_ % 4096 == 0) throw_if_stopped();
      process(current_);
      if (full_) {
        make_room();
      } else {
        ++current_;
      }
    }
    compress();
    return finished();
  }

 private:
  struct Relator {
    Columns word;
    std::size_t period;  // word = u^m with |u| = period
  };

  // An involution needs no column of its own for its inverse.
  void number_columns() {
    const std::size_t k = presentation_.generators.size();
    std::vector<bool> involution(k, false);
    for (const Word& word : presentation_.relators) {
      if (word.size() == 2 && word[0] == word[1]) {
        check_letter(word[0]);
        involution[static_cast<std::size_t>(std::abs(word[0])) - 1] = true;
      }
    }
    for (std::size_t s = 0; s < k; ++s) {
      forward_.push_back(width_);
      backward_.push_back(involution[s] ? width_ : width_ + 1);
      inverse_.push_back(backward_.back());
      if (!involution[s]) inverse_.push_back(width_);
      width_ += involution[s] ? 1 : 2;
    }
  }

  void check_letter(int letter) const {
    const auto k = static_cast<int>(presentation_.generators.size());
    if (letter != 0 && letter <= k && letter >= -k) return;
    throw InputError({"no such generator in a word", fmt::format("letter {}", letter),
                      fmt::format("±1 … ±{}", k), ""});
  }

  Columns to_columns(const Word& word) const {
    Columns columns;
    for (const int letter : word) {
      check_letter(letter);
      columns.push_back(letter > 0 ? forward_[static_cast<std::size_t>(letter - 1)]
                                   : backward_[static_cast<std::size_t>(-letter - 1)]);
    }
    return columns;
  }

  void add_relator(const Word& word) {
    const Word reduced = cyclically_reduced(word);
    const Columns columns = to_columns(reduced);
    const bool by_column =
        columns.size() == 2 && columns[0] == inverse_[columns[0]] && columns[0] == columns[1];
    if (!columns.empty() && !by_column) relators_.push_back({columns, period(reduced)});
  }

  std::size_t rows() const { return parent_.size(); }
  bool alive(std::size_t c) const { return parent_[c] == static_cast<Coset>(c); }
  Coset& entry(std::size_t c, std::uint32_t x) { return table_[c * width_ + x]; }

  void add_row() {
    parent_.push_back(static_cast<Coset>(parent_.size()));
    done_.push_back(0);
    table_.resize(table_.size() + width_, kNoCoset);
    ++defined_;
  }

  void process(std::size_t c) {
    for (std::size_t r = 0; r < relators_.size() && alive(c) && !full_; ++r) apply(c, r);
    for (std::uint32_t x = 0; x < width_ && alive(c) && !full_; ++x) {
      if (entry(c, x) == kNoCoset) define(c, x);
    }
  }

  // Defines c·x as a new coset, or notes that the table is full.
  bool define(std::size_t c, std::uint32_t x) {
    if (rows() >= limit_) {
      full_ = true;
      return false;
    }
    const auto fresh = static_cast<Coset>(rows());
    add_row();
    entry(c, x) = fresh;
    entry(static_cast<std::size_t>(fresh), inverse_[x]) = static_cast<Coset>(c);
    return true;
  }

  void apply(std::size_t c, std::size_t r) {
    const bool flagged = r < 64 && relators_[r].period < relators_[r].word.size();
    if (flagged && (done_[c] >> r & 1) != 0) return;
    trace(c, relators_[r].word, true);
    // The relator u^m closes at c·u, c·u², … as well.
    if (!flagged || full_ || !alive(c)) return;
    auto point = static_cast<Coset>(c);
    const Columns& word = relators_[r].word;
    for (std::size_t i = 0; i < word.size(); ++i) {
      if (i % relators_[r].period == 0)
        done_[static_cast<std::size_t>(point)] |= std::uint64_t{1} << r;
      point = entry(static_cast<std::size_t>(point), word[i]);
      if (point == kNoCoset) return;
    }
  }

  // Follows a word from both ends at a coset; fills the gap with new cosets if asked to.
  void trace(std::size_t start, const Columns& word, bool fill) {
    auto f = static_cast<Coset>(start), b = f;
    std::size_t i = 0, j = word.size();
    for (;;) {
      while (i < j) {
        const Coset next = entry(static_cast<std::size_t>(f), word[i]);
        if (next == kNoCoset) break;
        f = next;
        ++i;
      }
      while (j > i) {
        const Coset next = entry(static_cast<std::size_t>(b), inverse_[word[j - 1]]);
        if (next == kNoCoset) break;
        b = next;
        --j;
      }
      if (i == j) {
        if (f != b) coincide(f, b);
        return;
      }
      if (j == i + 1) {
        entry(static_cast<std::size_t>(f), word[i]) = b;
        entry(static_cast<std::size_t>(b), inverse_[word[i]]) = f;
        return;
      }
      if (!fill || !define(static_cast<std::size_t>(f), word[i])) return;
    }
  }

  Coset find(Coset c) {
    Coset root = c;
    while (parent_[static_cast<std::size_t>(root)] != root)
      root = parent_[static_cast<std::size_t>(root)];
    while (parent_[static_cast<std::size_t>(c)] != root) {
      const Coset next = parent_[static_cast<std::size_t>(c)];
      parent_[static_cast<std::size_t>(c)] = root;
      c = next;
    }
    return root;
  }

  void merge(Coset a, Coset b) {
    a = find(a);
    b = find(b);
    if (a == b) return;
    const auto [keep, drop] = std::minmax(a, b);
    parent_[static_cast<std::size_t>(drop)] = keep;
    done_[static_cast<std::size_t>(keep)] |= done_[static_cast<std::size_t>(drop)];
    dying_.push_back(drop);
  }

  void coincide(Coset a, Coset b) {
    dying_.clear();
    merge(a, b);
    for (std::size_t i = 0; i < dying_.size(); ++i) {
      const auto dead = static_cast<std::size_t>(dying_[i]);
      for (std::uint32_t x = 0; x < width_; ++x) {
        const Coset target = entry(dead, x);
        if (target == kNoCoset) continue;
        entry(dead, x) = kNoCoset;
        Coset& back = entry(static_cast<std::size_t>(target), inverse_[x]);
        if (back == static_cast<Coset>(dead)) back = kNoCoset;
        const Coset from = find(static_cast<Coset>(dead)), to = find(target);
        Coset& ahead = entry(static_cast<std::size_t>(from), x);
        Coset& behind = entry(static_cast<std::size_t>(to), inverse_[x]);
        if (ahead != kNoCoset) {
          merge(to, ahead);
        } else if (behind != kNoCoset) {
          merge(from, behind);
        } else {
          ahead = to;
          entry(static_cast<std::size_t>(to), inverse_[x]) = from;
        }
      }
    }
  }

  // Looks for coincidences without defining anything, then closes the gaps in the table.
  void make_room() {
    full_ = false;
    for (std::size_t c = current_; c < rows(); ++c) {
      for (std::size_t r = 0; r < relators_.size() && alive(c); ++r) {
        trace(c, relators_[r].word, false);
      }
    }
    compress();
    if (rows() + limit_ / 20 >= limit_) give_up();
  }

  void compress() {
    std::vector<Coset> moved(rows(), kNoCoset);
    std::size_t count = 0, before_current = 0;
    for (std::size_t c = 0; c < rows(); ++c) {
      if (!alive(c)) continue;
      before_current += c < current_;
      moved[c] = static_cast<Coset>(count++);
    }
    for (std::size_t c = 0; c < rows(); ++c) {
      if (moved[c] == kNoCoset) continue;
      const auto to = static_cast<std::size_t>(moved[c]);
      for (std::uint32_t x = 0; x < width_; ++x) {
        const Coset target = entry(c, x);
        entry(to, x) = target == kNoCoset ? kNoCoset : moved[static_cast<std::size_t>(target)];
      }
      done_[to] = done_[c];
      parent_[to] = static_cast<Coset>(to);
    }
    table_.resize(count * width_);
    parent_.resize(count);
    done_.resize(count);
    current_ = before_current;
  }

  CosetTable finished() {
    Blueprint graph;
    graph.order = rows();
    for (const std::uint32_t x : forward_) {
      std::vector<Element> column(rows());
      for (std::size_t c = 0; c < rows(); ++c) column[c] = static_cast<Element>(entry(c, x));
      graph.right.push_back(std::move(column));
    }
    graph = renumbered(std::move(graph));
    return {graph.order, std::move(graph.right), defined_};
  }

  [[noreturn]] void give_up() const {
    throw LimitError(
        {"the coset table is full before it closes",
         fmt::format("{} with max_cosets = {}", shortened_presentation(to_string(presentation_)),
                     limit_),
         "a finite group that closes within the bound",
         "the group may be infinite: add relators; if it is finite, raise max_cosets"});
  }

  const Presentation& presentation_;
  std::size_t limit_;
  std::vector<std::uint32_t> forward_, backward_;  // generator → column
  std::vector<std::uint32_t> inverse_;             // column → column
  std::uint32_t width_ = 0;
  std::vector<Relator> relators_;
  std::vector<Columns> subgroup_;
  std::vector<Coset> table_, parent_;
  std::vector<std::uint64_t> done_;  // coset → relators known to close there
  std::vector<Coset> dying_;
  std::size_t current_ = 0, defined_ = 0, steps_ = 0;
  bool full_ = false;
};

}  // namespace

CosetTable enumerate_cosets(const Presentation& presentation, const std::vector<Word>& subgroup,
                            const GroupLimits& limits) {
  return Enumeration(presentation, subgroup, limits).run();
}

}  // namespace algprior
