#pragma once

#include <string>
#include <vector>

namespace algprior {

/// A word in generators: letter k+1 is generator k, letter −(k+1) its inverse. Read left to right
/// as a product; the empty word is the identity.
using Word = std::vector<int>;

/// Generators and relators of a finitely presented group ⟨generators | relators⟩; every relator
/// equals e.
struct Presentation {
  std::vector<std::string> generators;  ///< names, "r", "s", …
  std::vector<Word> relators;
};

/// "r^2*s^-1" for readers and for the parser; "e" for the empty word.
std::string to_string(const Word& word, const std::vector<std::string>& generators);

}  // namespace algprior
