#include "whole_number.hpp"

#include <charconv>
#include <string>

#include <fmt/format.h>

namespace algprior {

CLI::Validator whole_number(std::int64_t smallest, std::int64_t largest) {
  const auto check = [=](std::string& text) -> std::string {
    std::int64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc() && rest == end && value >= smallest && value <= largest) return "";
    return fmt::format("\"{}\" is no whole number from {} to {}", text, smallest, largest);
  };
  return {check, ""};
}

}  // namespace algprior
