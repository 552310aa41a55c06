#pragma once

#include "algprior/rep/representation.hpp"

#include <string_view>

namespace algprior {

/// Dimension that a representation's text may ask for.
inline constexpr std::size_t kMostTextDimension = std::size_t{1} << 20;

/// The representation of a group that a text names:
///
///     regular   defining   trivial   sign   irrep0, irrep1, … (over R, in the order of
///                                           real_irreducible_representations)
///     a + b     the direct sum, as consecutive blocks
///     4*a       four copies
///     a @ b     the tensor product
///     a # b     of a direct product G×H: a is one of G, b one of H
///
/// `*` and `#` bind more closely than `@`, and `@` than `+`; parentheses as usual. For D4xD4, each
/// factor with a regular representation of its own: "4*(regular#trivial) + 4*(trivial#regular) +
/// 2*trivial", of dimension 66. Throws InputError that points at the column, LimitError beyond
/// kMostTextDimension.
Representation make_representation(const Group& group, std::string_view text);

}  // namespace algprior
