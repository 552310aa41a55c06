#pragma once

#include "algprior/base/error.hpp"

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace algprior {

enum class Style { kPlain, kBold, kDim, kGood, kWarning, kBad };

/// The one place that writes to stdout and stderr. Results go to stdout, everything else (progress,
/// notes, errors) to stderr. Colours appear only on a terminal and never under NO_COLOR.
class Terminal {
 public:
  Terminal();

  /// Whether the person asked for --json: then stdout carries one JSON document and nothing else.
  bool json() const noexcept { return json_; }
  void set_json(bool json) noexcept { json_ = json; }

  /// Writes text to stdout, with colours as styled() makes them and every other control character
  /// made visible (escape.hpp), as note and report do too. A reader that went away (`| head`) is no
  /// error: the rest is dropped and the work goes on. Throws FileError when the output cannot be
  /// written (full disk).
  void print(std::string_view text);
  /// Writes one JSON document and a newline to stdout.
  void print_json(const nlohmann::ordered_json& document);
  /// Hands over all that was printed. Throws as print does.
  void flush();

  /// Writes a line to stderr, above a progress bar that may stand there.
  void note(std::string_view line);
  /// Tells the person what went wrong: four lines of text or, with --json, one JSON line, on
  /// stderr.
  void report(const Error& error);
  /// Replaces the line that stands at the cursor of stderr; only on a terminal. Empty clears it.
  void set_status_line(std::string_view line);

  /// The text in a style when stdout shows colours, else the text itself.
  std::string styled(Style style, std::string_view text) const;
  /// Whether stderr is a terminal that can redraw a line.
  bool interactive() const noexcept { return interactive_; }
  /// The columns of the terminal; 80 when unknown.
  int width() const;

 private:
  void check_output(bool written);
  void write_error(std::string_view text);

  bool json_ = false;
  bool colours_ = false;        // stdout
  bool error_colours_ = false;  // stderr
  bool interactive_ = false;
  bool status_shown_ = false;
  bool output_closed_ = false;
};

}  // namespace algprior
