// Character tables from GAP (oracles/gap/characters.g), compared exactly. GAP names a
// representative of each class by a word in the generators, so the columns need no guessing; rows
// are compared as sets.

#include "algprior/group/make_group.hpp"
#include "algprior/rep/character_table.hpp"
#include "algprior/rep/character_text.hpp"

#include <fstream>
#include <map>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace algprior {
namespace {

using Json = nlohmann::json;
using Terms = std::vector<std::pair<std::uint32_t, std::int64_t>>;
using Key = std::vector<std::pair<std::uint32_t, Terms>>;  // a row with an order on it

Cyclotomic to_cyclotomic(const Json& value) {
  std::vector<Cyclotomic::Term> terms;
  for (std::size_t i = 1; i < value.size(); i += 2) terms.push_back({value[i], value[i + 1]});
  return Cyclotomic::sum(value[0], terms);
}

void append(Key& key, const Cyclotomic& value) {
  Terms terms;
  for (const auto& t : value.terms()) terms.emplace_back(t.exponent, t.coefficient);
  key.emplace_back(value.conductor(), std::move(terms));
}

void compare(const Json& fixture) {
  SCOPED_TRACE(fixture["id"].dump());
  const Group group = make_group(fixture["generators"].get<std::string>());
  ASSERT_EQ(group.order(), fixture["id"][0].get<std::size_t>());
  const ConjugacyClasses& classes = group.classes();
  const std::size_t k = fixture["classes"].size();
  ASSERT_EQ(classes.count(), k);

  const CharacterTable table = character_table(group);
  std::vector<std::size_t> column(k);
  std::vector<bool> used(k, false);
  for (std::size_t c = 0; c < k; ++c) {
    const Json& expected = fixture["classes"][c];
    const Element g = group.evaluate(expected[2].get<Word>());
    column[c] = classes.class_of[g];
    ASSERT_EQ(classes.members[column[c]].size(), expected[0].get<std::size_t>());
    ASSERT_EQ(table.powers().element_order(column[c]), expected[1].get<std::uint32_t>());
    ASSERT_FALSE(used[column[c]]) << "two of GAP's classes are one of ours";
    used[column[c]] = true;
  }
  for (const auto& [prime, images] : fixture["powers"].items()) {
    for (std::size_t c = 0; c < k; ++c) {
      EXPECT_EQ(table.powers().power(column[c], std::stoi(prime)), column[images[c]]);
    }
  }

  std::map<Key, int> ours;
  for (std::size_t i = 0; i < k; ++i) {
    Key key;
    for (std::size_t c = 0; c < k; ++c) append(key, table.exact(i, column[c]));
    ours.emplace(std::move(key), table.frobenius_schur(i));
  }
  std::vector<Cyclotomic> values;
  for (const Json& value : fixture["values"]) values.push_back(to_cyclotomic(value));
  for (std::size_t i = 0; i < k; ++i) {
    Key key;
    for (std::size_t c = 0; c < k; ++c) {
      append(key, values.at(fixture["table"][i][c].get<std::size_t>()));
    }
    const auto it = ours.find(key);
    ASSERT_NE(it, ours.end()) << "GAP's character " << i << " is not in our table";
    EXPECT_EQ(it->second, fixture["indicators"][i].get<int>());
  }
}

std::size_t compare_file(const std::string& name) {
  std::ifstream file(std::string(ALGPRIOR_TEST_DATA) + "/" + name);
  const Json data = Json::parse(file);
  for (const Json& fixture : data["groups"]) compare(fixture);
  return data["groups"].size();
}

TEST(CharacterFixtures, NonAbelianGroupsToOrder60) {
  EXPECT_EQ(compare_file("characters_60.json"), 210u);
}

TEST(CharacterFixtures, FurtherGroupsToOrder127) {
  EXPECT_EQ(compare_file("characters_127.json"), 123u);
}

TEST(CharacterText, HasARowForEachCharacter) {
  EXPECT_EQ(characters_text(character_table(make_group("C2")), 80),
            "      1a  2a  type  real degree\n"
            "size   1   1\n"
            "-------------------------------\n"
            "χ1     1   1  real            1\n"
            "χ2     1  -1  real            1\n");
}

}  // namespace
}  // namespace algprior
