#pragma once

#include "algprior/experiment/recipe.hpp"

namespace algprior {

// One for each file of this folder; recipes.cpp lists them.
Recipe arrays_recipe();
Recipe cifar_recipe();
Recipe ddmnist_recipe();
Recipe mnist_recipe();
Recipe null_recipe();
Recipe smoke_recipe();
Recipe subgroup_recipe();
Recipe shapes_recipe();
Recipe tmnist_recipe();
Recipe volumes_recipe();

}  // namespace algprior
