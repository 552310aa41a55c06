#include "algprior/config/fields.hpp"

namespace algprior::config {

Key& Fields::add(Key key, std::function<void(const Value&)> set) {
  key.when = conditions_;
  fields_.push_back({std::move(key), std::move(set)});
  return fields_.back().key;
}

template <class T>
Key& Fields::add(Key key, T& field) {
  key.by_default(field);
  return add(std::move(key), [&field](const Value& value) { field = std::get<T>(value); });
}

Key& Fields::boolean(std::string name, bool& field, std::string description) {
  return add(Key::boolean(std::move(name), std::move(description)), field);
}
Key& Fields::integer(std::string name, std::int64_t& field, std::string description) {
  return add(Key::integer(std::move(name), std::move(description)), field);
}
Key& Fields::real(std::string name, double& field, std::string description) {
  return add(Key::real(std::move(name), std::move(description)), field);
}
Key& Fields::text(std::string name, std::string& field, std::string description) {
  return add(Key::text(std::move(name), std::move(description)), field);
}
Key& Fields::integers(std::string name, std::vector<std::int64_t>& field, std::string description) {
  return add(Key::integers(std::move(name), std::move(description)), field);
}
Key& Fields::reals(std::string name, std::vector<double>& field, std::string description) {
  return add(Key::reals(std::move(name), std::move(description)), field);
}
Key& Fields::path(std::string name, std::string& field, std::string description) {
  return text(std::move(name), field, std::move(description)).path();
}
Key& Fields::texts(std::string name, std::vector<std::string>& field, std::string description) {
  return add(Key::texts(std::move(name), std::move(description)), field);
}

void Fields::when(const std::string& selector, std::vector<std::string> values,
                  const std::function<void()>& body) {
  conditions_.push_back({selector, std::move(values)});
  body();
  conditions_.pop_back();
}

void Fields::unless(const std::string& selector, std::vector<std::string> values,
                    const std::function<void()>& body) {
  conditions_.push_back({selector, std::move(values), true});
  body();
  conditions_.pop_back();
}

Schema Fields::schema() const {
  std::vector<Key> keys;
  for (const Field& field : fields_) keys.push_back(field.key);
  return Schema(std::move(keys));
}

void Fields::assign(const Config& config) const {
  for (const Field& field : fields_) {
    if (!config.reads(field.key)) continue;
    if (const Setting* setting = config.find(field.key.name)) field.set(setting->value);
  }
}

}  // namespace algprior::config
