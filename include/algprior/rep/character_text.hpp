#pragma once

#include "algprior/rep/character_table.hpp"

#include <string>
#include <utility>
#include <vector>

namespace algprior {

// A group and its characters for readers: what the program prints and Python shows.

/// Above this many classes the table of characters is a summary: nobody reads 253 columns.
inline constexpr std::size_t kMaxTextClasses = 60;

/// "order 8, exponent 4, centre 2, commutator subgroup 2".
std::string facts_text(const CharacterTable& table);

/// Letters for classes: 1a, 2a, 2b, 4a, … by element order, in the order of the classes.
std::vector<std::string> class_names(const CharacterTable& table);

/// An element as a word in the generators: "r^2*s".
std::string word_text(const Group& group, Element g);

/// "χ1" for row 0.
std::string character_name(std::size_t i);

/// "real", "complex" or "quaternionic", after the Frobenius–Schur indicator.
std::string type_name(int frobenius_schur);

/// "χ1 + 2χ5" for (row, multiplicity); "0" for nothing.
std::string sum_text(const std::vector<std::pair<std::size_t, std::size_t>>& terms);

/// Rows of cells, the titles first: classes with sizes, orders and representatives.
std::vector<std::vector<std::string>> class_cells(const CharacterTable& table);

/// Likewise the characters on the classes with type and real degree, the sizes of the classes as
/// second row; above kMaxTextClasses how many there are of each degree and type.
std::vector<std::vector<std::string>> character_cells(const CharacterTable& table);

/// Both as aligned text of at most `width` columns.
std::string classes_text(const CharacterTable& table, std::size_t width);
std::string characters_text(const CharacterTable& table, std::size_t width);

}  // namespace algprior
