// Irreducible representations of S5 as matrices, beside GAP's IrreducibleRepresentations where GAP
// is installed. The characters of both are compared on all classes first.

#include "algprior/rep/irreps.hpp"

#include "algprior/group/make_group.hpp"
#include "algprior/rep/constructions.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/core.h>

namespace {

using algprior::Element;
using algprior::Permutation;
using Character = std::vector<long>;  // S5's characters are integers

constexpr int kRuns = 20;

// One permutation a class of S5, for GAP and for us.
const std::vector<std::pair<const char*, Permutation>> kClasses{
    {"()", {0, 1, 2, 3, 4}},           {"(1,2)", {1, 0, 2, 3, 4}},
    {"(1,2)(3,4)", {1, 0, 3, 2, 4}},   {"(1,2,3)", {1, 2, 0, 3, 4}},
    {"(1,2,3)(4,5)", {1, 2, 0, 4, 3}}, {"(1,2,3,4)", {1, 2, 3, 0, 4}},
    {"(1,2,3,4,5)", {1, 2, 3, 4, 0}}};

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

std::vector<Character> our_characters(const algprior::Group& group,
                                      const std::vector<algprior::Representation>& irreps) {
  const algprior::Representation points = algprior::defining_representation(group);
  std::vector<Character> characters;
  for (const algprior::Representation& irrep : irreps) {
    Character character;
    for (const auto& [name, permutation] : kClasses) {
      Element g = 0;
      while (points.permutation(g) != permutation) ++g;
      character.push_back(std::lround(irrep.complex_matrix(g).trace().real()));
    }
    characters.push_back(character);
  }
  std::sort(characters.begin(), characters.end());
  return characters;
}

struct GapAnswer {
  double milliseconds = 0;
  std::vector<Character> characters;
};

bool ask_gap(GapAnswer& answer) {
  if (std::system("command -v gap > /dev/null 2>&1") != 0) return false;
  std::string classes;
  for (const auto& [name, permutation] : kClasses) {
    classes += (classes.empty() ? "" : ",") + std::string(name);
  }
  const std::string script =
      "G:=SymmetricGroup(5);;t:=Runtime();;R:=IrreducibleRepresentations(G);;Print(Runtime()-t,"
      "\"\\n\");;"
      "for r in R do for g in [" +
      classes + "] do Print(TraceMat(g^r),\" \");od;Print(\"\\n\");od;QUIT;";
  FILE* pipe = popen(("printf %s '" + script + "' | gap -q 2>/dev/null").c_str(), "r");
  if (pipe == nullptr) return false;
  std::string text;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  pclose(pipe);
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  answer.milliseconds = std::atof(line.c_str());
  while (std::getline(lines, line)) {
    std::istringstream numbers(line);
    Character character;
    for (long value = 0; numbers >> value;) character.push_back(value);
    if (!character.empty()) answer.characters.push_back(character);
  }
  std::sort(answer.characters.begin(), answer.characters.end());
  return true;
}

}  // namespace

int main() {
  const std::string spec = "(1,2,3,4,5);(1,2)";
  std::vector<Character> ours;
  double best = 1e300;
  for (int run = 0; run < kRuns; ++run) {
    // A new group value each time: nothing is kept from the run before.
    const auto start = std::chrono::steady_clock::now();
    const algprior::Group group = algprior::make_group(spec);
    const auto irreps = algprior::irreducible_representations(algprior::character_table(group));
    best = std::min(best, milliseconds_since(start));
    if (run == 0) ours = our_characters(group, irreps);
  }
  GapAnswer gap;
  if (!ask_gap(gap)) {
    fmt::print("irreps of S5: {:.3f} ms (GAP is not installed)\n", best);
    return 0;
  }
  if (gap.characters != ours) {
    fmt::print(stderr, "irreps of S5: the characters differ from GAP's\n");
    return 1;
  }
  fmt::print("irreps of S5: {:.3f} ms, GAP {:.0f} ms, {:.0f} times as fast; characters agree\n",
             best, gap.milliseconds, gap.milliseconds / best);
}
