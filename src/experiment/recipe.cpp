#include "algprior/experiment/recipe.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/toml/read_config.hpp"

namespace algprior {
namespace {

using config::Config;

constexpr const char* kRecipe = "experiment.recipe";
constexpr const char* kTiesKey = "train.ties";

struct RunSettings {
  std::string recipe, family = "own", variant = "data", row = "regular";
  std::int64_t seed = 0;

  void bind(config::Fields& fields, const std::vector<Recipe>& recipes) {
    std::string sentence = "what is done; ";
    std::vector<std::string> names;
    for (const Recipe& one : recipes) {
      sentence += (names.empty() ? "" : "; ") + one.name + ": " + one.sentence;
      names.push_back(one.name);
    }
    config::Key& key = fields.text(kRecipe, recipe, sentence).one_of(names).required();
    key.fallback.reset();
    fields.text("experiment.family", family, "first part of the run folder's name");
    fields.text("experiment.variant", variant, "second part of the run folder's name");
    fields.text("experiment.row", row, "the row of a table that this run fills");
    fields.integer("experiment.seed", seed, "one seed, one result").at_least(0);
  }
};

// All settings of all recipes, bound; only those of the chosen recipe are assigned and read.
struct Bound {
  explicit Bound(const std::vector<Recipe>& recipes) {
    run.bind(fields, recipes);
    for (const Recipe& recipe : recipes) {
      fields.when(kRecipe, {recipe.name}, [&] { makers[recipe.name] = recipe.begin(fields); });
    }
  }

  config::Fields fields;
  RunSettings run;
  std::map<std::string, Recipe::Make> makers;
};

}  // namespace

config::Schema schema_of(const std::vector<Recipe>& recipes) {
  return Bound(recipes).fields.schema();
}

const config::Schema& experiment_schema() {
  static const config::Schema schema = schema_of(built_in_recipes());
  return schema;
}

Experiment make_experiment(const Config& config, const std::vector<Recipe>& recipes) {
  Bound bound(recipes);
  bound.fields.assign(config);
  return bound.makers.at(bound.run.recipe)(run_id(config));
}

Config read_run_config(const std::filesystem::path& folder, const std::vector<Recipe>& recipes,
                       const std::vector<std::string>& overrides_given) {
  const std::filesystem::path path = folder / "config.toml";
  if (!std::filesystem::exists(path)) {
    throw InputError({"this is no run folder", folder.string(), "a folder with a config.toml",
                      "runs stand below the runs folder, in EXPERIMENT/ROW/SEED"});
  }
  const std::string text = read_file(path, std::uint64_t{1} << 20);
  // Up to version 0.1 data.kind stood for the recipe, and every file had every key.
  const config::Schema before({config::Key::text("data.kind", "").by_default(""),
                               config::Key::text(kTiesKey, "").by_default("")});
  const Config old = config::parse_config(before, text, path.string(), {}, config::Unread::dropped);
  const auto kind = old.get<std::string>("data.kind");
  std::vector<std::string> overrides = overrides_given;
  if (!kind.empty()) {
    overrides.push_back(std::string(kRecipe) + "=" + (kind == "none" ? "null" : kind));
  }
  const auto parse = [&] {
    return config::parse_config(schema_of(recipes), text, path.string(), overrides,
                                kind.empty() ? config::Unread::refused : config::Unread::dropped);
  };
  const Config config = parse();
  // Before there was a choice the first of equal epochs stayed the best; such a run ends as it
  // began.
  if (!config.has(kTiesKey) || !old.get<std::string>(kTiesKey).empty()) return config;
  overrides.insert(overrides.begin(), std::string(kTiesKey) + "=first");
  return parse();
}

}  // namespace algprior
