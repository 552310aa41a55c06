#include "terminal.hpp"

#include "algprior/base/escape.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/ioctl.h>
#include <unistd.h>

namespace algprior {
namespace {

constexpr int kDefaultWidth = 80;
constexpr std::string_view kClearLine = "\r\x1b[K";

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

bool is_capable_terminal(int descriptor) {
  const char* kind = std::getenv("TERM");
  return isatty(descriptor) == 1 && kind != nullptr && std::strcmp(kind, "dumb") != 0;
}

std::string_view escape_of(Style style) {
  switch (style) {
    case Style::kBold:
      return "\x1b[1m";
    case Style::kDim:
      return "\x1b[2m";
    case Style::kGood:
      return "\x1b[32m";
    case Style::kWarning:
      return "\x1b[33m";
    case Style::kBad:
      return "\x1b[31m";
    case Style::kPlain:
      break;
  }
  return "";
}

// nlohmann escapes the control characters below 0x20 only.
std::string json_text(const nlohmann::ordered_json& document, int indent) {
  return escape_controls(
      document.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace),
      Escapes::kJson);
}

std::string in_style(bool colours, Style style, std::string_view text) {
  if (!colours || style == Style::kPlain || text.empty()) return std::string(text);
  return fmt::format("{}{}\x1b[0m", escape_of(style), text);
}

}  // namespace

Terminal::Terminal()
    : colours_(!is_set("NO_COLOR") && is_capable_terminal(STDOUT_FILENO)),
      error_colours_(!is_set("NO_COLOR") && is_capable_terminal(STDERR_FILENO)),
      interactive_(is_capable_terminal(STDERR_FILENO)) {}

void Terminal::check_output(bool written) {
  if (written || output_closed_) return;
  const int reason = errno;
  output_closed_ = true;
  if (reason == EPIPE) return;
  throw FileError({"cannot write the output", std::strerror(reason), "",
                   "free some space, or send the output elsewhere"});
}

void Terminal::print(std::string_view text) {
  if (output_closed_ || text.empty()) return;
  // A bar and a result on the same screen must not share a line.
  if (status_shown_ && isatty(STDOUT_FILENO) == 1) set_status_line("");
  const std::string shown = escape_controls(text, colours_ ? Escapes::kColours : Escapes::kNone);
  check_output(std::fwrite(shown.data(), 1, shown.size(), stdout) == shown.size());
}

void Terminal::print_json(const nlohmann::ordered_json& document) {
  print(json_text(document, 2) + "\n");
}

void Terminal::flush() {
  if (!output_closed_) check_output(std::fflush(stdout) == 0);
}

void Terminal::write_error(std::string_view text) {
  // Nothing can be told to anyone when stderr itself fails.
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void Terminal::note(std::string_view line) {
  set_status_line("");
  write_error(escape_controls(line, error_colours_ ? Escapes::kColours : Escapes::kNone) + "\n");
}

void Terminal::report(const Error& error) {
  const Failure& failure = error.failure();
  if (json_) {
    const nlohmann::ordered_json document = {{"error",
                                              {{"what", failure.what},
                                               {"where", failure.where},
                                               {"expected", failure.expected},
                                               {"next", failure.next}}}};
    note(json_text(document, -1));
    return;
  }
  note(fmt::format("{} {}", in_style(error_colours_, Style::kBad, "algprior:"), error.what()));
}

void Terminal::set_status_line(std::string_view line) {
  if (!interactive_ || (line.empty() && !status_shown_)) return;
  write_error(fmt::format("{}{}", kClearLine, escape_controls(line)));
  status_shown_ = !line.empty();
}

std::string Terminal::styled(Style style, std::string_view text) const {
  return in_style(colours_, style, text);
}

int Terminal::width() const {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return kDefaultWidth;
}

}  // namespace algprior
