#include "help_text.hpp"
#include "spelling.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace algprior {
namespace {

// Roff reads a backslash, and a dot or quote at the beginning of a line, as its own; a plain "-"
// may come out as a hyphen that a shell does not know.
std::string roff(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
  }
  return result;
}

void add_options(std::string& page, const CLI::App& command) {
  for (const OptionText& option : options_of(command)) {
    const std::string names = fmt::format("{}", fmt::join(option.names, ", "));
    page += fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", roff(names),
                        option.takes_value && !option.positional ? " \\fIVALUE\\fR" : "",
                        roff(option.description));
  }
}

void add_commands(std::string& page, const CLI::App& parent) {
  for (const CLI::App* command : commands_of(parent)) {
    page += fmt::format(".SS \"{}\"\n{}.\n", roff(command_path(*command)),
                        roff(command->get_description()));
    const std::string footer = command->get_footer();
    add_options(page, *command);
    if (!footer.empty()) page += fmt::format(".PP\n.nf\n{}\n.fi\n", roff(footer));
    add_commands(page, *command);
  }
}

}  // namespace

std::string manual_page(const CLI::App& program, const std::string& version) {
  const std::string name = program.get_name();
  std::string page = fmt::format(
      ".TH ALGPRIOR 1 \"\" \"{0} {1}\" \"{0}\"\n.SH NAME\n{0} \\- {2}\n.SH SYNOPSIS\n\\fB{0}\\fR "
      "[\\fIOPTIONS\\fR] \\fICOMMAND\\fR [\\fIARGUMENTS\\fR]\n.SH OPTIONS\n",
      name, roff(version), roff(program.get_description()));
  add_options(page, program);
  page += ".SH COMMANDS\n";
  add_commands(page, program);
  page +=
      ".SH EXIT STATUS\n.TP\n0\nsuccess\n.TP\n1\na failure\n.TP\n2\nthe command line or the "
      "configuration is wrong\n.TP\n75\nstopped by SIGTERM or SIGUSR1\n.TP\n130\nstopped by "
      "Ctrl\\-C\n"
      ".SH ENVIRONMENT\n.TP\nALGPRIOR_DATA\nfolders of data sets, separated by colons\n"
      ".TP\nALGPRIOR_RUNS\nthe folder of runs (default: runs)\n"
      ".TP\nNO_COLOR\nset to anything: no colours\n";
  return page;
}

}  // namespace algprior
