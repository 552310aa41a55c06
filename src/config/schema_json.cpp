#include "algprior/base/error.hpp"
#include "algprior/config/schema.hpp"

#include <nlohmann/json.hpp>

namespace algprior::config {
namespace {

using SchemaJson = nlohmann::ordered_json;

SchemaJson value_json(const Value& value) {
  return std::visit([](const auto& item) { return SchemaJson(item); }, value);
}

Value value_of(const SchemaJson& json, Type type) {
  switch (type) {
    case Type::boolean:
      return json.get<bool>();
    case Type::integer:
      return json.get<std::int64_t>();
    case Type::real:
      return json.get<double>();
    case Type::text:
      return json.get<std::string>();
    case Type::integers:
      return json.get<std::vector<std::int64_t>>();
    case Type::reals:
      return json.get<std::vector<double>>();
    case Type::texts:
      return json.get<std::vector<std::string>>();
  }
  return false;
}

SchemaJson key_json(const Key& key) {
  SchemaJson json{
      {"name", key.name}, {"type", static_cast<int>(key.type)}, {"description", key.description}};
  for (const Condition& condition : key.when) {
    SchemaJson when{{"selector", condition.selector}, {"values", condition.values}};
    if (condition.excluded) when["excluded"] = true;
    json["when"].push_back(std::move(when));
  }
  if (key.fallback) json["default"] = value_json(*key.fallback);
  if (key.starter) json["starter"] = value_json(*key.starter);
  if (key.is_required) json["required"] = true;
  if (key.minimum) json["minimum"] = *key.minimum;
  if (key.minimum_excluded) json["minimum_excluded"] = true;
  if (key.maximum) json["maximum"] = *key.maximum;
  if (!key.choices.empty()) json["choices"] = key.choices;
  if (key.length) json["length"] = *key.length;
  if (key.is_path) json["path"] = true;
  return json;
}

Key key_of(const SchemaJson& json) {
  Key key;
  key.name = json.at("name");
  const int type = json.at("type");
  if (type < 0 || type > static_cast<int>(Type::texts)) {
    throw InputError({"a schema has a key of no type", key.name, "a type from 0 to 6", ""});
  }
  key.type = static_cast<Type>(type);
  key.description = json.at("description");
  for (const SchemaJson& condition : json.value("when", SchemaJson::array())) {
    key.when.push_back(
        {condition.at("selector"), condition.at("values"), condition.value("excluded", false)});
  }
  if (json.contains("default")) key.fallback = value_of(json["default"], key.type);
  if (json.contains("starter")) key.starter = value_of(json["starter"], key.type);
  key.is_required = json.value("required", false);
  if (json.contains("minimum")) key.minimum = json["minimum"].get<double>();
  key.minimum_excluded = json.value("minimum_excluded", false);
  if (json.contains("maximum")) key.maximum = json["maximum"].get<double>();
  key.choices = json.value("choices", std::vector<std::string>{});
  if (json.contains("length")) key.length = json["length"].get<std::size_t>();
  key.is_path = json.value("path", false);
  return key;
}

}  // namespace

std::string to_json(const Schema& schema) {
  SchemaJson list = SchemaJson::array();
  for (const Key& key : schema.keys()) list.push_back(key_json(key));
  std::string text = "[";
  for (const SchemaJson& key : list) text += (text.size() == 1 ? "\n" : ",\n") + key.dump();
  return text + "\n]\n";
}

Schema parse_schema(const std::string& json) {
  try {
    std::vector<Key> keys;
    for (const SchemaJson& key : SchemaJson::parse(json)) keys.push_back(key_of(key));
    return Schema(std::move(keys));
  } catch (const SchemaJson::exception& error) {
    throw InputError({"this is no schema", error.what(), "what to_json wrote", ""});
  }
}

}  // namespace algprior::config
