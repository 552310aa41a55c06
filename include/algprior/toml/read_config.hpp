#pragma once

#include "algprior/config/config.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace algprior::config {

/// What becomes of keys that the schema does not have, or does not read under the values of their
/// selectors.
enum class Unread {
  refused,  ///< with what would work
  dropped,  ///< for files that an older version wrote, with every key that it knew
};

/// Reads TOML text under a schema. `overrides` are the texts of --set, "a.b=c", typed by the
/// schema; a text needs no quotes, a list no brackets; the last of one name wins. Throws
/// ConfigError with every unknown key, key that is not read here, wrong type, value out of range
/// and missing required key; a key of the text that only an override leaves unread is passed over.
/// Paths of the text are relative to `folder`, those of overrides to the working folder; all become
/// absolute.
Config parse_config(const Schema& schema, std::string_view text, const std::string& file_name,
                    const std::vector<std::string>& overrides = {}, Unread unread = Unread::refused,
                    const std::filesystem::path& folder = {});

/// As parse_config for a file, to whose folder its paths are relative; "-" is the standard input,
/// to which the working folder belongs. FileError when it cannot be read.
Config read_config(const Schema& schema, const std::filesystem::path& path,
                   const std::vector<std::string>& overrides = {}, Unread unread = Unread::refused);

/// The SHA-256 of to_toml(): equal for equal settings, whatever their origin.
std::string config_hash(const Config& config);

}  // namespace algprior::config
