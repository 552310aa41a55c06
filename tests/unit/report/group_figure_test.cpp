#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/report/figure.hpp"
#include "small_runs.hpp"

#include <gtest/gtest.h>

namespace algprior::report {
namespace {

// An arrow from each element for each generator; of an involution one plain line a pair.
TEST(GroupFigure, CayleyGraphHasAllEdges) {
  const Figure d4 = cayley_figure(make_group("D4"));
  EXPECT_EQ(count_of_text(d4.body, "ax vx"), 8u);
  EXPECT_EQ(count_of_text(d4.body, "class=\"s0\""), 8u + 1);  // r, and the legend
  EXPECT_EQ(count_of_text(d4.body, "class=\"f0\""), 8u);      // heads
  EXPECT_EQ(count_of_text(d4.body, "class=\"s1\""), 4u + 1);  // s = s⁻¹
  EXPECT_EQ(count_of_text(d4.body, "class=\"f1\""), 0u);
  EXPECT_EQ(d4.numbers.rows[1], (std::vector<std::string>{"r", "r²", "rs"}));
  for (const char* name : {"C1", "C2", "C7", "C2^3", "S4", "A5", "Q8", "D4xD4"}) {
    const Figure figure = cayley_figure(make_group(name));
    EXPECT_EQ(figure.numbers.rows.size(), make_group(name).order()) << name;
    EXPECT_EQ(figure.body.find("nan"), std::string::npos) << name;
  }
  EXPECT_THROW(cayley_figure(make_group("S6")), LimitError);
}

TEST(GroupFigure, CharactersAsAGrid) {
  const Figure s4 = characters_figure(make_group("S4"));
  EXPECT_EQ(count_of_text(s4.body, "class=\"cell\""), 25u);
  EXPECT_EQ(s4.numbers.rows.size(), 5u);
  EXPECT_EQ(s4.numbers.rows[0], (std::vector<std::string>{"χ0", "1", "1", "1", "1", "1"}));
  EXPECT_THROW(characters_figure(make_group("C100")), LimitError);
}

}  // namespace
}  // namespace algprior::report
