#include "algprior/toml/read_config.hpp"
#include "small_schema.hpp"

#include <cmath>
#include <limits>

namespace algprior::config {
namespace {

Config parsed(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return parse_config(small_schema(), text, "my.toml", overrides);
}

TEST(Config, ValuesDefaultsAndOrigins) {
  const Config config = parsed("name = \"x\"\n[train]\nepochs = 7\nrate = 1\n");
  EXPECT_EQ(config.get<std::int64_t>("train.epochs"), 7);
  EXPECT_EQ(config.get<double>("train.rate"), 1.0);  // an integer serves as a number
  EXPECT_EQ(config.get<std::string>("train.optimizer"), "adam");
  EXPECT_EQ(config.find("train.epochs")->origin, "my.toml:3:10");
  EXPECT_EQ(config.find("train.optimizer")->origin, "default");
  EXPECT_FALSE(config.has("prior.latent.weight"));
  EXPECT_THROW(config.get<double>("train.epochs"), InputError);
  EXPECT_THROW(config.get<double>("prior.latent.weight"), InputError);
}

TEST(Config, UnknownKeysNameThePlaceAndTheNearest) {
  auto problems = problems_of("name = \"x\"\n[train]\n  epohcs = 7\n");
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].where, "my.toml:3:3");
  expect_contains(problems[0].what, "train.epohcs");
  expect_contains(problems[0].next, "train.epochs");
  problems = problems_of("name = \"x\"\nepochs = 7\n");  // the right word in the wrong table
  expect_contains(problems[0].next, "train.epochs");
  problems = problems_of("name = \"x\"\n[trian]\nepochs = 7\nrate = 1\n");
  ASSERT_EQ(problems.size(), 1u) << "a misspelled table is one mistake";
  expect_contains(problems[0].next, "\"train\"");
}

TEST(Config, WrongTypesAndRangesNameThePlaceAndWhatIsRight) {
  const auto only = [](const std::string& line) {
    const auto problems = problems_of("name = \"x\"\n" + line);
    EXPECT_EQ(problems.size(), 1u) << line;
    return problems[0];
  };
  Failure problem = only("train.epochs = \"many\"");
  EXPECT_EQ(problem.where, "my.toml:2:16");
  expect_contains(problem.what, "a text");
  expect_contains(problem.expected, "an integer of at least 1");
  problem = only("train.epochs = 3.0");
  expect_contains(problem.next, "without a point");
  problem = only("train.epochs = 0");
  expect_contains(problem.what, "train.epochs = 0");
  problem = only("train.optimizer = \"adm\"");
  expect_contains(problem.next, "adam");
  problem = only("model.widths = [8, 0]");
  expect_contains(problem.expected, "each of at least 1");
  problem = only("model.widths = [8, \"a\"]");
  expect_contains(problem.what, "a list");
  only("model.widths = 8");
  only("data.crop = [0, 0, 1]");
  only("reference = [\"D-3\"]");
  only("train.shuffle = 1");
  only("train.rate = nan");
  problem = only("train.rate = 1979-05-27");
  expect_contains(problem.what, "date");
  problem = only("train = 5");
  expect_contains(problem.expected, "a table");
  only("[train.epochs]\nx = 1");
}

TEST(Config, EveryMistakeIsReported) {
  const auto problems =
      problems_of("[train]\nepochs = 0\nrate = 2\nfoo = 1\n", {"train.shuffle=maybe", "bar=1"});
  ASSERT_EQ(problems.size(), 6u);
  const std::string text = ConfigError("my.toml", problems).what();
  for (const char* part : {"6 errors", "my.toml:2:10", "my.toml:3:8", "my.toml:4:1",
                           "--set train.shuffle=maybe", "--set bar=1", "the key name is missing"}) {
    expect_contains(text, part);
  }
}

TEST(Config, BrokenTomlNamesThePlace) {
  const auto problems = problems_of("name = \"x\"\n[train\nepochs = 1\n", {"name=x"});
  ASSERT_EQ(problems.size(), 1u);
  expect_contains(problems[0].where, "my.toml:2:");
  expect_contains(problems_of("name = 1\nname = 2")[0].what, "not TOML");
  expect_contains(problems_of("name = \"\xFF\"")[0].what, "not TOML");
}

TEST(Config, ControlCharactersAreRefusedBeforeTheParserSeesThem) {
  // Found by the fuzzer: toml++ 3.3 asserts on a zero byte in a table's name.
  using namespace std::string_literals;
  const auto problems = problems_of("name = \"x\"\n[\0\0\0."s);
  EXPECT_EQ(problems[0].where, "my.toml:2:2");
  expect_contains(problems[0].what, "control character");
  problems_of("name = \"\x7F\"");
  problems_of("name = \"x\"", {"train.epochs=1\x01"});
  EXPECT_EQ(parsed("name\t=\t\"x\"\r\n").get<std::string>("name"), "x");
}

TEST(Config, OverridesAreTypedByTheSchema) {
  const Config config =
      parsed("name = \"x\"\n[train]\nepochs = 7\n",
             {"train.epochs=8", "train.epochs = 9", "train.rate=1e-2", "train.optimizer=sgd",
              "name='two words'", "model.widths=1,2,3", "reference=D-2, D-5", "data.crop=[0,0,1,2]",
              "train.shuffle=false"});
  EXPECT_EQ(config.get<std::int64_t>("train.epochs"), 9);
  EXPECT_EQ(config.find("train.epochs")->origin, "--set train.epochs = 9");
  EXPECT_EQ(config.get<double>("train.rate"), 0.01);
  EXPECT_EQ(config.get<std::string>("train.optimizer"), "sgd");
  EXPECT_EQ(config.get<std::string>("name"), "two words");
  EXPECT_EQ(config.get<std::vector<std::int64_t>>("model.widths").size(), 3u);
  EXPECT_EQ(config.get<std::vector<std::string>>("reference"),
            (std::vector<std::string>{"D-2", "D-5"}));
  EXPECT_EQ(
      parsed("name = \"x\"", {"reference="}).get<std::vector<std::string>>("reference").size(), 0u);
  EXPECT_EQ(parsed("", {"name=a=b, [c] # \"d\" 'e"}).get<std::string>("name"),
            "a=b, [c] # \"d\" 'e");
}

TEST(Config, WrongOverridesNameTheirText) {
  for (const char* text : {"train.epochs", "train.epohcs=3", "train.epochs=x", "train.epochs=",
                           "train=3", "train.epochs=1\nfoo=2", "=3", "train.epochs=1 ]"}) {
    const auto problems = problems_of("name = \"x\"", {text});
    ASSERT_EQ(problems.size(), 1u) << text;
    EXPECT_EQ(problems[0].where, std::string("--set ") + text);
  }
}

TEST(Config, ResolvedConfigurationRoundTrips) {
  const Config config =
      parsed("name = 'tab\t\"quote\" \\ \u00fc'\nreference = [\"D-5\"]\n[train]\nrate = 0.1\n",
             {"prior.latent.weight=1e300"});
  const std::string text = to_toml(config);
  const Config again = parsed(text);
  EXPECT_EQ(to_toml(again), text);
  EXPECT_TRUE(differences(config, again).empty());
  EXPECT_EQ(config_hash(again), config_hash(config));
  EXPECT_EQ(again.get<double>("train.rate"), 0.1);
  EXPECT_EQ(again.get<std::string>("name"), "tab\t\"quote\" \\ \u00fc");
}

TEST(Config, EveryValueReadsBackToTheSameBits) {
  const Schema schema({Key::real("x", ""), Key::text("t", ""), Key::integer("i", "")});
  for (const double value :
       {0.0, -0.0, 1.0, 1e21, 1e-7, 5e-324, 1.7976931348623157e308, 1.0 / 3,
        std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()}) {
    const Config config = parse_config(schema, "x = " + to_text(Value(value)), "x");
    EXPECT_EQ(config.get<double>("x"), value);
    EXPECT_EQ(std::signbit(config.get<double>("x")), std::signbit(value));
  }
  for (int code = 1; code < 128; ++code) {
    const std::string value(3, static_cast<char>(code));
    const Config config = parse_config(schema, "t = " + to_text(Value(value)), "x");
    EXPECT_EQ(config.get<std::string>("t"), value) << code;
  }
  for (const std::int64_t value :
       {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
    const Config config = parse_config(schema, "i = " + to_text(Value(value)), "x");
    EXPECT_EQ(config.get<std::int64_t>("i"), value);
  }
}

TEST(Config, HashFollowsValuesAndNothingElse) {
  const Config a = parsed("name = \"x\"\n[train]\nepochs = 7\nrate = 1\n");
  const Config b = parsed("# comment\ntrain = {rate = 1.0, epochs = 7}\n", {"name=x"});
  EXPECT_EQ(config_hash(a), config_hash(b));
  EXPECT_EQ(config_hash(a).size(), 64u);
  EXPECT_NE(config_hash(a), config_hash(parsed("name = \"x\"\n[train]\nepochs = 8\nrate = 1\n")));
}

TEST(Config, DifferencesListEverySetting) {
  const Config a = parsed("name = \"x\"\n[train]\nepochs = 7\n");
  const Config b = parsed("name = \"y\"\n[train]\nepochs = 7\n[prior.latent]\nweight = 2\n");
  EXPECT_EQ(to_text(differences(a, b)),
            "name: \"x\" → \"y\"\nprior.latent.weight: (not set) → 2.0\n");
  EXPECT_EQ(to_text(differences(b, a)),
            "name: \"y\" → \"x\"\nprior.latent.weight: 2.0 → (not set)\n");
}

TEST(Config, HostileNestingEndsInAMessage) {
  std::string deep = "a";
  while (deep.size() < 8000) deep += ".a";
  problems_of(deep + " = 1");
  problems_of("[" + deep + "]\n" + deep + " = 1");
  problems_of("a = " + std::string(4000, '['));
  std::string longer = deep;
  while (longer.size() < 200'000) longer += ".a";
  expect_contains(problems_of(longer + " = 1")[0].what, "too long");
  problems_of(std::string(2 << 20, '\n'));
}

TEST(Config, AMissingFileIsAFileError) {
  EXPECT_THROW(read_config(small_schema(), "/nonexistent/my.toml"), FileError);
}

}  // namespace
}  // namespace algprior::config
