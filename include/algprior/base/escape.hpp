#pragma once

#include <string>
#include <string_view>

namespace algprior {

/// What may stay in text that is shown to a person.
enum class Escapes {
  kNone,     ///< every control character becomes visible
  kColours,  ///< sequences "\x1b[…m" stay: they change colours and nothing else
  kJson      ///< written as \uXXXX, for the text of a JSON document
};

/// Text that cannot steer a terminal: control characters (of ASCII but newline and tab, of Latin-1,
/// and those that turn the direction of writing) are shown as "\x1b", "\u202e", and a byte that is
/// no UTF-8 as "\xff". Names of files, groups and rows come from outside; so does what errors
/// quote.
std::string escape_controls(std::string_view text, Escapes keep = Escapes::kNone);

/// The text as one word of a shell's command line: as it is, or in single quotes.
std::string shell_word(std::string_view text);

/// Throws InputError, saying what kind of name it is, unless the name can be one file or folder on
/// every system and one word on a screen: 1 to 200 bytes of UTF-8 without control characters, '/',
/// '\\', ':', '*', '?', '"', '<', '>' and '|', not beginning with '.' or '-', not ending in '.' or
/// a blank.
void check_name(std::string_view name, std::string_view kind);

}  // namespace algprior
