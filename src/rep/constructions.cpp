#include "algprior/rep/constructions.hpp"

#include "algprior/group/geometry.hpp"
#include "algprior/group/product.hpp"
#include "generated.hpp"
#include "linear_algebra.hpp"
#include "representation_state.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace algprior {
namespace {

void require_one_each(const Group& group, std::size_t given) {
  const std::size_t expected = group.generators().size();
  if (given == expected) return;
  throw InputError({"a representation needs one image for each generator",
                    fmt::format("{} images for {}", given, group.name()),
                    fmt::format("{} images", expected), "give them in the order of generators()"});
}

[[noreturn]] void refuse_relator(const Group& group, const Word& relator, double defect) {
  throw InputError({"these images of the generators do not extend to a representation",
                    fmt::format("{}: the relator {} is off the identity by {:.3g}", group.name(),
                                to_string(relator, group.generator_names()), defect),
                    "every relator of the presentation at the identity",
                    "correct the images, or ask for the nearest exact representation"});
}

Permutation identity_permutation(std::size_t d) {
  Permutation identity(d);
  std::iota(identity.begin(), identity.end(), 0u);
  return identity;
}

void require_permutations(const Group& group, const std::vector<Permutation>& images) {
  require_one_each(group, images.size());
  for (const Permutation& image : images) {
    Permutation sorted = image;
    std::sort(sorted.begin(), sorted.end());
    if (sorted == identity_permutation(images.front().size())) continue;
    throw InputError({"the image of a generator is not a permutation", group.name(),
                      fmt::format("each of 0 … {} once", images.front().size() - 1), ""});
  }
}

double sign(const Permutation& permutation) {
  std::vector<bool> seen(permutation.size());
  double sign = 1;
  for (std::size_t start = 0; start < seen.size(); ++start) {
    if (seen[start]) continue;
    seen[start] = true;
    for (std::size_t i = permutation[start]; i != start; i = permutation[i]) {
      seen[i] = true;
      sign = -sign;
    }
  }
  return sign;
}

const std::vector<Permutation>& own_action(const Group& group) {
  const auto& action = defining_generators(group);
  if (action) return *action;
  throw InputError({"this group has no permutation action of its own", group.name(),
                    "a group such as D4, S5, cube or one given by permutations",
                    "use regular_representation or permutation_representation"});
}

template <class Matrix>
Representation from_matrices(const Group& group, std::vector<Matrix> images, double tolerance) {
  require_one_each(group, images.size());
  const Eigen::Index d = images.empty() ? 1 : images.front().rows();
  for (const Matrix& image : images) {
    if (image.rows() == d && image.cols() == d && image.allFinite()) continue;
    throw InputError({"the image of a generator is not a finite square matrix of one size",
                      fmt::format("{}×{} for {}", image.rows(), image.cols(), group.name()),
                      fmt::format("{}×{}", d, d), ""});
  }
  std::vector<Matrix> inverses;
  for (const Matrix& image : images) inverses.push_back(inverse_of(image));
  auto generated = std::make_shared<const Generated<Matrix>>(
      group, std::move(images), std::move(inverses), Matrix(Matrix::Identity(d, d)),
      [](const Matrix& a, const Matrix& b) -> Matrix { return a * b; });
  if (std::isfinite(tolerance)) {
    for (const Word& relator : group.presentation().relators) {
      const double defect = (generated->evaluate(relator) - Matrix::Identity(d, d)).norm();
      if (!(defect <= tolerance)) refuse_relator(group, relator, defect);
    }
  }
  Representation::State state{group, static_cast<std::size_t>(d)};
  const auto answer = [generated](Element g) { return (*generated)(g); };
  if constexpr (std::is_same_v<Matrix, Eigen::MatrixXd>)
    state.real = answer;
  else
    state.complex = answer;
  return make_representation(std::move(state));
}

template <class Matrix>
Matrix inverse_of_basis(const Representation& rho, const Matrix& basis) {
  const auto d = static_cast<Eigen::Index>(rho.dimension());
  if (basis.rows() == d && basis.cols() == d) {
    double rcond = 0;
    Matrix inverse = inverse_of(basis, &rcond);
    if (rcond > 1e-14) return inverse;
  }
  throw InputError({"a change of basis must be invertible",
                    fmt::format("a {}×{} matrix", basis.rows(), basis.cols()),
                    fmt::format("an invertible {}×{} matrix", d, d), ""});
}

}  // namespace

Representation regular_representation(const Group& group) {
  const std::size_t n = group.order();
  Representation::State state{group, n};
  state.permutation = [group, n](Element g) {
    Permutation image(n);
    for (Element h = 0; h < n; ++h) image[h] = group.multiply_unchecked(g, h);
    return image;
  };
  state.trace = [n](Element g) { return g == 0 ? static_cast<double>(n) : 0.0; };
  return make_representation(std::move(state));
}

Representation defining_representation(const Group& group) {
  const std::vector<Group> parts = factors(group);
  if (parts.size() == 1) return permutation_representation(group, own_action(group));
  std::vector<Representation> actions;
  std::size_t d = 1;
  for (const Group& part : parts) {
    actions.push_back(defining_representation(part));
    d *= actions.back().dimension();
  }
  Representation::State state{group, d};
  state.permutation = [group, actions](Element g) {
    const std::vector<Element> elements = components(group, g);
    Permutation image{0};
    for (std::size_t k = 0; k < actions.size(); ++k) {
      const Permutation inner = actions[k].permutation(elements[k]);
      Permutation finer;
      finer.reserve(image.size() * inner.size());
      for (std::uint32_t outer : image) {
        for (std::uint32_t point : inner) {
          finer.push_back(static_cast<std::uint32_t>(outer * inner.size() + point));
        }
      }
      image = std::move(finer);
    }
    return image;
  };
  return make_representation(std::move(state));
}

Representation sign_representation(const Group& group) {
  // The generators of a direct product are those of the factors in turn.
  std::vector<std::complex<double>> signs;
  for (const Group& part : factors(group)) {
    for (const Permutation& image : own_action(part)) signs.push_back(sign(image));
  }
  return linear_representation(group, signs);
}

Representation trivial_representation(const Group& group, std::size_t dimension) {
  Representation::State state{group, dimension};
  state.permutation = [dimension](Element) { return identity_permutation(dimension); };
  return make_representation(std::move(state));
}

Representation linear_representation(const Group& group,
                                     const std::vector<std::complex<double>>& generators) {
  const bool real = std::all_of(generators.begin(), generators.end(),
                                [](std::complex<double> z) { return z.imag() == 0; });
  if (real) {
    std::vector<Eigen::MatrixXd> images;
    for (std::complex<double> z : generators)
      images.push_back(Eigen::MatrixXd::Constant(1, 1, z.real()));
    return matrix_representation(group, std::move(images));
  }
  std::vector<Eigen::MatrixXcd> images;
  for (std::complex<double> z : generators) images.push_back(Eigen::MatrixXcd::Constant(1, 1, z));
  return complex_matrix_representation(group, std::move(images));
}

Representation permutation_representation(const Group& group,
                                          const std::vector<Permutation>& generators) {
  require_permutations(group, generators);
  const std::size_t d = generators.empty() ? 1 : generators.front().size();
  std::vector<Permutation> inverses;
  for (const Permutation& image : generators) inverses.push_back(inverse(image));
  auto generated = std::make_shared<const Generated<Permutation>>(
      group, generators, std::move(inverses), identity_permutation(d), &compose);
  for (const Word& relator : group.presentation().relators) {
    const Permutation image = generated->evaluate(relator);
    double moved = 0;
    for (std::size_t i = 0; i < d; ++i) moved += image[i] != i;
    if (moved > 0) refuse_relator(group, relator, std::sqrt(2 * moved));
  }
  Representation::State state{group, d};
  state.permutation = [generated](Element g) { return (*generated)(g); };
  return make_representation(std::move(state));
}

Representation matrix_representation(const Group& group, std::vector<Eigen::MatrixXd> generators,
                                     double tolerance) {
  return from_matrices(group, std::move(generators), tolerance);
}

Representation complex_matrix_representation(const Group& group,
                                             std::vector<Eigen::MatrixXcd> generators,
                                             double tolerance) {
  return from_matrices(group, std::move(generators), tolerance);
}

Representation matrix_representation_unchecked(const Group& group,
                                               std::vector<Eigen::MatrixXd> generators) {
  return from_matrices(group, std::move(generators), INFINITY);
}

Representation matrix_representation_unchecked(const Group& group,
                                               std::vector<Eigen::MatrixXcd> generators) {
  return from_matrices(group, std::move(generators), INFINITY);
}

Representation change_of_basis(const Representation& rho, const Eigen::MatrixXd& basis) {
  if (!rho.is_real())
    return change_of_basis(rho, Eigen::MatrixXcd(basis.cast<std::complex<double>>()));
  const Eigen::MatrixXd inverse = inverse_of_basis(rho, basis);
  Representation::State state{rho.group(), rho.dimension()};
  state.real = [rho, basis, inverse](Element g) -> Eigen::MatrixXd {
    return inverse * rho.matrix(g) * basis;
  };
  state.trace = [rho](Element g) { return rho.trace(g); };
  return make_representation(std::move(state));
}

Representation change_of_basis(const Representation& rho, const Eigen::MatrixXcd& basis) {
  const Eigen::MatrixXcd inverse = inverse_of_basis(rho, basis);
  Representation::State state{rho.group(), rho.dimension()};
  state.complex = [rho, basis, inverse](Element g) -> Eigen::MatrixXcd {
    return inverse * rho.complex_matrix(g) * basis;
  };
  state.trace = [rho](Element g) { return rho.trace(g); };
  return make_representation(std::move(state));
}

}  // namespace algprior
