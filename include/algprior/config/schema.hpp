#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace algprior::config {

/// What a setting may be. Lists hold one type.
using Value = std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>,
                           std::vector<double>, std::vector<std::string>>;

/// In the order of Value's alternatives.
enum class Type { boolean, integer, real, text, integers, reals, texts };

/// "an integer", "a list of numbers", …
std::string_view name_of(Type type);

/// A key is read only where another one, its selector, has one of these values, or any but these.
struct Condition {
  std::string selector;
  std::vector<std::string> values;
  bool excluded = false;  ///< any text but the values

  friend bool operator==(const Condition&, const Condition&) = default;
};

/// One key of a configuration: a dotted name, a type, what it means and what it may be. A key
/// without a default that is not required may be left out. Keys of one name may stand in a schema
/// several times, for different values of a selector.
///
///     Key::integer("train.epochs", "how often the data is seen").at_least(1).by_default(100)
struct Key {
  std::string name;
  Type type = Type::boolean;
  std::string description;
  std::vector<Condition> when = {};  ///< all of them; empty: always read
  std::optional<Value> fallback;
  std::optional<Value> starter;  ///< what a new file begins with, where that is not the default
  bool is_required = false;
  std::optional<double> minimum;  ///< of a number, or of each number of a list
  std::optional<double> maximum;
  bool minimum_excluded = false;
  std::vector<std::string> choices;   ///< of a text, or of each text of a list; empty: anything
  std::optional<std::size_t> length;  ///< of a list; empty: any
  bool is_path = false;  ///< a text that names a file, relative to the file in which it stands

  static Key boolean(std::string name, std::string description);
  static Key integer(std::string name, std::string description);
  static Key real(std::string name, std::string description);
  static Key text(std::string name, std::string description);
  static Key integers(std::string name, std::string description);
  static Key reals(std::string name, std::string description);
  static Key texts(std::string name, std::string description);

  Key& by_default(Value value);
  Key& starts_with(Value value);
  Key& required();
  Key& at_least(double bound);
  Key& above(double bound);
  Key& at_most(double bound);
  Key& one_of(std::vector<std::string> words);
  Key& of_length(std::size_t count);
  Key& path();
};

/// "an integer of at least 1", "one of \"adam\", \"sgd\"": for messages and starter files.
std::string expected_text(const Key& key);

/// "prior.representation = \"learned\"": where a key is read; "" for one that always is.
std::string condition_text(const Key& key);

/// Whether a value is what the key allows. Integers are not turned into reals here.
bool allows(const Key& key, const Value& value);

/// The keys that a configuration may have, in the order in which it is written.
class Schema {
 public:
  Schema() = default;
  /// Throws InputError for a name twice under one condition, a selector that does not stand before
  /// the key, a name that is also a table ("a" and "a.b"), a name that is no dotted word, or a
  /// default that its own key does not allow.
  explicit Schema(std::vector<Key> keys);

  const std::vector<Key>& keys() const { return keys_; }
  /// The first key of this name, whatever its conditions.
  const Key* find(std::string_view name) const;
  /// Whether some key lies in the table of this name.
  bool has_table(std::string_view name) const;
  /// "did you mean …?" for a name that is no key, or "".
  std::string suggestion(std::string_view name) const;

 private:
  std::vector<Key> keys_;
};

/// As a JSON array, a key an object; what to_json wrote is read back. For a program that must know
/// the keys without the code that reads them. Throws InputError for text that is no schema.
std::string to_json(const Schema& schema);
Schema parse_schema(const std::string& json);

}  // namespace algprior::config
