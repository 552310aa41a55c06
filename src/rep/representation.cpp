#include "algprior/rep/representation.hpp"

#include "representation_state.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace algprior {
namespace {

template <class Matrix>
Matrix permutation_matrix(const Permutation& permutation) {
  const auto d = static_cast<Eigen::Index>(permutation.size());
  Matrix matrix = Matrix::Zero(d, d);
  for (Eigen::Index i = 0; i < d; ++i) matrix(permutation[static_cast<std::size_t>(i)], i) = 1.0;
  return matrix;
}

void require_element(const Representation& rho, Element g) {
  if (g < rho.group().order()) return;
  throw InputError({"no such group element", fmt::format("element {} of {}", g, rho.group().name()),
                    fmt::format("an index below {}", rho.group().order()), ""});
}

std::string describe(const Representation& rho) {
  return fmt::format("a representation of {} of dimension {}", rho.group().name(), rho.dimension());
}

void require_matrices(const Representation& rho, std::size_t count, std::size_t entry) {
  const double d = static_cast<double>(rho.dimension());
  require_memory(fmt::format("{} matrices of {}", count, describe(rho)),
                 static_cast<double>(count * entry) * d * d,
                 rho.is_permutation() ? "ask for permutations or the gather table"
                                      : "ask for single elements");
}

}  // namespace

void require_memory(const std::string& operation, double bytes, const std::string& next) {
  if (bytes <= static_cast<double>(Representation::kCallLimit)) return;
  throw LimitError({"this would need too much memory",
                    fmt::format("{}: {:.1f} GiB", operation, bytes / std::exp2(30)),
                    fmt::format("at most {:.1f} GiB in one call",
                                static_cast<double>(Representation::kCallLimit) / std::exp2(30)),
                    next});
}

const Group& Representation::group() const noexcept {
  return state_->group;
}
std::size_t Representation::dimension() const noexcept {
  return state_->dimension;
}
bool Representation::is_permutation() const noexcept {
  return state_->permutation != nullptr;
}
bool Representation::is_real() const noexcept {
  return state_->complex == nullptr;
}

Permutation Representation::permutation(Element g) const {
  require_element(*this, g);
  if (!is_permutation()) {
    throw InputError({"this representation does not consist of permutations", describe(*this),
                      "a permutation representation", "ask for matrix(g)"});
  }
  return state_->permutation(g);
}

std::vector<std::int64_t> Representation::gather_table() const {
  const std::size_t n = group().order(), d = dimension();
  require_memory("the gather table of " + describe(*this),
                 8.0 * static_cast<double>(n) * static_cast<double>(d),
                 "ask for the permutations of single elements");
  std::vector<std::int64_t> table(n * d);
  for (Element g = 0; g < n; ++g) {
    const Permutation images = permutation(g);
    for (std::size_t i = 0; i < d; ++i) table[g * d + images[i]] = static_cast<std::int64_t>(i);
  }
  return table;
}

Eigen::MatrixXd Representation::matrix(Element g) const {
  require_element(*this, g);
  if (!is_real()) {
    throw InputError({"this representation is not real", describe(*this),
                      "a representation with real matrices", "ask for complex_matrix(g)"});
  }
  require_matrices(*this, 1, sizeof(double));
  if (is_permutation()) return permutation_matrix<Eigen::MatrixXd>(state_->permutation(g));
  return state_->real(g);
}

Eigen::MatrixXcd Representation::complex_matrix(Element g) const {
  require_element(*this, g);
  require_matrices(*this, 1, sizeof(std::complex<double>));
  if (is_permutation()) return permutation_matrix<Eigen::MatrixXcd>(state_->permutation(g));
  if (is_real()) return state_->real(g).cast<std::complex<double>>();
  return state_->complex(g);
}

std::vector<Eigen::MatrixXd> Representation::matrices() const {
  require_matrices(*this, group().order(), sizeof(double));
  std::vector<Eigen::MatrixXd> all;
  for (Element g = 0; g < group().order(); ++g) all.push_back(matrix(g));
  return all;
}

std::vector<Eigen::MatrixXcd> Representation::complex_matrices() const {
  require_matrices(*this, group().order(), sizeof(std::complex<double>));
  std::vector<Eigen::MatrixXcd> all;
  for (Element g = 0; g < group().order(); ++g) all.push_back(complex_matrix(g));
  return all;
}

std::complex<double> Representation::trace(Element g) const {
  require_element(*this, g);
  if (state_->trace) return state_->trace(g);
  if (is_permutation()) {
    const Permutation images = state_->permutation(g);
    double fixed = 0;
    for (std::size_t i = 0; i < images.size(); ++i) fixed += images[i] == i;
    return fixed;
  }
  if (is_real()) return matrix(g).trace();
  return complex_matrix(g).trace();
}

std::vector<std::complex<double>> Representation::character() const {
  const ConjugacyClasses& classes = group().classes();
  std::vector<std::complex<double>> character;
  for (std::size_t c = 0; c < classes.count(); ++c) {
    character.push_back(trace(classes.representative(c)));
  }
  return character;
}

double homomorphism_defect(const Representation& rho) {
  const std::vector<Element>& generators = rho.group().generators();
  const auto d = static_cast<Eigen::Index>(rho.dimension());
  const auto letter_element = [&](int letter) {
    const Element s = generators[static_cast<std::size_t>(std::abs(letter)) - 1];
    return letter > 0 ? s : rho.group().inverse(s);
  };
  double defect = 0;
  for (const Word& relator : rho.group().presentation().relators) {
    if (rho.is_permutation()) {
      Permutation image(rho.dimension());
      for (std::size_t i = 0; i < image.size(); ++i) image[i] = static_cast<std::uint32_t>(i);
      for (auto letter = relator.rbegin(); letter != relator.rend(); ++letter) {
        const Permutation step = rho.permutation(letter_element(*letter));
        for (std::uint32_t& point : image) point = step[point];
      }
      double moved = 0;
      for (std::size_t i = 0; i < image.size(); ++i) moved += image[i] != i;
      defect = std::max(defect, std::sqrt(2 * moved));
      continue;
    }
    Eigen::MatrixXcd product = Eigen::MatrixXcd::Identity(d, d);
    for (int letter : relator)
      product = (product * rho.complex_matrix(letter_element(letter))).eval();
    defect = std::max(defect, (product - Eigen::MatrixXcd::Identity(d, d)).norm());
  }
  return defect;
}

double unitarity_defect(const Representation& rho) {
  if (rho.is_permutation()) return 0;
  const auto d = static_cast<Eigen::Index>(rho.dimension());
  double defect = 0;
  for (Element s : rho.group().generators()) {
    const Eigen::MatrixXcd matrix = rho.complex_matrix(s);
    const Eigen::MatrixXcd gram = matrix.adjoint() * matrix;
    defect = std::max(defect, (gram - Eigen::MatrixXcd::Identity(d, d)).norm());
  }
  return defect;
}

}  // namespace algprior
