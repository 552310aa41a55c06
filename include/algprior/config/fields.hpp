#pragma once

#include "algprior/base/choice.hpp"
#include "algprior/config/config.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

namespace algprior::config {

/// Keys bound to the members of structs: a setting is declared once, beside what reads it, and from
/// the declaration come schema, default (the member's value), documentation and decoding.
///
///     struct TrainSettings {
///       std::int64_t epochs = 150;
///       void bind(Fields& fields) {
///         fields.integer("train.epochs", epochs, "at most so many").at_least(1);
///       }
///     };
///
/// The structs must outlive the fields.
class Fields {
 public:
  Key& boolean(std::string name, bool& field, std::string description);
  Key& integer(std::string name, std::int64_t& field, std::string description);
  Key& real(std::string name, double& field, std::string description);
  Key& text(std::string name, std::string& field, std::string description);
  Key& integers(std::string name, std::vector<std::int64_t>& field, std::string description);
  Key& reals(std::string name, std::vector<double>& field, std::string description);
  Key& texts(std::string name, std::vector<std::string>& field, std::string description);

  /// A text that names a file. One that stands in a configuration file is relative to that file,
  /// one of --set to the working folder; what the field gets is absolute. "": none.
  Key& path(std::string name, std::string& field, std::string description);

  /// A text that stands for a value: the names are those of the choices.
  template <typename E, std::size_t Count>
  Key& choice(std::string name, E& field, const Choices<E, Count>& choices,
              std::string description) {
    std::vector<std::string> names;
    std::vector<std::pair<std::string, E>> values;
    for (const auto& [word, value] : choices) {
      names.emplace_back(word);
      values.emplace_back(word, value);
    }
    Key key = Key::text(std::move(name), std::move(description));
    key.by_default(choice_name(choices, field)).one_of(std::move(names));
    return add(std::move(key), [&field, values](const Value& value) {
      for (const auto& [word, known] : values) {
        if (word == std::get<std::string>(value)) field = known;
      }
    });
  }

  /// Keys that `body` declares are read only where `selector` has one of the values. Nests.
  void when(const std::string& selector, std::vector<std::string> values,
            const std::function<void()>& body);
  /// The same where `selector` has any other value.
  void unless(const std::string& selector, std::vector<std::string> values,
              const std::function<void()>& body);

  Schema schema() const;
  /// Writes the settings into the members. Fields whose keys are not read keep their values.
  void assign(const Config& config) const;

 private:
  struct Field {
    Key key;
    std::function<void(const Value&)> set;
  };
  Key& add(Key key, std::function<void(const Value&)> set);
  template <class T>
  Key& add(Key key, T& field);

  std::deque<Field> fields_;  // references to keys stay valid
  std::vector<Condition> conditions_;
};

}  // namespace algprior::config
