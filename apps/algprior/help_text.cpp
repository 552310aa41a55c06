#include "help_text.hpp"

#include "algprior/base/text.hpp"
#include "spelling.hpp"

#include <algorithm>

namespace algprior {
namespace {

// Where the description begins: behind the first gap of two blanks, or where the line begins.
std::size_t description_column(const std::string& line) {
  const std::size_t start = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t gap = line.find("  ", start);
  if (gap == std::string::npos) return start;
  return std::min(line.find_first_not_of(' ', gap), line.size());
}

std::string wrapped_line(const std::string& line, std::size_t width) {
  if (display_width(line) <= width) return line;
  constexpr std::size_t kNarrowest = 20;
  std::size_t column = description_column(line);
  if (column + kNarrowest > width) column = std::min(line.find_first_not_of(' '), width / 2);
  std::string text, lead = line.substr(0, column);
  for (const std::string& part : wrap_words(line.substr(column), width - column)) {
    text += (text.empty() ? "" : "\n") + lead + part;
    lead.assign(column, ' ');
  }
  return text;
}

}  // namespace

std::string help_of(const CLI::App& command, std::size_t width) {
  // Not command.help(): that answers for the command which was parsed below this one.
  const std::string help = command.get_formatter()->make_help(&command, command_path(command),
                                                              CLI::AppFormatMode::Normal);
  std::string text;
  bool example = false;
  for (std::size_t start = 0; start < help.size();) {
    const std::size_t end = std::min(help.find('\n', start), help.size());
    const std::string line = help.substr(start, end - start);
    example = example || line == "Example:";
    text += (example ? line : wrapped_line(line, width)) + "\n";
    start = end + 1;
  }
  return text;
}

std::vector<OptionText> options_of(const CLI::App& command) {
  std::vector<OptionText> options;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty()) continue;
    OptionText text{{}, option->get_description(), option->get_positional(), false};
    text.takes_value = option->get_items_expected_max() > 0;
    if (text.positional) {
      text.names.push_back(option->get_name(true));
    } else {
      for (const std::string& name : option->get_snames()) text.names.push_back("-" + name);
      for (const std::string& name : option->get_lnames()) text.names.push_back("--" + name);
    }
    options.push_back(std::move(text));
  }
  return options;
}

std::vector<const CLI::App*> commands_of(const CLI::App& command) {
  std::vector<const CLI::App*> shown;
  for (const CLI::App* part : command.get_subcommands([](const CLI::App*) { return true; })) {
    if (!part->get_group().empty()) shown.push_back(part);
  }
  return shown;
}

}  // namespace algprior
