#pragma once

#include "algprior/group/word.hpp"

#include <string>

namespace algprior {

/// "r" of factor 2 is "r2"; a name that ends in a digit gets an underscore first, "g1_2".
std::string numbered(const std::string& name, std::size_t number);

/// The word with its generators renumbered from `by` on.
Word shifted(const Word& word, int by);

/// A name for use inside a larger name: in parentheses unless it is a plain one such as "D4".
std::string wrapped(const std::string& name);

}  // namespace algprior
