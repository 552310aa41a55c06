#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace algprior {

/// The Damerau–Levenshtein distance (optimal string alignment): the fewest insertions, deletions,
/// substitutions and swaps of neighbours that turn one word into the other, no letter edited twice.
/// Bytes, case-sensitive. O(|a|·|b|) time.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate that a person most likely meant by `word`: the nearest without regard to case, the
/// first among equals; also one that `word` is the beginning of. Nothing when even the nearest
/// differs in more than a third of its letters.
std::optional<std::string> nearest_name(std::string_view word,
                                        std::span<const std::string> candidates);

/// "did you mean \"x\"?", or "" when nothing is near. For the `next` field of an Error.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

}  // namespace algprior
