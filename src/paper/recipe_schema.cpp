#include "algprior/paper/recipe_schema.hpp"

#include <string>

namespace algprior {
namespace {

// In pieces: a compiler need not take a longer literal than 64 KiB.
constexpr const char* kRecipes[] = {
#include "recipes.inc"
};

}  // namespace

const config::Schema& recipe_schema() {
  static const config::Schema schema = [] {
    std::string text;
    for (const char* piece : kRecipes) text += piece;
    return config::parse_schema(text);
  }();
  return schema;
}

}  // namespace algprior
