#include "algprior/base/suggest.hpp"

#include "algprior/base/choice.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace algprior {
namespace {

TEST(EditDistance, CountsEdits) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("abc", ""), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("doctor", "dcotor"), 1U);  // neighbours swapped
  EXPECT_EQ(edit_distance("ca", "abc"), 3U);         // optimal alignment: no letter edited twice
}

TEST(EditDistance, IsSymmetric) {
  const std::vector<std::string> words = {"", "a", "ab", "ba", "group", "gruop", "data", "doctor"};
  for (const std::string& a : words) {
    for (const std::string& b : words) {
      EXPECT_EQ(edit_distance(a, b), edit_distance(b, a));
      EXPECT_EQ(edit_distance(a, b) == 0, a == b);
    }
  }
}

const std::vector<std::string> kCommands = {"group", "data", "doctor", "train", "--threads", "D4"};

TEST(NearestName, FindsWhatWasMeant) {
  EXPECT_EQ(nearest_name("grup", kCommands), "group");
  EXPECT_EQ(nearest_name("gruop", kCommands), "group");
  EXPECT_EQ(nearest_name("GROUP", kCommands), "group");
  EXPECT_EQ(nearest_name("doc", kCommands), "doctor");
  EXPECT_EQ(nearest_name("--thread", kCommands), "--threads");
  EXPECT_EQ(nearest_name("tarin", kCommands), "train");
  EXPECT_EQ(nearest_name("d4", kCommands), "D4");
}

TEST(NearestName, SaysNothingWhenNothingIsNear) {
  EXPECT_EQ(nearest_name("xyzzy", kCommands), std::nullopt);
  EXPECT_EQ(nearest_name("", kCommands), std::nullopt);
  EXPECT_EQ(nearest_name("q", kCommands), std::nullopt);
  EXPECT_EQ(nearest_name("group", {}), std::nullopt);
  EXPECT_EQ(nearest_name(std::string(100000, 'g'), kCommands), std::nullopt);
}

TEST(NearestName, TheFirstWinsAmongEquals) {
  const std::vector<std::string> names = {"cat", "car"};
  EXPECT_EQ(nearest_name("cab", names), "cat");
}

TEST(DidYouMean, IsASentence) {
  EXPECT_EQ(did_you_mean("grup", kCommands), "did you mean \"group\"?");
  EXPECT_EQ(did_you_mean("xyzzy", kCommands), "");
}

enum class Side { left, right };
constexpr Choices<Side, 2> kSides = {{"left", Side::left}, {"right", Side::right}};

TEST(ParseChoice, ReadsAndWritesTheSameNames) {
  for (const auto& [name, side] : kSides) {
    EXPECT_EQ(parse_choice(kSides, name, "no such side"), side);
    EXPECT_EQ(choice_name(kSides, side), name);
  }
}

TEST(ParseChoice, OtherWordsAreRefusedWithTheNamesAndTheNearest) {
  try {
    parse_choice(kSides, "rihgt", "no such side");
    FAIL() << "a misspelt name was taken";
  } catch (const InputError& error) {
    const std::string message = error.what();
    for (const char* part : {"no such side", "rihgt", "one of left, right", "mean \"right\"?"}) {
      EXPECT_NE(message.find(part), std::string::npos) << part << " in " << message;
    }
  }
  EXPECT_THROW(parse_choice(kSides, "", "no such side"), InputError);
  EXPECT_THROW(parse_choice(kSides, "Left", "no such side"), InputError);
}

}  // namespace
}  // namespace algprior
