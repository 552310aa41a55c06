// Coset enumeration of ⟨a,b | a², b³, (ab)⁷, [a,b]⁸⟩ over the trivial subgroup, order 10,752,
// beside GAP's CosetTableFromGensAndRels where GAP is installed. The indices are compared first;
// the time is processor time, the mean of ten runs on each side.
#include "algprior/group/coset_enumeration.hpp"

#include "algprior/group/presentation.hpp"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include <fmt/core.h>

namespace {

constexpr int kRuns = 10;

struct Answer {
  std::size_t index = 0;
  double milliseconds = 0;
};

Answer ours() {
  const auto presentation = algprior::parse_presentation("<a,b | a^2, b^3, (a*b)^7, [a,b]^8>");
  Answer answer;
  const std::clock_t start = std::clock();
  for (int run = 0; run < kRuns; ++run) {
    answer.index = algprior::enumerate_cosets(presentation).count;
  }
  answer.milliseconds = 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / kRuns;
  return answer;
}

// GAP measures itself: its start is not counted.
Answer gap() {
  const std::string program = fmt::format(
      R"(f := FreeGroup("a","b");; a := f.1;; b := f.2;; start := Runtime();;
for i in [1..{}] do
  n := Length(CosetTableFromGensAndRels([a,b], [a^2,b^3,(a*b)^7,Comm(a,b)^8], [])[1]);
od;
Print(n, " ", Runtime() - start, "\n"); QUIT;
)",
      kRuns);
  FILE* pipe = popen(("printf %s '" + program + "' | gap -q -A 2>/dev/null").c_str(), "r");
  Answer answer;
  if (pipe == nullptr) return answer;
  if (std::fscanf(pipe, "%zu %lf", &answer.index, &answer.milliseconds) != 2) answer.index = 0;
  pclose(pipe);
  answer.milliseconds /= kRuns;
  return answer;
}

}  // namespace

int main() {
  const Answer own = ours();
  fmt::print("algprior  index {}  {:.1f} ms\n", own.index, own.milliseconds);
  const Answer other = gap();
  if (other.index == 0) {
    fmt::print("GAP is not installed: nothing to compare with\n");
    return own.index == 10752 ? EXIT_SUCCESS : EXIT_FAILURE;
  }
  fmt::print("GAP       index {}  {:.1f} ms\n", other.index, other.milliseconds);
  if (own.index != other.index) {
    fmt::print("the answers differ\n");
    return EXIT_FAILURE;
  }
  fmt::print("ratio     {:.2f} (at most 2)\n", own.milliseconds / other.milliseconds);
  return EXIT_SUCCESS;
}
