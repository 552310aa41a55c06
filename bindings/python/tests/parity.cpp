// Writes what C++ computes from torch.manual_seed(0): actions, losses, gradients, a learned
// representation, a block. test_parity.py computes the same in Python and compares the bits.
//   parity FILE.npz
#include "algprior/action/latent.hpp"
#include "algprior/action/planar.hpp"
#include "algprior/action/sample.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/io/npy.hpp"
#include "algprior/nn/arrays.hpp"
#include "algprior/nn/conv_block.hpp"
#include "algprior/prior/algebra_loss.hpp"
#include "algprior/prior/equivariance.hpp"
#include "algprior/rep/constructions.hpp"

#include <iostream>

#include <torch/types.h>
#include <torch/utils.h>

int main(int count, char** words) {
  using namespace algprior;
  if (count != 2) {
    std::cerr << "parity FILE.npz\n";
    return 2;
  }
  io::NamedArrays out;
  const auto keep = [&](const std::string& name, const at::Tensor& value) {
    out.emplace(name, to_array(value.detach()));
  };
  torch::manual_seed(0);
  const Group group = make_group("D4");
  const auto x = torch::randn({6, 2, 9, 9});
  const auto z = torch::randn({6, 20}).set_requires_grad(true);
  const auto zg = torch::randn({6, 20}).set_requires_grad(true);
  const auto g = torch::randint(8, {6}, at::kLong);
  keep("x", x);
  keep("moved", planar_action(group)(g, x));
  keep("turned", planar_action(make_group("C8"), Resampling::bilinear)(g, x));
  const Action latent = latent_action(regular_representation(group), 20);
  const auto loss = equivariance_loss(latent, z, zg, g);
  loss.backward();
  keep("loss", loss);
  keep("z.grad", z.grad());
  keep("zg.grad", zg.grad());
  keep("relative", relative_equivariance_loss(latent, z, zg, g));
  keep("elements", sample_elements(group, 50, RandomKey(7, "python")));

  LearnedRepresentation learned(group, LearnedRepresentationOptions{.dimension = 20, .seed = 3});
  AlgebraOptions options;
  options.regulariser = Regulariser::inverse;
  const auto values = AlgebraLoss(group, options)(learned);
  const auto acted = learned->apply(g, z.detach());
  (values.algebra + values.regulariser + acted.square().mean()).backward();
  keep("algebra", values.algebra);
  keep("regulariser", values.regulariser);
  keep("acted", acted);
  keep("r.grad", learned->generators()[0].grad());
  keep("s.grad", learned->generators()[1].grad());

  nn::ConvBlock2d block(nn::ConvBlock2dOptions(2, 4, 3).padding(1).pool_kernel(2).pool_stride(2));
  const auto y = block->forward(x);
  y.square().sum().backward();
  keep("block.weight", block->conv->weight);
  keep("block.bias", block->conv->bias);
  keep("block.y", y);
  keep("block.weight.grad", block->conv->weight.grad());
  keep("block.running_var", block->bn->running_var);
  io::write_npz(words[1], out);
}
