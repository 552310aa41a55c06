#pragma once

#include "algprior/config/config.hpp"
#include "algprior/config/fields.hpp"
#include "algprior/experiment/experiment.hpp"
#include "algprior/paper/configured_run.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace algprior {

/// A kind of experiment: its name, one sentence, and the function that declares its keys and makes
/// an experiment of their values. To add one is to add a file with such a value.
struct Recipe {
  using Make = std::function<Experiment(const RunId& run)>;

  std::string name;
  std::string sentence;
  /// Declares the keys; what it returns is called once the settings are assigned.
  std::function<Make(config::Fields& fields)> begin;
};

/// From settings with `bind(Fields&)` and a function that makes the experiment.
template <class Settings>
Recipe make_recipe(std::string name, std::string sentence,
                   Experiment (*make)(const RunId&, const Settings&)) {
  return {
      std::move(name), std::move(sentence), [make](config::Fields& fields) {
        auto settings = std::make_shared<Settings>();
        settings->bind(fields);
        return Recipe::Make([settings, make](const RunId& run) { return make(run, *settings); });
      }};
}

/// The recipes of the library: one for each file of src/experiment/recipes.
const std::vector<Recipe>& built_in_recipes();

/// The keys of all these recipes: `experiment.recipe` selects which of them are read.
config::Schema schema_of(const std::vector<Recipe>& recipes);

/// schema_of(built_in_recipes()), made once.
const config::Schema& experiment_schema();

/// Makes the experiment that a configuration under schema_of(recipes) describes. Throws InputError
/// when group, data, network and prior do not fit together, saying what would.
Experiment make_experiment(const config::Config& config,
                           const std::vector<Recipe>& recipes = built_in_recipes());

/// The config.toml of a run folder, also of one that an older version wrote, with overrides as
/// parse_config takes them.
config::Config read_run_config(const std::filesystem::path& folder,
                               const std::vector<Recipe>& recipes = built_in_recipes(),
                               const std::vector<std::string>& overrides = {});

}  // namespace algprior
