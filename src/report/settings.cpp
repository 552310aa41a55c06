#include "algprior/base/error.hpp"
#include "algprior/report/run.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

namespace algprior::report {
namespace {

std::string setting_text(const toml::node& node) {
  if (const auto text = node.value<std::string>(); node.is_string() && text) return *text;
  if (node.is_boolean()) return node.as_boolean()->get() ? "true" : "false";
  if (node.is_integer()) return fmt::format("{}", node.as_integer()->get());
  if (node.is_floating_point()) return fmt::format("{}", node.as_floating_point()->get());
  if (const toml::array* list = node.as_array()) {
    std::string text;
    for (const toml::node& item : *list) {
      if (!text.empty()) text += ", ";
      text += setting_text(item);
    }
    return "[" + text + "]";
  }
  return "…";  // dates and tables in lists: no setting is one
}

void flatten(const toml::table& table, const std::string& prefix, int depth,
             std::map<std::string, std::string>& settings) {
  constexpr int kDeepest = 16;
  for (const auto& [key, node] : table) {
    const std::string name = prefix + std::string(key.str());
    if (const toml::table* inner = node.as_table(); inner != nullptr && depth < kDeepest) {
      flatten(*inner, name + ".", depth + 1, settings);
    } else {
      settings[name] = setting_text(node);
    }
  }
}

}  // namespace

std::map<std::string, std::string> parse_settings(const std::string& toml,
                                                  const std::string& source) {
  std::map<std::string, std::string> settings;
  try {
    flatten(toml::parse(toml, source), "", 0, settings);
  } catch (const toml::parse_error& error) {
    const auto& place = error.source().begin;
    throw FileError({"cannot read the settings of a run",
                     fmt::format("{}:{}:{}", source, place.line, place.column),
                     std::string(error.description()), "restore the file from another copy"});
  }
  return settings;
}

}  // namespace algprior::report
