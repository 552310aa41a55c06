#include "algprior/base/error.hpp"
#include "algprior/group/coset_enumeration.hpp"
#include "algprior/group/presentation.hpp"
#include "state.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

namespace algprior {
namespace {

__extension__ using Integer = __int128;

// a·b − c·d, or false when it does not fit.
bool cross(Integer a, Integer b, Integer c, Integer d, Integer& result) {
  Integer ab = 0, cd = 0;
  return !__builtin_mul_overflow(a, b, &ab) && !__builtin_mul_overflow(c, d, &cd) &&
         !__builtin_sub_overflow(ab, cd, &result);
}

// Rank of G/[G,G] ⊗ Q, the number of infinite cyclic factors of the abelianisation, by
// fraction-free elimination (Bareiss) of the exponent sums; 0 also when the integers grow too large
// to tell.
std::size_t free_rank(const Presentation& presentation) {
  const std::size_t k = presentation.generators.size();
  constexpr std::size_t kMostGenerators = 64;
  if (k > kMostGenerators) return 0;
  std::vector<std::vector<Integer>> rows;
  for (const Word& word : presentation.relators) {
    std::vector<Integer> row(k, 0);
    for (const int letter : word) {
      row[static_cast<std::size_t>(std::abs(letter)) - 1] += letter > 0 ? 1 : -1;
    }
    rows.push_back(std::move(row));
  }
  std::size_t rank = 0;
  Integer previous = 1;
  for (std::size_t column = 0; column < k && rank < rows.size(); ++column) {
    std::size_t pivot = rank;
    while (pivot < rows.size() && rows[pivot][column] == 0) ++pivot;
    if (pivot == rows.size()) continue;
    std::swap(rows[pivot], rows[rank]);
    for (std::size_t i = rank + 1; i < rows.size(); ++i) {
      for (std::size_t j = column + 1; j < k; ++j) {
        Integer value = 0;
        if (!cross(rows[i][j], rows[rank][column], rows[i][column], rows[rank][j], value)) return 0;
        rows[i][j] = value / previous;
      }
      rows[i][column] = 0;
    }
    previous = rows[rank][column];
    ++rank;
  }
  return k - rank;
}

}  // namespace

Group group_from_presentation(const Presentation& presentation, const GroupLimits& limits) {
  if (const std::size_t rank = free_rank(presentation); rank > 0) {
    throw LimitError(
        {"the presentation defines an infinite group", to_string(presentation), "a finite group",
         fmt::format(
             "add relators: its abelianisation has {} infinite cyclic factor{}, so no bound "
             "suffices; raising max_cosets (now {}) helps large finite groups only",
             rank, rank == 1 ? "" : "s", limits.max_cosets)});
  }
  CosetTable cosets = enumerate_cosets(presentation, {}, limits);
  Blueprint data;
  data.name = to_string(presentation);
  check_order(data.name, static_cast<double>(cosets.count), limits.max_order);
  data.order = cosets.count;
  data.right = std::move(cosets.right);
  data.generator_names = presentation.generators;
  data.presentation = presentation;
  return assemble(std::move(data));
}

}  // namespace algprior
