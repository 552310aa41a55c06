#include "algprior/base/choice.hpp"
#include "help_text.hpp"
#include "spelling.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace algprior {
namespace {

void visit_commands(const CLI::App& command, const std::function<void(const CLI::App&)>& visit) {
  visit(command);
  for (const CLI::App* part : commands_of(command)) visit_commands(*part, visit);
}

std::vector<std::string> words_of(const CLI::App& command) {
  std::vector<std::string> words;
  for (const CLI::App* part : commands_of(command)) words.push_back(part->get_name());
  for (const OptionText& option : options_of(command)) {
    if (!option.positional) words.insert(words.end(), option.names.begin(), option.names.end());
  }
  return words;
}

// Which command the words so far have reached, in a loop that bash and zsh share ("path" would be
// zsh's own variable).
std::string case_of_paths(const CLI::App& program) {
  std::string paths;
  visit_commands(program, [&](const CLI::App& command) {
    if (&command == &program) return;
    paths += (paths.empty() ? "\"" : "|\"") + command_path(command) + "\"";
  });
  return fmt::format(
      "      case \"$reached $word\" in\n        {}) reached=\"$reached $word\" ;;\n      esac\n",
      paths);
}

std::string bash_script(const CLI::App& program) {
  std::string text = fmt::format(
      "# bash completion for {0}\n_{0}() {{\n  local current=${{COMP_WORDS[COMP_CWORD]}} "
      "reached={0} "
      "words= word i\n  for ((i = 1; i < COMP_CWORD; ++i)); do\n      word=${{COMP_WORDS[i]}}\n{1} "
      " "
      "done\n  case \"$reached\" in\n",
      program.get_name(), case_of_paths(program));
  visit_commands(program, [&](const CLI::App& command) {
    text += fmt::format("    \"{}\") words=\"{}\" ;;\n", command_path(command),
                        fmt::join(words_of(command), " "));
  });
  return text + fmt::format(
                    "  esac\n  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n}}\n"
                    "complete -o default -F _{0} {0}\n",
                    program.get_name());
}

// For a word within single quotes.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::string zsh_script(const CLI::App& program) {
  std::string text = fmt::format(
      "#compdef {0}\n_{0}() {{\n  local reached={0} word\n  local -a choices\n  for word in "
      "\"${{(@)words[2,CURRENT-1]}}\"; do\n{1}  done\n  case \"$reached\" in\n",
      program.get_name(), case_of_paths(program));
  const auto choice = [](const std::string& word, const std::string& description) {
    std::string escaped;
    for (const char c : word) escaped += c == ':' ? std::string("\\:") : std::string(1, c);
    return " " + quoted(escaped + ":" + description);
  };
  visit_commands(program, [&](const CLI::App& command) {
    text += fmt::format("    \"{}\") choices=(", command_path(command));
    for (const CLI::App* part : commands_of(command)) {
      text += choice(part->get_name(), part->get_description());
    }
    for (const OptionText& option : options_of(command)) {
      if (option.positional) continue;
      for (const std::string& name : option.names) text += choice(name, option.description);
    }
    text += ") ;;\n";
  });
  return text + fmt::format("  esac\n  _describe '{0}' choices || _files\n}}\n_{0} \"$@\"\n",
                            program.get_name());
}

std::string fish_script(const CLI::App& program) {
  std::string text = fmt::format("# fish completion for {}\n", program.get_name());
  visit_commands(program, [&](const CLI::App& command) {
    std::vector<std::string> conditions, names;
    for (const CLI::App* part = &command; part->get_parent() != nullptr;
         part = part->get_parent()) {
      conditions.insert(conditions.begin(), "__fish_seen_subcommand_from " + part->get_name());
    }
    for (const CLI::App* part : commands_of(command)) names.push_back(part->get_name());
    std::vector<std::string> before = conditions;
    if (!names.empty()) {
      before.push_back(fmt::format("not __fish_seen_subcommand_from {}", fmt::join(names, " ")));
    }
    for (const CLI::App* part : commands_of(command)) {
      text += fmt::format("complete -c {} -n {} -a {} -d {}\n", program.get_name(),
                          quoted(fmt::format("{}", fmt::join(before, "; and "))), part->get_name(),
                          quoted(part->get_description()));
    }
    for (const OptionText& option : options_of(command)) {
      if (option.positional) continue;
      text += fmt::format("complete -c {} -n {}", program.get_name(),
                          quoted(fmt::format("{}", fmt::join(before, "; and "))));
      for (const std::string& name : option.names) {
        text += name[1] == '-' ? " -l " + name.substr(2) : " -s " + name.substr(1);
      }
      text += (option.takes_value ? " -r -d " : " -d ") + quoted(option.description) + "\n";
    }
  });
  return text;
}

}  // namespace

std::string completion_script(const CLI::App& program, const std::string& shell) {
  using Script = std::string (*)(const CLI::App&);
  constexpr std::pair<std::string_view, Script> kShells[] = {
      {"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}};
  return parse_choice(kShells, shell, "no completions for this shell")(program);
}

}  // namespace algprior
