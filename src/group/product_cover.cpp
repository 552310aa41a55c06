#include "product_cover.hpp"

#include <random>
#include <stdexcept>

namespace algprior {
namespace {

constexpr std::size_t kMostFactors = 32;                     // bits of a code
constexpr std::size_t kColumnBytes = std::size_t{24} << 20;  // wider blocks only within this memory
constexpr std::uint32_t kUnset = 0xffffffffu;

using Column = std::vector<std::uint32_t>;

// g ↦ g·x·y from the columns of x and y.
void append(Column& x, const Column& y) {
  for (auto& g : x) g = y[g];
}

// Product replacement: a pool of columns, each step multiplies one by another; an accumulator
// collects.
class RandomColumns {
 public:
  RandomColumns(const std::vector<Column>& pool, std::uint64_t seed) : random_(seed) {
    for (std::size_t i = 0; i < 12; ++i) slots_.push_back(pool[i % pool.size()]);
    collected_ = slots_.front();
    for (int i = 0; i < 80; ++i) step();
  }
  const Column& next() {
    step();
    return collected_;
  }

 private:
  void step() {
    const std::size_t i = random_() % slots_.size();
    const std::size_t j = (i + 1 + random_() % (slots_.size() - 1)) % slots_.size();
    append(slots_[i], slots_[j]);
    append(collected_, slots_[i]);
  }
  std::mt19937_64 random_;
  std::vector<Column> slots_;
  Column collected_;
};

}  // namespace

ProductCover::ProductCover(const std::vector<Column>& right,
                           const std::vector<Column>& right_inverse, std::size_t order)
    : order_(order) {
  std::vector<Column> pool = right;
  pool.insert(pool.end(), right_inverse.begin(), right_inverse.end());
  std::vector<Column> chosen;
  for (std::uint64_t seed = 1; !choose(pool, seed, chosen); ++seed) {
    if (seed == 16) throw std::logic_error("no product cover found for a group");
  }
  fill(chosen);
}

bool ProductCover::choose(const std::vector<Column>& pool, std::uint64_t seed,
                          std::vector<Column>& chosen) {
  RandomColumns random(pool, seed);
  chosen.clear();
  code_.assign(order_, kUnset);
  code_[0] = 0;
  std::vector<std::uint32_t> covered{0};
  while (covered.size() < order_) {
    if (chosen.size() + 1 >= kMostFactors) return false;
    Column best;
    std::size_t best_gain = 0;
    for (int attempt = 0; attempt < 3; ++attempt) {
      const Column& candidate = random.next();
      std::size_t gain = 0;
      for (const auto p : covered) gain += code_[candidate[p]] == kUnset;
      if (gain > best_gain || best.empty()) {
        best_gain = gain;
        best = candidate;
      }
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
  }
  return true;
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
