#pragma once

#include "algprior/base/error.hpp"
#include "algprior/config/schema.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace algprior::config {

/// A key with its value and where it came from: "my.toml:3:10", "--set train.epochs=3", "default".
struct Setting {
  std::string name;
  Value value;
  std::string origin;
};

/// All that is wrong with a configuration, not only the first thing.
class ConfigError : public InputError {
 public:
  ConfigError(const std::string& source, std::vector<Failure> problems);
  /// Each with its place (file:line:column, or the --set text) in `where`.
  const std::vector<Failure>& problems() const { return problems_; }

 private:
  std::vector<Failure> problems_;
};

/// Whether the selectors of a key have, among these settings, the values that it is read under.
bool reads(const std::vector<Setting>& settings, const Key& key);

/// A resolved configuration: every setting in the order of the schema, defaults filled in.
class Config {
 public:
  Config() = default;
  explicit Config(std::vector<Setting> settings) : settings_(std::move(settings)) {}

  const std::vector<Setting>& settings() const { return settings_; }
  const Setting* find(std::string_view name) const;
  bool has(std::string_view name) const { return find(name) != nullptr; }

  /// Whether the selectors of a key have the values that it is read under.
  bool reads(const Key& key) const { return config::reads(settings_, key); }

  /// The value of a setting. T is an alternative of Value; throws InputError for a name that is not
  /// set, or of another type: both are mistakes of the calling code.
  template <class T>
  const T& get(std::string_view name) const {
    const Setting& setting = at(name);
    if (const T* value = std::get_if<T>(&setting.value)) return *value;
    fail_type(setting);
  }

 private:
  const Setting& at(std::string_view name) const;
  [[noreturn]] static void fail_type(const Setting& setting);

  std::vector<Setting> settings_;
};

/// A value as TOML writes it; reals in the shortest form that reads back to the same bits.
std::string to_text(const Value& value);

/// Complete TOML that reads back to the same settings, in the schema's order.
std::string to_toml(const Config& config);

/// A file to start from: every key that is read when the selectors have these values (else their
/// defaults), with its starter or default, its meaning and what it may be. Required keys that are
/// not selected stand in comments, to be filled in.
std::string starter_toml(const Schema& schema,
                         const std::map<std::string, std::string>& selectors = {});

/// A setting that two configurations do not share; "" where one lacks it.
struct Difference {
  std::string name;
  std::string before;
  std::string after;
};

std::vector<Difference> differences(const Config& before, const Config& after);

/// "train.epochs: 10 → 20", a line each.
std::string to_text(const std::vector<Difference>& differences);

}  // namespace algprior::config
