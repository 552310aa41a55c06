#include "fixture.hpp"

#include <nlohmann/json.hpp>

namespace algprior::io {

const std::map<std::string, std::map<std::string, Described>>& manifest() {
  static const auto content = [] {
    std::map<std::string, std::map<std::string, Described>> out;
    const auto document = nlohmann::json::parse(std::ifstream(fixture("manifest.json")));
    for (const auto& [file, arrays] : document["files"].items()) {
      auto& entries = out[file];
      for (const auto& [name, array] : arrays.items()) {
        array["dtype"].get_to(entries[name].dtype);
        array["shape"].get_to(entries[name].shape);
        array["values"].get_to(entries[name].values);
      }
    }
    return out;
  }();
  return content;
}

}  // namespace algprior::io
