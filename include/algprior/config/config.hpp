#pragma once

#include "algprior/base/error.hpp"
#include "algprior/config/schema.hpp"

#include <filesystem>
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

/// A resolved configuration: every setting in the order of the schema, defaults filled in.
class Config {
 public:
  Config() = default;
  explicit Config(std::vector<Setting> settings) : settings_(std::move(settings)) {}

  const std::vector<Setting>& settings() const { return settings_; }
  const Setting* find(std::string_view name) const;
  bool has(std::string_view name) const { return find(name) != nullptr; }

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

/// Reads TOML text under a schema. `overrides` are the texts of --set, "a.b=c", typed by the
/// schema; a text needs no quotes, a list no brackets; the last of one name wins. Throws
/// ConfigError with every unknown key, wrong type, value out of range and missing required key.
Config parse_config(const Schema& schema, std::string_view text, const std::string& file_name,
                    const std::vector<std::string>& overrides = {});

/// As parse_config for a file; FileError when it cannot be read.
Config read_config(const Schema& schema, const std::filesystem::path& path,
                   const std::vector<std::string>& overrides = {});

/// A value as TOML writes it; reals in the shortest form that reads back to the same bits.
std::string to_text(const Value& value);

/// Complete TOML that reads back to the same settings, in the schema's order.
std::string to_toml(const Config& config);

/// The SHA-256 of to_toml(): equal for equal settings, whatever their origin.
std::string config_hash(const Config& config);

/// A file to start from: every key with its default, its meaning and what it may be. Required keys
/// stand in comments, to be filled in.
std::string starter_toml(const Schema& schema);

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
