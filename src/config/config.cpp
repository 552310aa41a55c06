#include "algprior/config/config.hpp"

#include <algorithm>

namespace algprior::config {
namespace {

Failure summary_of(const std::string& source, const std::vector<Failure>& problems) {
  if (problems.size() == 1) return problems[0];
  Failure failure;
  failure.what = std::to_string(problems.size()) + " errors in the configuration";
  failure.where = source;
  for (const Failure& problem : problems) {
    failure.where += "\n  " + problem.where + ": " + problem.what;
    if (!problem.expected.empty()) failure.where += "; expected: " + problem.expected;
    if (!problem.next.empty()) failure.where += "; " + problem.next;
  }
  return failure;
}

}  // namespace

ConfigError::ConfigError(const std::string& source, std::vector<Failure> problems)
    : InputError(summary_of(source, problems)), problems_(std::move(problems)) {}

const Setting* Config::find(std::string_view name) const {
  for (const Setting& setting : settings_) {
    if (setting.name == name) return &setting;
  }
  return nullptr;
}

bool reads(const std::vector<Setting>& settings, const Key& key) {
  return std::all_of(key.when.begin(), key.when.end(), [&](const Condition& condition) {
    const auto selector =
        std::find_if(settings.begin(), settings.end(),
                     [&](const Setting& setting) { return setting.name == condition.selector; });
    const auto* value =
        selector == settings.end() ? nullptr : std::get_if<std::string>(&selector->value);
    if (value == nullptr) return false;
    const bool listed = std::find(condition.values.begin(), condition.values.end(), *value) !=
                        condition.values.end();
    return listed != condition.excluded;
  });
}

const Setting& Config::at(std::string_view name) const {
  if (const Setting* setting = find(name)) return *setting;
  throw InputError({"the configuration has no such setting", std::string(name), {}, {}});
}

void Config::fail_type(const Setting& setting) {
  throw InputError({"a setting is read as another type",
                    setting.name + " = " + to_text(setting.value),
                    std::string(name_of(static_cast<Type>(setting.value.index()))),
                    {}});
}

}  // namespace algprior::config
