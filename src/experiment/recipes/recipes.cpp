#include "recipes.hpp"

namespace algprior {

const std::vector<Recipe>& built_in_recipes() {
  static const std::vector<Recipe> recipes = {
      arrays_recipe(),  ddmnist_recipe(), mnist_recipe(),  cifar_recipe(),    tmnist_recipe(),
      volumes_recipe(), smoke_recipe(),   shapes_recipe(), subgroup_recipe(), null_recipe()};
  return recipes;
}

}  // namespace algprior
