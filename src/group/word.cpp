#include "algprior/group/word.hpp"

#include "algprior/group/presentation.hpp"

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

namespace {

// "[r,s]" for r⁻¹s⁻¹rs, "(r*s)^2" for a proper power, else the word.
std::string relator_text(const Word& word, const std::vector<std::string>& generators) {
  if (word.size() == 4 && word[2] > 0 && word[3] > 0 && word[0] == -word[2] &&
      word[1] == -word[3]) {
    return "[" + to_string({word[2]}, generators) + "," + to_string({word[3]}, generators) + "]";
  }
  const std::size_t length = period(word);
  if (length <= 1 || length == word.size()) return to_string(word, generators);
  const Word root(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(length));
  return "(" + to_string(root, generators) + ")^" + std::to_string(word.size() / length);
}

}  // namespace

std::string to_string(const Presentation& presentation) {
  std::string text = "<";
  for (std::size_t i = 0; i < presentation.generators.size(); ++i) {
    text += (i == 0 ? "" : ",") + presentation.generators[i];
  }
  text += " |";
  for (std::size_t i = 0; i < presentation.relators.size(); ++i) {
    text += (i == 0 ? " " : ", ") + relator_text(presentation.relators[i], presentation.generators);
  }
  return text + ">";
}

Word cyclically_reduced(Word word) {
  Word reduced;
  for (const int letter : word) {
    if (!reduced.empty() && reduced.back() == -letter) {
      reduced.pop_back();
    } else {
      reduced.push_back(letter);
    }
  }
  std::size_t trim = 0;
  while (2 * trim + 1 < reduced.size() && reduced[trim] == -reduced[reduced.size() - 1 - trim])
    ++trim;
  const auto cut = static_cast<std::ptrdiff_t>(trim);
  return Word(reduced.begin() + cut, reduced.end() - cut);
}

std::size_t period(const Word& word) {
  // The border table of Knuth, Morris and Pratt: the shortest period divides the length or there is
  // none.
  std::vector<std::size_t> border(word.size() + 1, 0);
  for (std::size_t i = 1, k = 0; i < word.size(); ++i) {
    while (k > 0 && word[i] != word[k]) k = border[k];
    if (word[i] == word[k]) ++k;
    border[i + 1] = k;
  }
  const std::size_t length = word.size() - border[word.size()];
  return length != 0 && word.size() % length == 0 ? length : word.size();
}

}  // namespace algprior
