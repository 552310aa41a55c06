#pragma once

#include "algprior/base/error.hpp"
#include "algprior/base/suggest.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <toml++/toml.h>

namespace algprior::sweep {

[[noreturn]] inline void reject_node(const std::string& source, const toml::node& node,
                                     const std::string& what, const std::string& expected,
                                     const std::string& next = "") {
  const auto& place = node.source().begin;
  throw InputError({"the sweep file cannot be used",
                    fmt::format("{}:{}:{}: {}", source, place.line, place.column, what), expected,
                    next});
}

/// The keys of one table of a sweep file: each is asked for once, and one that nobody asked for is
/// refused at the end.
class TableReader {
 public:
  /// `table` may be null: then all keys have their fallbacks.
  TableReader(const toml::table* table, std::string name, std::string source)
      : table_(table), name_(std::move(name)), source_(std::move(source)) {}

  const toml::node* find(const char* key) {
    known_.emplace_back(key);
    return table_ == nullptr ? nullptr : table_->get(key);
  }

  std::string text(const char* key, std::string fallback = "") {
    const toml::node* node = find(key);
    if (node == nullptr) return fallback;
    if (const auto* value = node->as_string()) return value->get();
    reject_node(source_, *node, name_ + "." + key, "a text in quotes");
  }

  std::int64_t integer(const char* key, std::int64_t fallback, std::int64_t least) {
    constexpr std::int64_t kMost = 1'000'000;
    const toml::node* node = find(key);
    if (node == nullptr) return fallback;
    const auto* value = node->as_integer();
    if (value != nullptr && value->get() >= least && value->get() <= kMost) return value->get();
    reject_node(source_, *node, name_ + "." + key,
                fmt::format("a whole number from {} to {}", least, kMost));
  }

  bool boolean(const char* key, bool fallback) {
    const toml::node* node = find(key);
    if (node == nullptr) return fallback;
    if (const auto* value = node->as_boolean()) return value->get();
    reject_node(source_, *node, name_ + "." + key, "true or false");
  }

  std::vector<std::string> texts(const char* key) {
    const toml::node* node = find(key);
    std::vector<std::string> result;
    if (node == nullptr) return result;
    if (const auto* list = node->as_array()) {
      for (const toml::node& item : *list) {
        if (!item.is_string()) reject_node(source_, item, name_ + "." + key, "a list of texts");
        result.push_back(item.as_string()->get());
      }
      return result;
    }
    reject_node(source_, *node, name_ + "." + key, "a list of texts, [\"a\", \"b\"]");
  }

  void finish() const {
    if (table_ == nullptr) return;
    for (const auto& [key, node] : *table_) {
      const std::string name(key.str());
      if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
      reject_node(source_, node, "unknown key " + (name_.empty() ? name : name_ + "." + name),
                  fmt::format("one of {}", fmt::join(known_, ", ")), did_you_mean(name, known_));
    }
  }

 private:
  const toml::table* table_;
  std::string name_;
  std::string source_;
  std::vector<std::string> known_;
};

}  // namespace algprior::sweep
