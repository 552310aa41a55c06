// Pages that the code itself writes: docs/metrics.md, docs/configuration.md, configs/recipes.json.
#include "algprior/base/metric.hpp"
#include "algprior/config/config.hpp"
#include "algprior/paper/recipe_schema.hpp"
#include "commands.hpp"
#include "program.hpp"
#include "torch_module.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

namespace algprior {
namespace {

using config::Key;

bool has_recipe(const Key& key, const std::string& recipe) {
  return std::any_of(key.when.begin(), key.when.end(), [&](const config::Condition& condition) {
    return condition.selector == "experiment.recipe" &&
           std::count(condition.values.begin(), condition.values.end(), recipe) > 0;
  });
}

// "read with …" without the recipe, under whose heading it stands.
std::string further_conditions(Key key) {
  std::erase_if(key.when, [](const config::Condition& condition) {
    return condition.selector == "experiment.recipe";
  });
  const std::string text = config::condition_text(key);
  return text.empty() ? "" : " Read with `" + text + "`.";
}

std::string default_text(const Key& key) {
  std::string text = key.fallback ? "`" + config::to_text(*key.fallback) + "`" : "";
  if (key.starter) text += "; in new files `" + config::to_text(*key.starter) + "`";
  return text;
}

std::string line_of(const Key& key) {
  return fmt::format("| `{}` | {} | {} | {}.{} |\n", key.name, default_text(key),
                     config::expected_text(key), key.description, further_conditions(key));
}

std::string configuration_page(const config::Schema& schema) {
  const std::string head = "| key | default | may be | meaning |\n|---|---|---|---|\n";
  std::string text =
      "# Configuration\n\nEvery key of an experiment file, recipe by recipe. "
      "`algprior train --new RECIPE` prints the keys of one recipe as a file to start from. A key "
      "that the chosen recipe does not read is refused. This page is written by `algprior docs "
      "configuration`.\n\n## Every recipe\n\n" +
      head;
  for (const Key& key : schema.keys()) {
    if (key.when.empty()) text += line_of(key);
  }
  for (const std::string& recipe : schema.find("experiment.recipe")->choices) {
    text += fmt::format("\n## {}\n\n{}", recipe, head);
    for (const Key& key : schema.keys()) {
      if (has_recipe(key, recipe)) text += line_of(key);
    }
  }
  return text;
}

}  // namespace

void add_docs_command(Program& program) {
  auto page = std::make_shared<std::string>();
  CLI::App& command = program.add_command(
      {"docs", "Print a page of the documentation that the code writes", "algprior docs metrics"});
  command.add_option("page", *page, "metrics, configuration, or recipes (the schema as JSON)")
      ->required()
      ->check(CLI::IsMember({"metrics", "configuration", "recipes"}));
  program.on_run(command, [page](Context& context) {
    if (*page == "metrics") {
      context.terminal.print(metric_glossary());
    } else if (*page == "configuration") {
      context.terminal.print(configuration_page(recipe_schema()));
    } else {
      context.terminal.print(load_torch_module(context.threads).recipes());
    }
    return 0;
  });
}

}  // namespace algprior
