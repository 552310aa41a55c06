#include "algprior/config/schema.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/suggest.hpp"
#include "algprior/config/config.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace algprior::config {

std::string_view name_of(Type type) {
  constexpr std::array<std::string_view, 7> kNames = {
      "true or false",      "an integer",        "a number",       "a text",
      "a list of integers", "a list of numbers", "a list of texts"};
  return kNames.at(static_cast<std::size_t>(type));
}

namespace {

Key make_key(Type type, std::string name, std::string description) {
  Key key;
  key.type = type;
  key.name = std::move(name);
  key.description = std::move(description);
  return key;
}

/// 1, 0.5, 1e-06: a bound as a person writes it.
std::string bound_text(double bound) {
  const std::string text = to_text(Value(bound));
  const bool whole = text.size() > 2 && text.substr(text.size() - 2) == ".0";
  return whole ? text.substr(0, text.size() - 2) : text;
}

bool in_range(const Key& key, double value) {
  if (std::isnan(value)) return !key.minimum && !key.maximum;
  if (key.minimum && (value < *key.minimum || (key.minimum_excluded && value == *key.minimum))) {
    return false;
  }
  return !key.maximum || value <= *key.maximum;
}

bool is_choice(const Key& key, const std::string& value) {
  return key.choices.empty() ||
         std::find(key.choices.begin(), key.choices.end(), value) != key.choices.end();
}

bool is_word(std::string_view name) {
  if (name.empty() || name.front() == '.' || name.back() == '.') return false;
  if (name.find("..") != std::string_view::npos) return false;
  return std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.';
  });
}

std::string_view leaf(std::string_view name) {
  return name.substr(name.rfind('.') == std::string_view::npos ? 0 : name.rfind('.') + 1);
}

}  // namespace

Key Key::boolean(std::string name, std::string description) {
  return make_key(Type::boolean, std::move(name), std::move(description));
}
Key Key::integer(std::string name, std::string description) {
  return make_key(Type::integer, std::move(name), std::move(description));
}
Key Key::real(std::string name, std::string description) {
  return make_key(Type::real, std::move(name), std::move(description));
}
Key Key::text(std::string name, std::string description) {
  return make_key(Type::text, std::move(name), std::move(description));
}
Key Key::integers(std::string name, std::string description) {
  return make_key(Type::integers, std::move(name), std::move(description));
}
Key Key::reals(std::string name, std::string description) {
  return make_key(Type::reals, std::move(name), std::move(description));
}
Key Key::texts(std::string name, std::string description) {
  return make_key(Type::texts, std::move(name), std::move(description));
}

Key& Key::by_default(Value value) {
  fallback = std::move(value);
  return *this;
}
Key& Key::starts_with(Value value) {
  starter = std::move(value);
  return *this;
}
Key& Key::required() {
  is_required = true;
  return *this;
}
Key& Key::at_least(double bound) {
  minimum = bound;
  return *this;
}
Key& Key::above(double bound) {
  minimum = bound;
  minimum_excluded = true;
  return *this;
}
Key& Key::at_most(double bound) {
  maximum = bound;
  return *this;
}
Key& Key::path() {
  is_path = true;
  return *this;
}
Key& Key::one_of(std::vector<std::string> words) {
  choices = std::move(words);
  return *this;
}
Key& Key::of_length(std::size_t count) {
  length = count;
  return *this;
}

std::string expected_text(const Key& key) {
  std::string text(name_of(key.type));
  if (!key.choices.empty()) {
    text = key.type == Type::texts ? "a list of " : "one of ";
    for (std::size_t i = 0; i < key.choices.size(); ++i) {
      text += (i == 0 ? "\"" : ", \"") + key.choices[i] + "\"";
    }
  }
  const bool list = key.type >= Type::integers;
  if (list && key.length) text += " of length " + std::to_string(*key.length);
  const std::string each = list ? ", each " : " ";
  if (key.minimum && key.maximum) {
    return text + each + (key.minimum_excluded ? "above " : "from ") + bound_text(*key.minimum) +
           (key.minimum_excluded ? ", at most " : " to ") + bound_text(*key.maximum);
  }
  if (key.minimum) {
    return text + each + (key.minimum_excluded ? "above " : "of at least ") +
           bound_text(*key.minimum);
  }
  if (key.maximum) return text + each + "of at most " + bound_text(*key.maximum);
  return text;
}

bool allows(const Key& key, const Value& value) {
  if (value.index() != static_cast<std::size_t>(key.type)) return false;
  const auto each = [&](const auto& list, auto&& test) {
    return (!key.length || list.size() == *key.length) &&
           std::all_of(list.begin(), list.end(), test);
  };
  const auto number = [&](auto item) { return in_range(key, static_cast<double>(item)); };
  const auto word = [&](const std::string& item) { return is_choice(key, item); };
  switch (key.type) {
    case Type::boolean:
      return true;
    case Type::integer:
      return number(std::get<std::int64_t>(value));
    case Type::real:
      return number(std::get<double>(value));
    case Type::text:
      return word(std::get<std::string>(value));
    case Type::integers:
      return each(std::get<std::vector<std::int64_t>>(value), number);
    case Type::reals:
      return each(std::get<std::vector<double>>(value), number);
    case Type::texts:
      return each(std::get<std::vector<std::string>>(value), word);
  }
  return false;
}

std::string condition_text(const Key& key) {
  std::string text;
  for (const Condition& condition : key.when) {
    text += (text.empty() ? "" : " and ") + condition.selector +
            (condition.excluded ? " other than " : " = ");
    for (std::size_t i = 0; i < condition.values.size(); ++i) {
      text += (i == 0 ? "\"" : " or \"") + condition.values[i] + "\"";
    }
  }
  return text;
}

namespace {

// Whether no configuration can have both: they want different values of one selector.
bool exclude_each_other(const Key& a, const Key& b) {
  for (const Condition& one : a.when) {
    for (const Condition& other : b.when) {
      if (one.selector != other.selector || (one.excluded && other.excluded)) continue;
      if (one.excluded || other.excluded) {
        const auto& named = one.excluded ? other.values : one.values;
        const auto& left_out = one.excluded ? one.values : other.values;
        const bool within = std::all_of(named.begin(), named.end(), [&](const auto& value) {
          return std::count(left_out.begin(), left_out.end(), value) > 0;
        });
        if (within) return true;
        continue;
      }
      const bool shared = std::any_of(one.values.begin(), one.values.end(), [&](const auto& value) {
        return std::count(other.values.begin(), other.values.end(), value) > 0;
      });
      if (!shared) return true;
    }
  }
  return false;
}

}  // namespace

Schema::Schema(std::vector<Key> keys) : keys_(std::move(keys)) {
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    const Key& key = keys_[i];
    if (!is_word(key.name)) {
      throw InputError({"a schema's key is no dotted word", key.name, {}, {}});
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (keys_[j].name != key.name || exclude_each_other(keys_[j], key)) continue;
      throw InputError({"a schema has a key twice", key.name, {}, {}});
    }
    for (const Condition& condition : key.when) {
      const bool before =
          std::any_of(keys_.begin(), keys_.begin() + static_cast<std::ptrdiff_t>(i),
                      [&](const Key& other) { return other.name == condition.selector; });
      if (before) continue;
      throw InputError({"a schema's key depends on one that does not stand before it",
                        key.name,
                        condition.selector,
                        {}});
    }
    for (const std::optional<Value>& value : {key.fallback, key.starter}) {
      if (!value || allows(key, *value)) continue;
      throw InputError({"the default of a key is not allowed by the key itself",
                        key.name + " = " + to_text(*value),
                        expected_text(key),
                        {}});
    }
  }
  for (const Key& key : keys_) {
    if (has_table(key.name)) {
      throw InputError({"a schema's key is also a table", key.name, {}, {}});
    }
  }
}

const Key* Schema::find(std::string_view name) const {
  const auto found =
      std::find_if(keys_.begin(), keys_.end(), [&](const Key& key) { return key.name == name; });
  return found == keys_.end() ? nullptr : &*found;
}

bool Schema::has_table(std::string_view name) const {
  return std::any_of(keys_.begin(), keys_.end(), [&](const Key& key) {
    return key.name.size() > name.size() && key.name.compare(0, name.size(), name) == 0 &&
           key.name[name.size()] == '.';
  });
}

std::string Schema::suggestion(std::string_view name) const {
  std::set<std::string> names;
  std::vector<std::string> leaves;
  for (const Key& key : keys_) {
    names.insert(key.name);
    for (std::size_t dot = 0; (dot = key.name.find('.', dot)) != std::string::npos; ++dot) {
      names.insert(key.name.substr(0, dot));
    }
    leaves.emplace_back(leaf(key.name));
  }
  const std::vector<std::string> candidates(names.begin(), names.end());
  if (const std::string text = did_you_mean(name, candidates); !text.empty()) return text;
  // The right word in the wrong table.
  const auto nearest = nearest_name(leaf(name), leaves);
  if (!nearest) return "";
  const auto at = std::find(leaves.begin(), leaves.end(), *nearest) - leaves.begin();
  return "did you mean \"" + keys_[static_cast<std::size_t>(at)].name + "\"?";
}

}  // namespace algprior::config
