#include "product_cover.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/interrupt.hpp"

#include <random>

#include <fmt/format.h>

namespace algprior {
namespace {

constexpr std::size_t kMostFactors = 31;                     // bits of a code, and kUnset is none
constexpr int kAttempts = 3;                                 // candidates for a factor
constexpr std::size_t kColumnBytes = std::size_t{24} << 20;  // wider blocks only within this memory
constexpr std::uint32_t kUnset = 0xffffffffu;

using Column = std::vector<std::uint32_t>;

// Columns g ↦ g·h of any h in |G| steps: along a tree of left multiplications, (sg)·h = s·(gh).
// Uniform elements h need no mixing, which words in the generators of a group of large diameter,
// such as a dihedral one, take very long to reach.
class ColumnMaker {
 public:
  ColumnMaker(const std::vector<Column>& left, std::size_t order) : left_(left) {
    tree_.reserve(order);
    tree_.push_back({0, 0, 0});
    std::vector<bool> seen(order, false);
    seen[0] = true;
    for (std::size_t i = 0; i < tree_.size(); ++i) {
      for (std::uint32_t s = 0; s < left.size(); ++s) {
        const std::uint32_t image = left[s][tree_[i].element];
        if (seen[image]) continue;
        seen[image] = true;
        tree_.push_back({image, tree_[i].element, s});
      }
    }
  }

  void fill(std::uint32_t h, Column& column) const {
    column.resize(tree_.size());
    column[0] = h;
    for (std::size_t i = 1; i < tree_.size(); ++i) {
      column[tree_[i].element] = left_[tree_[i].generator][column[tree_[i].parent]];
    }
  }

 private:
  struct Node {
    std::uint32_t element, parent, generator;
  };
  const std::vector<Column>& left_;
  std::vector<Node> tree_;
};

}  // namespace

ProductCover::ProductCover(const std::vector<Column>& left, std::size_t order) : order_(order) {
  const ColumnMaker columns(left, order);
  std::mt19937_64 random(1);
  std::vector<Column> chosen;
  code_.assign(order_, kUnset);
  code_[0] = 0;
  std::vector<std::uint32_t> covered{0};
  Column candidate, best;
  while (covered.size() < order_) {
    throw_if_stopped();
    if (chosen.size() == kMostFactors) {
      throw LimitError({"the group is too large to multiply in", fmt::format("{} elements", order_),
                        fmt::format("elements that are products of {} at most", kMostFactors),
                        "choose a smaller group"});
    }
    std::size_t best_gain = 0;
    for (int attempt = 0; attempt < kAttempts || best_gain == 0; ++attempt) {
      columns.fill(static_cast<std::uint32_t>(random() % order_), candidate);
      std::size_t gain = 0;
      for (const auto p : covered) gain += code_[candidate[p]] == kUnset;
      if (gain <= best_gain) continue;
      best_gain = gain;
      best.swap(candidate);
    }
    const std::uint32_t bit = 1u << chosen.size();
    const std::size_t before = covered.size();
    for (std::size_t i = 0; i < before; ++i) {
      const std::uint32_t p = covered[i];
      if (code_[best[p]] != kUnset) continue;
      code_[best[p]] = code_[p] | bit;
      covered.push_back(best[p]);
    }
    chosen.push_back(std::move(best));
    best = {};
  }
  fill(chosen);
}

void ProductCover::fill(const std::vector<Column>& chosen) {
  const auto blocks_of = [&](std::uint32_t width) { return (chosen.size() + width - 1) / width; };
  const auto bytes_of = [&](std::uint32_t width) {
    return (blocks_of(width) << width) * order_ * sizeof(std::uint32_t);
  };
  for (std::uint32_t width = 2; width <= 8 && bytes_of(width) <= kColumnBytes; ++width) {
    if (blocks_of(width) < blocks_of(width_)) width_ = width;
  }
  mask_ = (1u << width_) - 1;
  block_ = order_ << width_;
  columns_.resize(blocks_of(width_) * block_);
  for (std::size_t b = 0; b < blocks_of(width_); ++b) {
    std::uint32_t* block = columns_.data() + b * block_;
    for (std::size_t g = 0; g < order_; ++g) block[g] = static_cast<std::uint32_t>(g);
    for (std::uint32_t bit = 0; bit < width_ && b * width_ + bit < chosen.size(); ++bit) {
      const Column& x = chosen[b * width_ + bit];
      const std::size_t half = order_ << bit;
      for (std::size_t i = 0; i < half; ++i) block[half + i] = x[block[i]];
    }
  }
}

}  // namespace algprior
