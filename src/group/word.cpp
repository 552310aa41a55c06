#include "algprior/group/word.hpp"

#include <cstdlib>

namespace algprior {

std::string to_string(const Word& word, const std::vector<std::string>& generators) {
  if (word.empty()) return "e";
  std::string text;
  for (std::size_t i = 0; i < word.size();) {
    std::size_t run = i;
    while (run < word.size() && word[run] == word[i]) ++run;
    if (!text.empty()) text += "*";
    text += generators[static_cast<std::size_t>(std::abs(word[i])) - 1];
    const long exponent = static_cast<long>(run - i) * (word[i] > 0 ? 1 : -1);
    if (exponent != 1) text += "^" + std::to_string(exponent);
    i = run;
  }
  return text;
}

}  // namespace algprior
