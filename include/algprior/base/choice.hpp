#pragma once

#include "algprior/base/error.hpp"
#include "algprior/base/suggest.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace algprior {

/// The names of a setting's values, each beside its value: the one list by which they are read and
/// written.
template <typename Value, std::size_t Count>
using Choices = std::pair<std::string_view, Value>[Count];

/// The value that a name stands for. Throws InputError (`what` failed, the names there are, the
/// nearest) for any other word.
template <typename Value, std::size_t Count>
Value parse_choice(const Choices<Value, Count>& choices, std::string_view name, const char* what) {
  std::vector<std::string> names;
  std::string list;
  for (const auto& [known, value] : choices) {
    if (known == name) return value;
    names.emplace_back(known);
    list += (list.empty() ? "one of " : ", ") + names.back();
  }
  throw InputError({what, "\"" + std::string(name) + "\"", list, did_you_mean(name, names)});
}

/// The name of a value; the first one's for a value that is not among them.
template <typename Value, std::size_t Count>
std::string choice_name(const Choices<Value, Count>& choices, Value value) {
  for (const auto& [name, known] : choices) {
    if (known == value) return std::string(name);
  }
  return std::string(choices[0].first);
}

}  // namespace algprior
