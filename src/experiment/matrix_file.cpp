#include "matrix_file.hpp"

#include "algprior/base/error.hpp"
#include "algprior/io/generators.hpp"
#include "algprior/rep/constructions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace algprior {
namespace {

constexpr double kRelators = 1e-5;

std::vector<Eigen::MatrixXd> real_matrices(const Group& group, const std::string& path) {
  std::vector<Eigen::MatrixXd> matrices;
  for (const Eigen::MatrixXcd& matrix : io::read_generators(group, path)) {
    if (!matrix.imag().isZero(0)) {
      throw InputError({"samples and latents are real, and so is what acts on them",
                        fmt::format("{}: {}", path, group.generator_names()[matrices.size()]),
                        "real matrices",
                        "give the complex representation with its conjugate as one real one"});
    }
    matrices.push_back(matrix.real());
  }
  return matrices;
}

}  // namespace

Representation read_matrix_representation(const Group& group, const std::string& path,
                                          const std::string& key) {
  try {
    return matrix_representation(group, real_matrices(group, path), kRelators);
  } catch (const InputError& error) {
    Failure failure = error.failure();
    const bool named = failure.where.find(path) != std::string::npos;
    failure.where =
        fmt::format("{} = {}", key,
                    named ? failure.where
                          : fmt::format("{}: {}; {}", path,
                                        fmt::join(group.generator_names(), ", "), failure.where));
    throw InputError(std::move(failure));
  }
}

}  // namespace algprior
