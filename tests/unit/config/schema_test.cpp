#include "algprior/config/schema.hpp"

#include "small_schema.hpp"

#include <cmath>

namespace algprior::config {
namespace {

TEST(Schema, RefusesItsOwnMistakes) {
  const Key a = Key::integer("a", "");
  EXPECT_THROW(Schema({a, a}), InputError);
  EXPECT_THROW(Schema({a, Key::integer("a.b", "")}), InputError);
  EXPECT_NO_THROW(Schema({a, Key::integer("ab.c", "")}));
  EXPECT_THROW(Schema({Key::integer("a b", "")}), InputError);
  EXPECT_THROW(Schema({Key::integer("a..b", "")}), InputError);
  EXPECT_THROW(Schema({Key::integer("a", "").at_least(1).by_default(0)}), InputError);
  EXPECT_THROW(Schema({Key::integer("a", "").by_default(1.0)}), InputError);
  EXPECT_THROW(Schema({Key::integer("a", "").at_least(1).starts_with(0)}), InputError);
}

TEST(Schema, SaysWhatAKeyMayBe) {
  EXPECT_EQ(expected_text(Key::integer("a", "").at_least(1)), "an integer of at least 1");
  EXPECT_EQ(expected_text(Key::real("a", "").above(0).at_most(0.5)),
            "a number above 0, at most 0.5");
  EXPECT_EQ(expected_text(Key::real("a", "").at_least(0).at_most(1)), "a number from 0 to 1");
  EXPECT_EQ(expected_text(Key::text("a", "").one_of({"x", "y"})), "one of \"x\", \"y\"");
  EXPECT_EQ(expected_text(Key::reals("a", "").of_length(2).at_most(3)),
            "a list of numbers of length 2, each of at most 3");
}

TEST(Schema, BoundsAreSharp) {
  const Key open = Key::real("a", "").above(0).at_most(1);
  EXPECT_FALSE(allows(open, 0.0));
  EXPECT_TRUE(allows(open, 1e-300));
  EXPECT_TRUE(allows(open, 1.0));
  EXPECT_FALSE(allows(open, 1.0000000001));
  EXPECT_FALSE(allows(open, std::nan("")));
  EXPECT_FALSE(allows(open, std::int64_t{1}));
  const Key closed = Key::integers("a", "").at_least(-2).of_length(2);
  EXPECT_TRUE(allows(closed, std::vector<std::int64_t>{-2, 5}));
  EXPECT_FALSE(allows(closed, std::vector<std::int64_t>{-3, 5}));
  EXPECT_FALSE(allows(closed, std::vector<std::int64_t>{1}));
}

TEST(Schema, StarterFileIsAConfigurationOnceRequiredKeysAreFilledIn) {
  const std::string starter = starter_toml(small_schema());
  expect_contains(starter,
                  "# how often the data is seen (an integer of at least 1)\nepochs = 100\n");
  expect_contains(starter, "# what the run is called (required: a text)\n# name =\n");
  expect_contains(starter, "[prior.latent]\n");
  const Config config = parse_config(small_schema(), starter, "starter", {"name=x"});
  const Config plain = parse_config(small_schema(), "name = \"x\"", "plain");
  EXPECT_EQ(to_toml(config), to_toml(plain));
  std::size_t from_file = 0;
  for (const Setting& setting : config.settings()) from_file += setting.origin != "default";
  EXPECT_EQ(from_file, config.settings().size());
}

// What is best for a new file may differ from what a file without the line has always meant.
TEST(Schema, ANewFileMayBeginWithOtherValuesThanTheDefaults) {
  const Schema schema(
      {Key::text("kind", "which").one_of({"old", "new"}).by_default("old").starts_with("new"),
       Key::real("weight", "how strong").by_default(0.0).starts_with(1.0)});
  const std::string starter = starter_toml(schema);
  expect_contains(starter, "; without this line \"old\")\nkind = \"new\"\n");
  expect_contains(starter, "# how strong (a number; without this line 0.0)\nweight = 1.0\n");
  EXPECT_EQ(parse_config(schema, starter, "starter").get<double>("weight"), 1.0);
  EXPECT_EQ(parse_config(schema, "", "empty").get<double>("weight"), 0.0);
  const std::string selected = starter_toml(schema, {{"kind", "old"}});
  expect_contains(selected, "one of \"old\", \"new\")\nkind = \"old\"\n");
  EXPECT_EQ(starter_toml(parse_schema(to_json(schema))), starter);
}

}  // namespace
}  // namespace algprior::config
