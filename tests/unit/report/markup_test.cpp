#include "algprior/report/markup.hpp"

#include <string>

#include <gtest/gtest.h>

namespace algprior::report {
namespace {

TEST(Markup, NothingLeavesItsPlace) {
  EXPECT_EQ(escape("<b a='1' c=\"2\">&</b>"),
            "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;&lt;/b&gt;");
  EXPECT_EQ(escape("</script><script>"), "&lt;/script&gt;&lt;script&gt;");
  EXPECT_EQ(escape("größe ρ̂ 𝔾"), "größe ρ̂ 𝔾");
}

// XML forbids these, and a browser would guess at them.
TEST(Markup, WhatIsNoTextIsMarked) {
  const std::string mark = "\xEF\xBF\xBD";
  EXPECT_EQ(escape(std::string("a\0b", 3)), "a" + mark + "b");
  EXPECT_EQ(escape("\x1b[31m"), mark + "[31m");
  EXPECT_EQ(escape("\xff"), mark);
  EXPECT_EQ(escape("\xc0\xaf"), mark + mark);             // "/" in two bytes
  EXPECT_EQ(escape("\xed\xa0\x80"), mark + mark + mark);  // half of a pair
  EXPECT_EQ(escape("\xe2\x82"), mark + mark);             // cut
  EXPECT_EQ(escape("\xef\xbf\xbf"), mark + mark + mark);  // no character
}

TEST(Markup, Base64OfTheStandard) {
  EXPECT_EQ(to_base64(""), "");
  EXPECT_EQ(to_base64("f"), "Zg==");
  EXPECT_EQ(to_base64("fo"), "Zm8=");
  EXPECT_EQ(to_base64("foo"), "Zm9v");
  EXPECT_EQ(to_base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(to_base64("\xff\xfe\xfd"), "//79");
}

TEST(Markup, NumbersAndSlugs) {
  EXPECT_EQ(number_text(0.0), "0");
  EXPECT_EQ(number_text(-0.0), "0");
  EXPECT_EQ(number_text(1.0 / 3), "0.3333");
  EXPECT_EQ(number_text(NAN), "–");
  EXPECT_EQ(number_text(INFINITY), "–");
  EXPECT_EQ(to_slug("curve/validation/accuracy"), "curve-validation-accuracy");
  EXPECT_EQ(to_slug("\"><script>"), "script");
  EXPECT_EQ(to_slug("…"), "x");
}

}  // namespace
}  // namespace algprior::report
