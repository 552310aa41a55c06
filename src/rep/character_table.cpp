#include "algprior/rep/character_table.hpp"

#include "algprior/base/error.hpp"
#include "algprior/group/product.hpp"
#include "character_state.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <mutex>
#include <numeric>
#include <string>

namespace algprior {
namespace {

/// The place of each number in the documented order: larger real part first, then larger imaginary
/// part. Parts that agree to nine digits count as equal, since they are sums of the same cosines.
std::vector<std::uint32_t> ranks(const std::vector<std::complex<double>>& values) {
  const auto key = [&](std::uint32_t i) {
    return std::pair(-std::llround(values[i].real() * 1e9), -std::llround(values[i].imag() * 1e9));
  };
  std::vector<std::uint32_t> order(values.size()), rank(values.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  for (std::uint32_t r = 0; r < order.size(); ++r) rank[order[r]] = r;
  return rank;
}

void check_size(const Group& group, std::size_t classes) {
  constexpr std::size_t kMaxBytes = std::size_t{1} << 30;
  const std::size_t bytes = classes * classes * sizeof(std::uint32_t);
  if (bytes <= kMaxBytes) return;
  throw LimitError({"the character table is too large",
                    group.name() + " has " + std::to_string(classes) + " classes",
                    "a table below 1 GiB; this one takes " + std::to_string(bytes >> 20) + " MiB",
                    "use a group with fewer than 16,385 classes"});
}

CharacterTable compute(const Group& group, const ProgressSink& progress) {
  check_size(group, group.classes().count());
  auto state = std::make_shared<CharacterTable::State>(group, PowerMap(group));
  const std::vector<Group> parts = factors(group);
  RawCharacters raw = parts.size() > 1 ? tensor_characters(group, parts, progress)
                                       : find_characters(group, state->powers, progress);
  state->exact = raw.pool.values();
  for (const Cyclotomic& x : state->exact) state->values.push_back(x.to_complex());

  const std::vector<std::uint32_t> rank = ranks(state->values);
  const std::size_t k = raw.rows.size();
  std::vector<std::size_t> order(k);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto degree = [&](std::size_t i) { return state->exact[raw.rows[i][0]].to_integer(); };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (raw.rows[a][0] != raw.rows[b][0]) return degree(a) < degree(b);
    return std::lexicographical_compare(
        raw.rows[a].begin(), raw.rows[a].end(), raw.rows[b].begin(), raw.rows[b].end(),
        [&](std::uint32_t x, std::uint32_t y) { return rank[x] < rank[y]; });
  });
  std::map<std::vector<std::uint32_t>, std::size_t> complex_rows;
  for (const std::size_t i : order) {
    state->degrees.push_back(static_cast<int>(degree(i)));
    state->frobenius_schur.push_back(raw.frobenius_schur[i]);
    if (raw.frobenius_schur[i] == 0) complex_rows.emplace(raw.rows[i], state->rows.size());
    state->rows.push_back(std::move(raw.rows[i]));
  }
  std::vector<std::uint32_t> image(k);
  for (std::size_t i = 0; i < k; ++i) {
    state->conjugates.push_back(i);
    if (state->frobenius_schur[i] != 0) continue;
    for (std::size_t c = 0; c < k; ++c) image[c] = state->rows[i][state->powers.inverse(c)];
    state->conjugates[i] = complex_rows.at(image);
  }
  return CharacterTable(std::move(state));
}

}  // namespace

const Group& CharacterTable::group() const noexcept {
  return state_->group;
}

std::size_t CharacterTable::count() const noexcept {
  return state_->rows.size();
}

const Cyclotomic& CharacterTable::exact(std::size_t i, std::size_t c) const {
  return state_->exact[state_->rows.at(i).at(c)];
}

std::complex<double> CharacterTable::value(std::size_t i, std::size_t c) const {
  return state_->values[state_->rows.at(i).at(c)];
}

std::vector<std::complex<double>> CharacterTable::values(std::size_t i) const {
  std::vector<std::complex<double>> row;
  row.reserve(count());
  for (const std::uint32_t v : state_->rows.at(i)) row.push_back(state_->values[v]);
  return row;
}

int CharacterTable::degree(std::size_t i) const {
  return state_->degrees.at(i);
}

int CharacterTable::frobenius_schur(std::size_t i) const {
  return state_->frobenius_schur.at(i);
}

int CharacterTable::real_degree(std::size_t i) const {
  return frobenius_schur(i) == 1 ? degree(i) : 2 * degree(i);
}

std::size_t CharacterTable::conjugate(std::size_t i) const {
  return state_->conjugates.at(i);
}

const PowerMap& CharacterTable::powers() const noexcept {
  return state_->powers;
}

CharacterTable character_table(const Group& group, const ProgressSink& progress) {
  constexpr std::size_t kKept = 8;
  static std::mutex mutex;
  static std::deque<CharacterTable> recent;
  {
    const std::lock_guard lock(mutex);
    for (const CharacterTable& table : recent) {
      if (table.group() == group) return table;
    }
  }
  CharacterTable table = compute(group, progress);
  const std::lock_guard lock(mutex);
  recent.push_front(table);
  if (recent.size() > kKept) recent.pop_back();
  return table;
}

std::vector<double> multiplicities(const CharacterTable& table,
                                   const std::vector<std::complex<double>>& character) {
  const ConjugacyClasses& classes = table.group().classes();
  if (character.size() != classes.count()) {
    throw InputError({"a character has one value a class",
                      std::to_string(character.size()) + " values for " + table.group().name(),
                      std::to_string(classes.count()) + " values", ""});
  }
  std::vector<double> result(table.count(), 0);
  for (std::size_t i = 0; i < table.count(); ++i) {
    std::complex<double> sum = 0;
    for (std::size_t c = 0; c < classes.count(); ++c) {
      sum += static_cast<double>(classes.members[c].size()) * std::conj(table.value(i, c)) *
             character[c];
    }
    result[i] = sum.real() / static_cast<double>(table.group().order());
  }
  return result;
}

}  // namespace algprior
