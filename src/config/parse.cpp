#include "algprior/base/suggest.hpp"
#include "algprior/config/config.hpp"
#include "algprior/io/bytes.hpp"

#include <algorithm>
#include <map>

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

class FileReader {
 public:
  FileReader(const Schema& schema, const std::string& file, Found& found, Problems& problems)
      : schema_(schema), file_(file), found_(found), problems_(problems) {}

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
      walk(toml::parse(text, file_), "");
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
      const std::string at = place(word.source().begin);
      if (const Key* key = schema_.find(name)) {
        add_value(*key, node, place(node.source().begin), found_, problems_);
      } else if (!schema_.has_table(name)) {
        problems_.push_back({"unknown key \"" + name + "\"", at, "", schema_.suggestion(name)});
      } else if (const toml::table* inner = node.as_table()) {
        walk(*inner, name + ".");
      } else {
        problems_.push_back({name + " is " + std::string(kind_of(node)), at, "a table",
                             "write [" + name + "] on a line of its own and its keys below"});
      }
    }
  }

  const Schema& schema_;
  const std::string& file_;
  Found& found_;
  Problems& problems_;
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

void add_override(const Schema& schema, const std::string& text, Found& found, Problems& problems) {
  const std::string origin = "--set " + text;
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) {
    problems.push_back({"a setting has no value", origin, "--set key=value", ""});
    return;
  }
  const std::string name = trimmed(std::string_view(text).substr(0, equals));
  const std::string value = trimmed(std::string_view(text).substr(equals + 1));
  const Key* key = schema.find(name);
  if (key == nullptr) {
    const bool table = schema.has_table(name);
    problems.push_back({table ? "\"" + name + "\" is a table" : "unknown key \"" + name + "\"",
                        origin, table ? "one of its keys" : "", schema.suggestion(name)});
    return;
  }
  try {
    const std::string line = as_toml(*key, value);
    const bool one_line = line.find_first_of("\r\n") == std::string::npos;
    if (one_line && line.size() <= kMaxLine &&
        std::none_of(line.begin(), line.end(), is_forbidden)) {
      const toml::table table = toml::parse("value = " + line);
      add_value(*key, *table.get("value"), origin, found, problems);
      return;
    }
  } catch (const toml::parse_error&) {
    // Said below, in words that name the option.
  }
  problems.push_back({"the value of " + name + " cannot be read", origin, expected_text(*key), ""});
}

/// A key that is there but wrong is not missing too.
bool has_problem(const Problems& problems, const std::string& name) {
  return std::any_of(problems.begin(), problems.end(), [&](const Failure& problem) {
    return problem.what.compare(0, name.size() + 1, name + " ") == 0;
  });
}

}  // namespace

Config parse_config(const Schema& schema, std::string_view text, const std::string& file_name,
                    const std::vector<std::string>& overrides) {
  Found found;
  Problems problems;
  FileReader(schema, file_name, found, problems).read(text);
  for (const std::string& override_text : overrides) {
    add_override(schema, override_text, found, problems);
  }
  std::vector<Setting> settings;
  for (const Key& key : schema.keys()) {
    if (const auto at = found.find(key.name); at != found.end()) {
      settings.push_back(std::move(at->second));
    } else if (key.fallback) {
      settings.push_back({key.name, *key.fallback, "default"});
    } else if (key.is_required && !has_problem(problems, key.name)) {
      problems.push_back({"the key " + key.name + " is missing", file_name, expected_text(key),
                          "add it, or give it by --set " + key.name + "=…"});
    }
  }
  if (!problems.empty()) throw ConfigError(file_name, std::move(problems));
  return Config(std::move(settings));
}

Config read_config(const Schema& schema, const std::filesystem::path& path,
                   const std::vector<std::string>& overrides) {
  const io::Bytes bytes = io::read_bytes(path, std::uint64_t{kMaxFile} * 64);
  return parse_config(schema, io::as_text(bytes), path.string(), overrides);
}

namespace {

Failure summary_of(const std::string& source, const Problems& problems) {
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
