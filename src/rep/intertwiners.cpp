#include "algprior/rep/intertwiners.hpp"

#include "representation_state.hpp"

#include <cmath>

#include <fmt/format.h>

namespace algprior {
namespace {

using Eigen::Index;

void require_basis(const Representation& from, const Representation& to, std::size_t entry) {
  if (!(from.group() == to.group())) {
    throw InputError({"these representations belong to different groups",
                      from.group().name() + " and " + to.group().name(),
                      "two representations made from the same group value", ""});
  }
  const std::size_t count = intertwiner_dimension(from, to);
  require_memory(
      fmt::format("{} intertwiners of size {}×{}", count, to.dimension(), from.dimension()),
      static_cast<double>(count * entry) * static_cast<double>(from.dimension()) *
          static_cast<double>(to.dimension()),
      "decompose both representations and use their blocks");
}

/// B_σ[:, copy of σ] · E · B_ρ⁻¹[copy of ρ, :] for every pair of copies and every E of its irrep.
template <class Matrix, class Units>
std::vector<Matrix> basis_from(const Decomposition<Matrix>& from, const Decomposition<Matrix>& to,
                               Units units) {
  std::vector<Matrix> basis;
  for (const Summand& target : to.summands) {
    for (const Summand& source : from.summands) {
      if (source.irrep != target.irrep) continue;
      const auto size = static_cast<Index>(source.dimension);
      const auto columns = to.basis.middleCols(static_cast<Index>(target.offset), size);
      const auto rows = from.inverse.middleRows(static_cast<Index>(source.offset), size);
      for (const Matrix& unit : units(source.irrep)) basis.push_back(columns * unit * rows);
    }
  }
  return basis;
}

template <class Matrix>
std::vector<Matrix> checked(std::vector<Matrix> basis, const Representation& from,
                            const Representation& to) {
  const std::size_t expected = intertwiner_dimension(from, to);
  if (basis.size() == expected) return basis;
  throw InputError({"the given irreducible representations do not fit the group",
                    fmt::format("{} intertwiners", basis.size()), fmt::format("{}", expected),
                    "pass all irreducible representations of the group"});
}

}  // namespace

std::size_t intertwiner_dimension(const Representation& from, const Representation& to) {
  const ConjugacyClasses& classes = from.group().classes();
  const auto a = from.character(), b = to.character();
  std::complex<double> sum = 0;
  for (std::size_t c = 0; c < classes.count(); ++c) {
    sum += static_cast<double>(classes.members[c].size()) * std::conj(a[c]) * b[c];
  }
  return static_cast<std::size_t>(
      std::llround(sum.real() / static_cast<double>(from.group().order())));
}

std::vector<Eigen::MatrixXcd> intertwiners(const Representation& from, const Representation& to,
                                           const std::vector<Representation>& irreps) {
  require_basis(from, to, sizeof(std::complex<double>));
  const auto units = [&](std::size_t i) {
    const auto d = static_cast<Index>(irreps[i].dimension());
    return std::vector<Eigen::MatrixXcd>{Eigen::MatrixXcd::Identity(d, d)};
  };
  return checked(basis_from(decompose(from, irreps), decompose(to, irreps), units), from, to);
}

std::vector<Eigen::MatrixXd> intertwiners(const Representation& from, const Representation& to,
                                          const std::vector<RealIrreducible>& irreps) {
  require_basis(from, to, sizeof(double));
  const auto units = [&](std::size_t i) { return irreps[i].endomorphisms; };
  return checked(basis_from(decompose_real(from, irreps), decompose_real(to, irreps), units), from,
                 to);
}

}  // namespace algprior
