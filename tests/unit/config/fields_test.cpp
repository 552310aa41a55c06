#include "algprior/config/fields.hpp"

#include "algprior/toml/read_config.hpp"
#include "small_schema.hpp"

namespace algprior::config {
namespace {

enum class Shape { round, square };
constexpr Choices<Shape, 2> kShapes = {{"round", Shape::round}, {"square", Shape::square}};

struct SmallSettings {
  std::string kind = "disc";
  double radius = 1.5;
  std::int64_t corners = 4;
  Shape shape = Shape::round;
  std::vector<std::int64_t> sizes = {1, 2};
  bool filled = false;

  void bind(Fields& fields) {
    fields.text("figure.kind", kind, "what is drawn").one_of({"disc", "polygon", "star"});
    fields.when("figure.kind", {"disc"},
                [&] { fields.real("figure.size", radius, "radius").above(0); });
    fields.when("figure.kind", {"polygon", "star"}, [&] {
      fields.integer("figure.size", corners, "corners").at_least(3);
      fields.choice("figure.shape", shape, kShapes, "of the corners");
      fields.when("figure.shape", {"square"},
                  [&] { fields.boolean("figure.filled", filled, "whether they are filled"); });
    });
    fields.integers("figure.sizes", sizes, "further sizes");
  }
};

SmallSettings decode(const std::string& text) {
  SmallSettings settings;
  Fields fields;
  settings.bind(fields);
  fields.assign(parse_config(fields.schema(), text, "small.toml"));
  return settings;
}

std::string refusal(const std::string& text) {
  try {
    decode(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

struct OpenSettings {
  std::string what = "none";
  double size = 2.0;
  std::int64_t count = 7;

  void bind(Fields& fields) {
    fields.text("thing.what", what, "none, learned or any text");
    fields.unless("thing.what", {"none", "learned"},
                  [&] { fields.real("thing.size", size, "of what is fixed"); });
    fields.when("thing.what", {"learned"},
                [&] { fields.integer("thing.size", count, "of what is learned"); });
  }
};

TEST(Fields, KeysMayBeReadUnlessASelectorHasCertainValues) {
  OpenSettings settings;
  Fields fields;
  settings.bind(fields);
  const auto read = [&](const std::string& text) {
    fields.assign(parse_config(fields.schema(), text, "open.toml"));
  };
  read("[thing]\nwhat = \"anything\"\nsize = 3.5\n");
  EXPECT_EQ(settings.size, 3.5);
  read("[thing]\nwhat = \"learned\"\nsize = 9\n");
  EXPECT_EQ(settings.count, 9);
  EXPECT_EQ(settings.size, 3.5);
  try {
    read("[thing]\nwhat = \"none\"\nsize = 3.5\n");
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("thing.what other than \"none\" or \"learned\""),
              std::string::npos)
        << error.what();
  }
  const Schema again = parse_schema(to_json(fields.schema()));
  EXPECT_EQ(to_json(again), to_json(fields.schema()));
  EXPECT_TRUE(again.keys().at(1).when.at(0).excluded);
}

TEST(Fields, UnlessAndWhenOnOneValueAreOneKeyTwice) {
  double size = 2.0;
  std::string what;
  Fields fields;
  fields.text("thing.what", what, "any text");
  fields.unless("thing.what", {"none"}, [&] { fields.real("thing.size", size, ""); });
  fields.when("thing.what", {"learned"}, [&] { fields.real("thing.size", size, ""); });
  EXPECT_THROW(fields.schema(), InputError);
}

TEST(Fields, DefaultsAreTheMembersValues) {
  const SmallSettings settings = decode("");
  EXPECT_EQ(settings.radius, 1.5);
  EXPECT_EQ(settings.sizes, (std::vector<std::int64_t>{1, 2}));
}

TEST(Fields, OneNameHasTheTypeOfItsCondition) {
  EXPECT_EQ(decode("[figure]\nsize = 0.25\n").radius, 0.25);
  const SmallSettings star =
      decode("[figure]\nkind = \"star\"\nsize = 7\nshape = \"square\"\nfilled = true\n");
  EXPECT_EQ(star.corners, 7);
  EXPECT_EQ(star.shape, Shape::square);
  EXPECT_TRUE(star.filled);
  EXPECT_EQ(star.radius, 1.5);
}

TEST(Fields, WhatIsNotReadIsRefusedWithWhatWouldWork) {
  const std::string other = refusal("[figure]\nshape = \"round\"\n");
  expect_contains(other, "figure.shape is not read here");
  expect_contains(other, "small.toml:2:1");
  expect_contains(other, "figure.kind = \"polygon\" or \"star\"");
  const std::string nested = refusal("[figure]\nkind = \"star\"\nfilled = true\n");
  expect_contains(nested, "figure.shape = \"square\"");
  EXPECT_EQ(nested.find("figure.kind ="), std::string::npos) << nested;  // that one holds already
  expect_contains(refusal("[figure]\nkind = \"star\"\nsize = 0.5\n"), "an integer of at least 3");
  expect_contains(refusal("[figure]\nkind = \"sta\"\n"), "star");
}

TEST(Fields, WhatAnOverrideLeavesUnreadIsPassedOver) {
  const char* star = "[figure]\nkind = \"star\"\nshape = \"square\"\nfilled = true\n";
  SmallSettings settings;
  Fields fields;
  settings.bind(fields);
  const auto parse = [&](const char* text, const std::vector<std::string>& overrides) {
    return parse_config(fields.schema(), text, "small.toml", overrides);
  };
  const Config disc = parse(star, {"figure.kind=disc"});
  EXPECT_FALSE(disc.has("figure.shape"));
  EXPECT_FALSE(disc.has("figure.filled"));
  // What the file had unread before, what the override itself gives in vain, and what nobody knows.
  EXPECT_THROW(parse("[figure]\nshape = \"round\"\n", {"figure.sizes=3"}), ConfigError);
  EXPECT_THROW(parse(star, {"figure.kind=disc", "figure.shape=round"}), ConfigError);
  EXPECT_THROW(parse("[figure]\ngone = 3\n", {"figure.kind=disc"}), ConfigError);
}

TEST(Fields, FilesOfOlderVersionsMayHoldMore) {
  SmallSettings settings;
  Fields fields;
  settings.bind(fields);
  const Config config = parse_config(fields.schema(), "[figure]\nshape = \"round\"\ngone = 3\n",
                                     "old.toml", {}, Unread::dropped);
  EXPECT_FALSE(config.has("figure.shape"));
  EXPECT_EQ(config.get<std::string>("figure.kind"), "disc");
}

TEST(Fields, ASchemaSurvivesJson) {
  SmallSettings settings;
  Fields fields;
  settings.bind(fields);
  const Schema schema = fields.schema();
  const Schema again = parse_schema(to_json(schema));
  EXPECT_EQ(to_json(again), to_json(schema));
  EXPECT_EQ(starter_toml(again), starter_toml(schema));
  expect_contains(starter_toml(again, {{"figure.kind", "star"}}), "# corners");
  EXPECT_THROW(parse_schema("{"), InputError);
  EXPECT_THROW(parse_schema("[{\"name\":\"a\",\"type\":9,\"description\":\"\"}]"), InputError);
}

TEST(Fields, ASchemaRefusesKeysThatCannotBeToldApart) {
  SmallSettings settings;
  Fields fields;
  settings.bind(fields);
  fields.integer("figure.size", settings.corners, "again, without a condition");
  EXPECT_THROW(fields.schema(), InputError);
  Fields early;
  early.when("figure.kind", {"disc"}, [&] { early.real("figure.size", settings.radius, ""); });
  EXPECT_THROW(early.schema(), InputError);  // its selector does not stand before it
}

}  // namespace
}  // namespace algprior::config
