#include "algprior/mesh/heat_kernel.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/memory.hpp"
#include "algprior/mesh/eigenpairs.hpp"

#include <cmath>

#include <fmt/format.h>

namespace algprior::mesh {

std::vector<double> heat_times(const HeatKernelOptions& options) {
  if (!(options.first > 0.0) || !(options.first <= options.last) || options.times < 1 ||
      !std::isfinite(options.last)) {
    throw InputError(
        {"the times of a heat kernel signature are wrong",
         fmt::format("{} times from {} to {}", options.times, options.first, options.last),
         "at least 1 time, 0 < first <= last", ""});
  }
  check_memory(2 * sizeof(double) * static_cast<double>(options.times), "a heat kernel signature",
               fmt::format("{} times", options.times));
  std::vector<double> times;
  for (int s = 0; s < options.times; ++s) {
    const double part = options.times == 1 ? 0.0 : static_cast<double>(s) / (options.times - 1);
    times.push_back(options.first * std::pow(options.last / options.first, part));
  }
  return times;
}

Eigen::MatrixXd heat_kernel_signature(const Mesh& mesh, const HeatKernelOptions& options) {
  check(mesh);
  const std::vector<double> times = heat_times(options);
  check_memory(sizeof(double) * static_cast<double>(options.times) *
                   static_cast<double>(mesh.vertices.size()),
               "a heat kernel signature",
               fmt::format("{} times, {} vertices", options.times, mesh.vertices.size()));
  const Eigenpairs pairs =
      smallest_eigenpairs(cotangent_laplacian(mesh), lumped_masses(mesh), options.eigenpairs);
  Eigen::MatrixXd decay(pairs.values.size(), options.times);
  for (int s = 0; s < options.times; ++s) {
    decay.col(s) = (-times[static_cast<std::size_t>(s)] * pairs.values.array()).exp();
  }
  return pairs.vectors.cwiseAbs2() * decay;
}

}  // namespace algprior::mesh
