#include "algprior/config/config.hpp"

#include <charconv>
#include <cmath>
#include <string>

namespace algprior::config {
namespace {

std::string real_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  char digits[40];
  std::string text(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  // Without a point or an exponent TOML would read an integer.
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string quoted(const std::string& value) {
  std::string out = "\"";
  for (const char c : value) {
    constexpr std::string_view kPlain = "\"\\\n\r\t\b\f";
    constexpr std::string_view kEscape = "\"\\nrtbf";
    const std::size_t at = kPlain.find(c);
    const auto code = static_cast<unsigned char>(c);
    if (at != std::string_view::npos) {
      out += {'\\', kEscape[at]};
    } else if (code < 0x20 || code == 0x7F) {
      constexpr char kDigits[] = "0123456789abcdef";
      out += {'\\', 'u', '0', '0', kDigits[code >> 4], kDigits[code & 15]};
    } else {
      out += c;
    }
  }
  return out + "\"";
}

struct Writer {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return real_text(value); }
  std::string operator()(const std::string& value) const { return quoted(value); }
  template <class T>
  std::string operator()(const std::vector<T>& list) const {
    std::string out = "[";
    for (const T& item : list) out += (out.size() == 1 ? "" : ", ") + (*this)(item);
    return out + "]";
  }
};

std::string_view table_of(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : name.substr(0, dot);
}

/// Calls `table` for each table and `item` for each of its entries. Entries without a table come
/// first, as TOML demands; else the order is that of first appearance.
template <class Entries, class OnTable, class OnItem>
void for_each_in_tables(const Entries& entries, OnTable table, OnItem item) {
  std::vector<std::string_view> tables{""};
  for (const auto& entry : entries) {
    const std::string_view name = table_of(entry.name);
    bool known = false;
    for (const std::string_view other : tables) known = known || other == name;
    if (!known) tables.push_back(name);
  }
  for (const std::string_view name : tables) {
    if (!name.empty()) table(name);
    for (const auto& entry : entries) {
      if (table_of(entry.name) != name) continue;
      item(entry, std::string_view(entry.name).substr(name.empty() ? 0 : name.size() + 1));
    }
  }
}

void append_table(std::string& out, std::string_view name) {
  out += (out.empty() ? "[" : "\n[") + std::string(name) + "]\n";
}

const std::optional<Value>& value_of_new_file(const Key& key) {
  return key.starter ? key.starter : key.fallback;
}

std::string without_line_text(const Key& key) {
  return key.starter && key.fallback ? "; without this line " + to_text(*key.fallback) : "";
}

}  // namespace

std::string to_text(const Value& value) {
  return std::visit(Writer(), value);
}

std::string to_toml(const Config& config) {
  std::string out;
  for_each_in_tables(
      config.settings(), [&](std::string_view table) { append_table(out, table); },
      [&](const Setting& setting, std::string_view word) {
        out += std::string(word) + " = " + to_text(setting.value) + "\n";
      });
  return out;
}

std::string starter_toml(const Schema& schema,
                         const std::map<std::string, std::string>& selectors) {
  std::vector<Setting> settings;
  std::vector<Key> keys;
  for (const Key& key : schema.keys()) {
    if (!reads(settings, key)) continue;
    Key& entry = keys.emplace_back(key);
    const auto selected = selectors.find(key.name);
    if (selected != selectors.end()) {
      entry.fallback = Value(selected->second);
      entry.starter.reset();
    }
    const std::optional<Value>& value = value_of_new_file(entry);
    if (value) settings.push_back({key.name, *value, "default"});
  }
  std::string out;
  for_each_in_tables(
      keys, [&](std::string_view table) { append_table(out, table); },
      [&](const Key& key, std::string_view word) {
        out += "# " + key.description + " (" +
               (key.is_required && !key.fallback ? "required: " : "") + expected_text(key) +
               without_line_text(key) + ")\n";
        const std::optional<Value>& value = value_of_new_file(key);
        out += value ? std::string(word) + " = " + to_text(*value) + "\n"
                     : "# " + std::string(word) + " =\n";
      });
  return out;
}

std::vector<Difference> differences(const Config& before, const Config& after) {
  std::vector<Difference> out;
  for (const Setting& setting : before.settings()) {
    const std::string old_text = to_text(setting.value);
    const Setting* other = after.find(setting.name);
    const std::string new_text = other == nullptr ? "" : to_text(other->value);
    if (old_text != new_text) out.push_back({setting.name, old_text, new_text});
  }
  for (const Setting& setting : after.settings()) {
    if (!before.has(setting.name)) out.push_back({setting.name, "", to_text(setting.value)});
  }
  return out;
}

std::string to_text(const std::vector<Difference>& differences) {
  std::string out;
  for (const Difference& difference : differences) {
    const auto shown = [](const std::string& text) { return text.empty() ? "(not set)" : text; };
    out +=
        difference.name + ": " + shown(difference.before) + " → " + shown(difference.after) + "\n";
  }
  return out;
}

}  // namespace algprior::config
