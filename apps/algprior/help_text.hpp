#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace algprior {

/// What --help says of a command, its descriptions broken at words to `width` columns. Examples
/// stay as they are, to be copied.
std::string help_of(const CLI::App& command, std::size_t width);

/// One option, flag or word of a command, as the manual and the completions need it.
struct OptionText {
  std::vector<std::string> names;  ///< "--json", "-h"; a word without dashes: "file"
  std::string description;
  bool positional = false;
  bool takes_value = false;
};

/// The options of a command that are shown, in their order, --help with them.
std::vector<OptionText> options_of(const CLI::App& command);

/// The commands of a command that are shown, in their order.
std::vector<const CLI::App*> commands_of(const CLI::App& command);

/// A manual page in roff, of the program with all its commands.
std::string manual_page(const CLI::App& program, const std::string& version);

/// A script that completes commands and options for "bash", "zsh" or "fish". Throws InputError for
/// another shell.
std::string completion_script(const CLI::App& program, const std::string& shell);

}  // namespace algprior
