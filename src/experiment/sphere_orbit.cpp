#include "sphere_orbit.hpp"

#include "algprior/io/npy.hpp"
#include "algprior/nn/arrays.hpp"
#include "algprior/train/evaluate.hpp"

#include <ATen/ATen.h>

namespace algprior {
namespace {

// Where each face stands in the cross, as (row, column) of n×n squares, and its quarter turns and
// mirroring, so that cells that are neighbours on the cube are neighbours here around the equator:
// −y … +x … +y … −x in the middle row, +z above +x and −z below.
at::Tensor unfold_cube(const at::Tensor& faces, double background) {
  const auto n = faces.size(-1);
  const auto cross = at::full({faces.size(0), 3 * n, 4 * n}, background, faces.options());
  const auto put = [&](std::int64_t row, std::int64_t column, const at::Tensor& picture) {
    cross.narrow(1, row * n, n).narrow(2, column * n, n).copy_(picture);
  };
  // Faces store columns along the next axis of x→y→z→x and rows along the one after it; pictures
  // have z upwards and azimuth to the right.
  const auto face = [&](std::int64_t i) { return faces.select(1, i); };
  put(1, 0, face(3).transpose(1, 2).flip(1));          // −y: x to the right
  put(1, 1, face(0).flip(1));                          // +x: y to the right
  put(1, 2, face(2).transpose(1, 2).flip(1).flip(2));  // +y: −x to the right
  put(1, 3, face(1).flip(1).flip(2));                  // −x: −y to the right
  put(0, 1, face(4).transpose(1, 2));                  // +z: above +x, y to the right
  put(2, 1, face(5).transpose(1, 2).flip(1));          // −z: below +x, y to the right
  return cross;
}

at::Tensor pictures(const at::Tensor& x, std::int64_t channel, double background) {
  const auto one = x.select(1, channel);
  return (one.dim() == 4 ? unfold_cube(one, background) : one).contiguous();
}

}  // namespace

void write_sphere_orbit(const std::filesystem::path& folder, const Network& network,
                        const Action& input, const Action& latent, const at::Tensor& x,
                        std::int64_t channel) {
  if (folder.empty()) return;
  const at::NoGradGuard no_gradient;
  const ModeScope evaluation(network, Mode::evaluation);
  const auto order = static_cast<std::int64_t>(input.group().order());
  const auto device = device_of(network);
  std::vector<at::Tensor> moved, reconstructed, decoded;
  const auto z = network.encode(x.to(device)).at(0);
  for (std::int64_t g = 0; g < order; ++g) {  // one at a time: orbits are large
    const auto element = static_cast<Element>(g);
    moved.push_back(input(element, x));
    reconstructed.push_back(network.forward(moved.back().to(device)).output.cpu());
    decoded.push_back(network.decode(latent(element, z), 0).cpu());
  }
  const double background = moved[0].select(1, channel).min().item<double>();
  const auto stack = [&](const std::vector<at::Tensor>& parts) {
    return to_array(pictures(at::cat(parts), channel, background));
  };
  io::write_npz(folder / "orbit.npz", {{"input", stack(moved)},
                                       {"reconstructed", stack(reconstructed)},
                                       {"decoded", stack(decoded)}});
}

}  // namespace algprior
