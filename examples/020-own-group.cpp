// A group of your own in one line, and how it acts: the turns of an image by 120 degrees from a
// presentation, with a matrix for the generator, checked against the relators. Such turns leave the
// pixel grid, so resampling must be allowed. Run: example_020. A second. Ends with how far the
// action is from a left action on a smooth image: 0.024, where 0.05 is promised.
#include "algprior/action/latent.hpp"
#include "algprior/action/planar.hpp"
#include "algprior/action/symmetry.hpp"
#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/rep/constructions.hpp"

#include <cmath>
#include <cstdio>

#include <ATen/ATen.h>

int main() {
  const auto group = algprior::make_group("<r | r^3>");
  Eigen::MatrixXd turn(2, 2);
  turn << std::cos(2 * M_PI / 3), std::sin(2 * M_PI / 3), -std::sin(2 * M_PI / 3),
      std::cos(2 * M_PI / 3);
  const auto plane = algprior::matrix_representation(group, std::vector<Eigen::MatrixXd>{turn});
  try {
    algprior::planar_action(plane);
  } catch (const algprior::InputError& error) {
    std::printf("%s\n\n", error.what());
  }
  const auto action = algprior::planar_action(plane, algprior::Resampling::bilinear);
  const auto latent = algprior::latent_action(algprior::regular_representation(group), 8);

  const auto axis = at::arange(32, at::kFloat) - 15.5;
  const auto blob = (-((axis.unsqueeze(0) - 5).square() + axis.unsqueeze(1).square()) / 32).exp();
  const auto image = blob.reshape({1, 1, 32, 32});
  std::printf("order %zu, defect on images %.3f (promised %.3f), on latent vectors %.3f\n",
              group.order(), algprior::action_defect(action, image), action.tolerance(),
              algprior::action_defect(latent, at::rand({4, 8})));
}
