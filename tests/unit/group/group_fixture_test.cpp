// Facts that GAP found (oracles/gap/groups.g) about a few hundred groups of order up to 127.
#include "algprior/group/make_group.hpp"
#include "algprior/group/subgroup.hpp"

#include <fstream>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace algprior {
namespace {

nlohmann::json fixture() {
  std::ifstream file(ALGPRIOR_TEST_DATA "/groups.json");
  return nlohmann::json::parse(file).at("groups");
}

TEST(GroupsOfGap, HaveTheSameFacts) {
  const nlohmann::json groups = fixture();
  ASSERT_GE(groups.size(), 300u);
  for (const auto& known : groups) {
    SCOPED_TRACE(known["id"].dump());
    const Group group = make_group(known["generators"].get<std::string>());
    EXPECT_EQ(group.order(), known["id"][0]);
    EXPECT_EQ(exponent(group), known["exponent"]);
    EXPECT_EQ(center(group).order(), known["center"]);
    EXPECT_EQ(derived_subgroup(group).order(), known["derived"]);
    std::multiset<std::pair<std::size_t, std::size_t>> classes, expected;
    for (const auto& members : group.classes().members) {
      classes.insert({members.size(), group.element_order(members.front())});
    }
    for (const auto& entry : known["classes"])
      expected.insert({entry[0].get<std::size_t>(), entry[1].get<std::size_t>()});
    EXPECT_EQ(classes, expected);
    EXPECT_EQ(normal_subgroups(group).size(), known["normal"]);
  }
}

TEST(GroupsOfGap, HaveTheSameSubgroups) {
  for (const auto& known : fixture()) {
    if (!known.contains("subgroups")) continue;
    SCOPED_TRACE(known["id"].dump());
    const auto classes = subgroup_classes(make_group(known["generators"].get<std::string>()));
    std::size_t all = 0;
    for (const auto& entry : classes) all += entry.size;
    EXPECT_EQ(classes.size(), known["subgroups"][0]);
    EXPECT_EQ(all, known["subgroups"][1]);
  }
}

}  // namespace
}  // namespace algprior
