#include "spelling.hpp"

#include "algprior/base/suggest.hpp"

#include <string>
#include <vector>

#include <fmt/format.h>

namespace algprior {
namespace {

constexpr const char* kUnknownCommand = "unknown command";

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::string next_step(const CLI::App& app, const std::string& word,
                      const std::vector<std::string>& names) {
  const std::string help = command_path(app) + " --help";
  const std::string suggestion = did_you_mean(word, names);
  return suggestion.empty() ? "see " + help : suggestion + " See " + help;
}

Failure leftover_of(const CLI::App& app, const std::string& word) {
  if (word.size() > 1 && word.front() == '-') {
    const std::string name = word.substr(0, word.find('='));
    return {"unknown option", name, "", next_step(app, name, option_names(app))};
  }
  const std::vector<std::string> commands = command_names(app);
  if (!commands.empty()) {
    return {kUnknownCommand, word, fmt::format("one of {}", fmt::join(commands, ", ")),
            next_step(app, word, commands)};
  }
  return {"unexpected argument", word, "", "see " + command_path(app) + " --help"};
}

}  // namespace

std::string command_path(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  return parent == nullptr ? app.get_name() : command_path(*parent) + " " + app.get_name();
}

Failure leftover_failure(const CLI::App& program) {
  const CLI::App* app = &program;
  while (true) {
    const std::vector<std::string> words = app->remaining();
    if (!words.empty()) return leftover_of(*app, words.front());
    const std::vector<CLI::App*> parsed = app->get_subcommands();
    if (parsed.empty()) return {};
    app = parsed.front();
  }
}

Failure unknown_command_failure(const CLI::App& program) {
  Failure failure = leftover_failure(program);
  return failure.what == kUnknownCommand ? failure : Failure{};
}

const CLI::App& command_of(const CLI::App& app, const std::string& word) {
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->check_name(word)) return *command;
  }
  throw InputError(leftover_of(app, word));
}

InputError to_input_error(const CLI::App& program, const CLI::ParseError& error) {
  // A misspelt option also leaves a required one missing; the misspelling is what to tell.
  Failure failure = leftover_failure(program);
  if (!failure.what.empty()) return InputError(std::move(failure));
  const CLI::App* app = &program;
  while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
  return InputError({error.what(), "", "", "see " + command_path(*app) + " --help"});
}

}  // namespace algprior
