#pragma once

#include "algprior/config/schema.hpp"

namespace algprior {

/// The keys of every recipe, from configs/recipes.json, which the recipes themselves wrote
/// (`algprior docs recipes`): so a program knows them without LibTorch. A test compares the two.
const config::Schema& recipe_schema();

}  // namespace algprior
