#include "algprior/base/suggest.hpp"

#include <algorithm>
#include <vector>

namespace algprior {
namespace {

std::string to_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

// Longer words are nobody's typing mistake, and would cost quadratic time.
constexpr std::size_t kLongestWord = 256;
// A beginning of a name counts as that name from this length on: "doc" for "doctor".
constexpr std::size_t kShortestPrefix = 2;

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  const std::size_t columns = b.size() + 1;
  std::vector<std::size_t> before(columns), above(columns), row(columns);
  for (std::size_t j = 0; j < columns; ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j < columns; ++j) {
      const std::size_t substitution = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, substitution});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

std::optional<std::string> nearest_name(std::string_view word,
                                        std::span<const std::string> candidates) {
  if (word.empty() || word.size() > kLongestWord) return std::nullopt;
  const std::string wanted = to_lower(word);
  std::optional<std::string> nearest;
  std::size_t smallest = 0;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kLongestWord) continue;
    const std::string name = to_lower(candidate);
    const bool begins = wanted.size() >= kShortestPrefix && name.starts_with(wanted);
    const std::size_t distance = begins ? 1 : edit_distance(wanted, name);
    const std::size_t length = std::max(wanted.size(), name.size());
    const bool near = begins || distance <= std::max<std::size_t>(1, length / 3);
    if (near && distance < length && (!nearest || distance < smallest)) {
      nearest = candidate;
      smallest = distance;
    }
  }
  return nearest;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const std::optional<std::string> nearest = nearest_name(word, candidates);
  return nearest ? "did you mean \"" + *nearest + "\"?" : "";
}

}  // namespace algprior
