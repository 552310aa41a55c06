#pragma once

#include "algprior/group/group.hpp"
#include "algprior/group/limits.hpp"

#include <string>
#include <string_view>

namespace algprior {

/// Reads "<r,s | r^4, s^2, (r*s)^2>".
///
/// A relator is a product of factors joined by "*" (or by a space); a factor is a generator, "e" or
/// "1" for the identity (unless a generator has that name), a parenthesised word or a commutator
/// [a,b] = a⁻¹b⁻¹ab, with any number of exponents: an integer, "r^-1", or a factor, a^b = b⁻¹ab. An
/// equation u = v stands for u v⁻¹, a chain u = v = w for both. Throws InputError that points at
/// the column, LimitError when the relators written out are longer than a million letters.
Presentation parse_presentation(std::string_view text);

/// "<r,s | r^4, s^2, (r*s)^2>", which parse_presentation reads back.
std::string to_string(const Presentation& presentation);

/// The group that a presentation defines, by coset enumeration over the trivial subgroup; its
/// elements breadth-first from e over the generators. Throws LimitError when the group is infinite
/// and the abelianisation shows it, or when the table reaches limits.max_cosets.
Group group_from_presentation(const Presentation& presentation, const GroupLimits& limits = {});

/// A presentation of a group on its own generators, from its Cayley graph: edges that follow from
/// the relators so far are coloured, and the shortest cycle through an uncoloured edge becomes the
/// next relator. Relators without which coset enumeration still closes are dropped (up to order
/// 2,000). O(|G| · total relator length).
Presentation derive_presentation(const Group& group);

/// Free and cyclic reduction: no letter beside its inverse, also around the end.
Word cyclically_reduced(Word word);

/// w = u^m with the largest m; returns the length of u.
std::size_t period(const Word& word);

}  // namespace algprior
