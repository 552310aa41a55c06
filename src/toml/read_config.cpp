#include "algprior/toml/read_config.hpp"

#include "algprior/base/suggest.hpp"
#include "algprior/io/bytes.hpp"
#include "algprior/io/checksum.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include <toml++/toml.h>

namespace algprior::config {
namespace {

// A dotted key nests one table a word and toml++ frees nested tables recursively: these bounds keep
// a hostile file from exhausting the stack.
constexpr std::size_t kMaxFile = std::size_t{1} << 20;
constexpr std::size_t kMaxLine = 8192;

using Problems = std::vector<Failure>;
using Found = std::map<std::string, Setting, std::less<>>;

/// TOML allows no control characters but tab and line ends. toml++ 3.3 built with assertions ends
/// the process on a zero byte in a table's name, so they are refused before it sees them.
bool is_forbidden(char c) {
  const auto code = static_cast<unsigned char>(c);
  return code == 0x7F || (code < 0x20 && c != '\t' && c != '\n' && c != '\r');
}

template <class T>
std::optional<Value> list_of(const toml::array& array) {
  std::vector<T> out;
  for (const toml::node& node : array) {
    if constexpr (std::is_same_v<T, double>) {
      if (!node.is_number()) return std::nullopt;
      out.push_back(*node.value<double>());
    } else {
      const auto item = node.value_exact<T>();
      if (!item) return std::nullopt;
      out.push_back(*item);
    }
  }
  return Value(std::move(out));
}

template <class T>
std::optional<Value> scalar_of(const toml::node& node) {
  if (const auto value = node.value_exact<T>()) return Value(*value);
  return std::nullopt;
}

std::optional<Value> value_of(const toml::node& node, Type type) {
  const toml::array* array = node.as_array();
  if (type >= Type::integers && array == nullptr) return std::nullopt;
  switch (type) {
    case Type::boolean:
      return scalar_of<bool>(node);
    case Type::integer:
      return scalar_of<std::int64_t>(node);
    case Type::real:
      if (const auto whole = node.value_exact<std::int64_t>()) {
        return Value(static_cast<double>(*whole));
      }
      return scalar_of<double>(node);
    case Type::text:
      return scalar_of<std::string>(node);
    case Type::integers:
      return list_of<std::int64_t>(*array);
    case Type::reals:
      return list_of<double>(*array);
    case Type::texts:
      return list_of<std::string>(*array);
  }
  return std::nullopt;
}

std::string_view kind_of(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "a list";
    case toml::node_type::string:
      return "a text";
    case toml::node_type::integer:
      return "an integer";
    case toml::node_type::floating_point:
      return "a number";
    case toml::node_type::boolean:
      return "true or false";
    default:
      return "a date or time";
  }
}

void add_value(const Key& key, const toml::node& node, const std::string& origin, Found& found,
               Problems& problems) {
  const std::optional<Value> value = value_of(node, key.type);
  if (!value) {
    const bool whole = key.type == Type::integer && node.is_floating_point();
    problems.push_back({key.name + " is " + std::string(kind_of(node)), origin, expected_text(key),
                        whole ? "write it without a point" : ""});
  } else if (!allows(key, *value)) {
    std::string next;
    if (const auto* word = std::get_if<std::string>(&*value))
      next = did_you_mean(*word, key.choices);
    problems.push_back(
        {key.name + " = " + to_text(*value) + " is not allowed", origin, expected_text(key), next});
  } else {
    found[key.name] = {key.name, *value, origin};
  }
}

// A value that stands in the file or in a --set, before the key that reads it is known.
struct Entry {
  std::string place;          // of the key, for what is unknown
  std::string origin;         // of the value
  const toml::node* node;     // in the file, or …
  std::string override_text;  // … what follows "a.b="
};
using Entries = std::map<std::string, Entry, std::less<>>;

class FileReader {
 public:
  FileReader(const Schema& schema, const std::string& file, Entries& entries, Problems& problems)
      : schema_(schema), file_(file), entries_(entries), problems_(problems) {}

  void read(std::string_view text) {
    std::size_t line = 1, start = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
      if (i < text.size() && is_forbidden(text[i])) {
        problems_.push_back({"this is not TOML: a control character", place(line, i - start + 1),
                             "plain text in UTF-8", ""});
        return;
      }
      if (i - start > kMaxLine || text.size() > kMaxFile) {
        problems_.push_back({"the configuration is too long", place(line, 1),
                             "at most 1 MiB, no line over 8192 bytes", ""});
        return;
      }
      if (i == text.size() || text[i] != '\n') continue;
      start = i + 1;
      ++line;
    }
    try {
      table_ = toml::parse(text, file_);
      walk(table_, "");
    } catch (const toml::parse_error& error) {
      problems_.push_back({"this is not TOML: " + std::string(error.description()),
                           place(error.source().begin), "", ""});
    }
  }

 private:
  std::string place(std::size_t line, std::size_t column) const {
    return file_ + ":" + std::to_string(line) + ":" + std::to_string(column);
  }
  std::string place(const toml::source_position& position) const {
    return place(position.line, position.column);
  }

  void walk(const toml::table& table, const std::string& prefix) {
    for (const auto& [word, node] : table) {
      const std::string name = prefix + std::string(word.str());
      const toml::table* inner = node.as_table();
      if (inner != nullptr && schema_.has_table(name)) {
        walk(*inner, name + ".");
        continue;
      }
      entries_[name] = {place(word.source().begin), place(node.source().begin), &node, ""};
    }
  }

  const Schema& schema_;
  const std::string& file_;
  Entries& entries_;
  Problems& problems_;
  toml::table table_;  // the entries point into it
};

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

/// What a person types on a command line as TOML: texts need no quotes there, lists no brackets.
std::string as_toml(const Key& key, const std::string& text) {
  const char first = text.empty() ? '\0' : text[0];
  if (key.type == Type::text && first != '"' && first != '\'') return to_text(Value(text));
  if (key.type < Type::integers || first == '[') return text;
  if (key.type != Type::texts || first == '"' || first == '\'') return "[" + text + "]";
  std::vector<std::string> words;
  for (std::size_t at = 0; at <= text.size() && !text.empty();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    words.push_back(trimmed(std::string_view(text).substr(at, comma - at)));
    at = comma + 1;
  }
  return to_text(Value(words));
}

void add_override(const std::string& text, Entries& entries, Problems& problems) {
  const std::string origin = "--set " + text;
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) {
    problems.push_back({"a setting has no value", origin, "--set key=value", ""});
    return;
  }
  entries[trimmed(std::string_view(text).substr(0, equals))] = {
      origin, origin, nullptr, trimmed(std::string_view(text).substr(equals + 1))};
}

void add_entry(const Key& key, const Entry& entry, Found& found, Problems& problems) {
  if (entry.node != nullptr) {
    add_value(key, *entry.node, entry.origin, found, problems);
    return;
  }
  try {
    const std::string line = as_toml(key, entry.override_text);
    const bool one_line = line.find_first_of("\r\n") == std::string::npos;
    if (one_line && line.size() <= kMaxLine &&
        std::none_of(line.begin(), line.end(), is_forbidden)) {
      const toml::table table = toml::parse("value = " + line);
      add_value(key, *table.get("value"), entry.origin, found, problems);
      return;
    }
  } catch (const toml::parse_error&) {
    // Said below, in words that name the option.
  }
  problems.push_back(
      {"the value of " + key.name + " cannot be read", entry.origin, expected_text(key), ""});
}

// What stands in the file but is read by nothing: unknown, or known under other conditions.
void refuse(const Schema& schema, const std::string& name, const Entry& entry,
            const std::vector<Setting>& settings, Problems& problems) {
  // Of the places where the key is read, those that the settings are nearest to.
  std::string conditions;
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  for (Key key : schema.keys()) {
    if (key.name != name) continue;
    std::erase_if(key.when, [&](const Condition& condition) {
      Key alone;
      alone.when = {condition};
      return reads(settings, alone);
    });
    if (key.when.size() > fewest) continue;
    if (key.when.size() < fewest) conditions.clear();
    fewest = key.when.size();
    conditions += (conditions.empty() ? "" : ", or ") + condition_text(key);
  }
  if (!conditions.empty()) {
    problems.push_back({name + " is not read here", entry.place, "it with " + conditions,
                        "take it out, or set what it goes with"});
    return;
  }
  if (schema.has_table(name)) {
    const bool in_file = entry.node != nullptr;
    problems.push_back({in_file ? name + " is " + std::string(kind_of(*entry.node))
                                : "\"" + name + "\" is a table",
                        entry.place, in_file ? "a table" : "one of its keys",
                        in_file ? "write [" + name + "] on a line of its own and its keys below"
                                : schema.suggestion(name)});
    return;
  }
  problems.push_back({"unknown key \"" + name + "\"", entry.place, "", schema.suggestion(name)});
}

// A run may be looked at from another folder than the one that it was begun in.
void make_absolute(Setting& setting, const std::filesystem::path& folder) {
  auto& text = std::get<std::string>(setting.value);
  std::error_code error;
  const auto whole = std::filesystem::absolute(folder / text, error);
  if (!text.empty() && !error) text = whole.lexically_normal().string();
}

/// A key that is there but wrong is not missing too.
bool has_problem(const Problems& problems, const std::string& name) {
  return std::any_of(problems.begin(), problems.end(), [&](const Failure& problem) {
    return problem.what.compare(0, name.size() + 1, name + " ") == 0;
  });
}

// Settings, and the names of all keys that are read beside them, whether they stand there or not.
struct Read {
  std::vector<Setting> settings;
  std::set<std::string, std::less<>> names;
};

// In the schema's order, in which selectors stand before what they select.
Read read_entries(const Schema& schema, const Entries& entries, const std::string& file_name,
                  const std::filesystem::path& folder, Problems& problems) {
  Found found;
  Read all;
  for (const Key& key : schema.keys()) {
    if (!reads(all.settings, key)) continue;
    all.names.insert(key.name);
    if (const auto entry = entries.find(key.name); entry != entries.end()) {
      add_entry(key, entry->second, found, problems);
    }
    if (const auto at = found.find(key.name); at != found.end()) {
      if (key.is_path)
        make_absolute(at->second,
                      entries.at(key.name).node != nullptr ? folder : std::filesystem::path());
      all.settings.push_back(std::move(at->second));
    } else if (key.fallback) {
      all.settings.push_back({key.name, *key.fallback, "default"});
    } else if (key.is_required && !has_problem(problems, key.name)) {
      problems.push_back({"the key " + key.name + " is missing", file_name, expected_text(key),
                          "add it, or give it by --set " + key.name + "=…"});
    }
  }
  return all;
}

}  // namespace

Config parse_config(const Schema& schema, std::string_view text, const std::string& file_name,
                    const std::vector<std::string>& overrides, Unread unread,
                    const std::filesystem::path& folder) {
  Entries entries;
  Problems problems;
  FileReader reader(schema, file_name, entries, problems);
  reader.read(text);
  const Entries of_file = entries;
  for (const std::string& override_text : overrides) {
    add_override(override_text, entries, problems);
  }
  Read all = read_entries(schema, entries, file_name, folder, problems);
  if (unread == Unread::refused) {
    // What only an override makes needless, the keys of a prior under prior.representation=none,
    // is no mistake of the file.
    Problems ignored;
    const Read alone =
        overrides.empty() ? Read{} : read_entries(schema, of_file, file_name, folder, ignored);
    for (const auto& [name, entry] : entries) {
      const bool set_aside = entry.node != nullptr && alone.names.contains(name);
      if (!all.names.contains(name) && !set_aside) {
        refuse(schema, name, entry, all.settings, problems);
      }
    }
  }
  if (!problems.empty()) throw ConfigError(file_name, std::move(problems));
  return Config(std::move(all.settings));
}

Config read_config(const Schema& schema, const std::filesystem::path& path,
                   const std::vector<std::string>& overrides, Unread unread) {
  const bool standard_input = path == "-";
  const io::Bytes bytes =
      io::read_bytes(standard_input ? "/dev/stdin" : path, std::uint64_t{kMaxFile} * 64);
  return parse_config(schema, io::as_text(bytes), standard_input ? "standard input" : path.string(),
                      overrides, unread, path.parent_path());
}

std::string config_hash(const Config& config) {
  return io::sha256(io::as_bytes(to_toml(config)));
}

}  // namespace algprior::config
