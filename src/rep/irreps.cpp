#include "algprior/rep/irreps.hpp"

#include "algprior/base/interrupt.hpp"
#include "algprior/group/presentation.hpp"
#include "algprior/rep/constructions.hpp"
#include "linear_algebra.hpp"
#include "representation_state.hpp"
#include "seed.hpp"
#include "spanning_tree.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

#include <fmt/format.h>

namespace algprior {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;

constexpr double kTolerance = 1e-9;
constexpr int kAttempts = 8;
constexpr double kLargestFullCheck = 2e8;  // |G|·d³

template <class Scalar>
using MatrixOf = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

template <class Scalar>
Scalar to_scalar(Complex z) {
  if constexpr (std::is_same_v<Scalar, double>)
    return z.real();
  else
    return z;
}

double uniform(std::mt19937_64& random) {
  return static_cast<double>(random() >> 11) * 0x1p-52 - 1.0;
}

/// Everything about χ and its seed (H, λ) that the construction asks for.
template <class Scalar>
class Translates {
 public:
  Translates(const CharacterTable& table, std::size_t i, const Seed& seed)
      : group_(table.group()), seed_(seed), values_(table.values(i)) {
    if (seed.multiplicity == 1) return;
    state_.resize(group_.order());
    for (Element g = 0; g < group_.order(); ++g) {
      if (g % 4096 == 0) throw_if_stopped();
      state_[g] = compute(g);
    }
  }

  /// f(g) = tr(ρ(e)ρ(g)), e = 1/|H| Σ λ(h)⁻¹h.
  Scalar operator()(Element g) const { return state_.empty() ? compute(g) : state_[g]; }

  /// tr(ρ(e)ρ(g)ρ(e)ρ(a)) for all g and one random element a of the group algebra. The mean of
  /// ‖ρ(e)ρ(x)ρ(e)‖² over x is m²/d and no value exceeds m, so at least m/d of the x count: a has
  /// enough terms for 64 of these.
  std::vector<Scalar> commutant(std::size_t degree, std::mt19937_64& random) const {
    const std::size_t n = group_.order();
    const std::size_t terms = std::min(n, 64 * degree / seed_.multiplicity + 64);
    std::vector<Scalar> inner(n, Scalar(0)), outer(n);
    for (std::size_t term = 0; term < terms; ++term) {
      throw_if_stopped();
      const auto x = static_cast<Element>(random() % n);
      const double real = uniform(random);
      const Scalar weight = to_scalar<Scalar>(Complex(real, uniform(random)));
      for (Element g = 0; g < n; ++g) {
        inner[g] += weight * state_[group_.multiply_unchecked(g, x)];
      }
    }
    for (Element g = 0; g < n; ++g) {
      outer[g] = mean([&](Element h) { return Complex(inner[group_.multiply_unchecked(g, h)]); });
    }
    return outer;
  }

 private:
  /// 1/|H| Σ λ(h)⁻¹ value(h).
  template <class Value>
  Scalar mean(Value value) const {
    Complex sum = 0;
    for (std::size_t k = 0; k < seed_.subgroup.size(); ++k) {
      sum += std::conj(seed_.lambda[k]) * value(seed_.subgroup[k]);
    }
    return to_scalar<Scalar>(sum / static_cast<double>(seed_.subgroup.size()));
  }

  Scalar compute(Element g) const {
    const std::vector<std::uint32_t>& class_of = group_.classes().class_of;
    return mean([&](Element h) { return values_[class_of[group_.multiply_unchecked(h, g)]]; });
  }

  const Group& group_;
  const Seed& seed_;
  std::vector<Complex> values_;
  std::vector<Scalar> state_;
};

/// `count` elements of different left cosets of H in random order; fewer when there are fewer.
std::vector<Element> sample_cosets(const Group& group, const std::vector<Element>& subgroup,
                                   std::size_t count, std::mt19937_64& random) {
  std::vector<Element> order(group.order());
  for (Element g = 0; g < order.size(); ++g) order[g] = g;
  std::vector<bool> taken(group.order());
  std::vector<Element> sample;
  for (std::size_t k = 0; k < order.size() && sample.size() < count; ++k) {
    std::swap(order[k], order[k + random() % (order.size() - k)]);
    if (taken[order[k]]) continue;
    sample.push_back(order[k]);
    for (Element h : subgroup) taken[group.multiply_unchecked(order[k], h)] = true;
  }
  return sample;
}

template <class Scalar, class Function>
MatrixOf<Scalar> matrix_of_function(const Group& group, const std::vector<Element>& sample,
                                    Element middle, Function f) {
  const auto n = static_cast<Index>(sample.size());
  MatrixOf<Scalar> matrix(n, n);
  for (Index j = 0; j < n; ++j) {
    const Element moved = group.multiply_unchecked(middle, sample[static_cast<std::size_t>(j)]);
    for (Index i = 0; i < n; ++i) {
      const Element inverse = group.inverse(sample[static_cast<std::size_t>(i)]);
      matrix(i, j) = f(group.multiply_unchecked(inverse, moved));
    }
  }
  return matrix;
}

/// Columns of coefficients over the sampled translates that are an orthonormal basis of one copy,
/// or nothing when the sample or the commutant element was unlucky.
template <class Scalar>
std::optional<MatrixOf<Scalar>> one_copy(const Group& group, const Translates<Scalar>& f,
                                         const std::vector<Element>& sample, Index degree,
                                         Index multiplicity, std::mt19937_64& random) {
  using Matrix = MatrixOf<Scalar>;
  const auto n = static_cast<Index>(sample.size());
  const Index rank = degree * multiplicity;
  const auto gram = hermitian_eigen(
      matrix_of_function<Scalar>(group, sample, 0, [&](Element g) { return f(g); }));
  const double smallest = gram.values(n - rank);
  if (smallest < 1e-3 * gram.values(n - 1)) return std::nullopt;
  Matrix basis = gram.vectors.rightCols(rank);
  for (Index k = 0; k < rank; ++k) basis.col(k) /= std::sqrt(gram.values(n - rank + k));
  if (multiplicity == 1) return basis;

  const std::vector<Scalar> commutant = f.commutant(static_cast<std::size_t>(degree), random);
  const Matrix half =
      matrix_of_function<Scalar>(group, sample, 0, [&](Element g) { return commutant[g]; });
  const Matrix commuting = half + half.adjoint();
  const auto split = hermitian_eigen(Matrix(basis.adjoint() * commuting * basis));
  Index best = -1;
  double best_gap = 1e-3 * std::max(std::abs(split.values(0)), std::abs(split.values(rank - 1)));
  for (Index first = 0; first < rank; first += degree) {
    const Index last = first + degree - 1;
    double gap = INFINITY;
    if (first > 0) gap = split.values(first) - split.values(first - 1);
    if (last + 1 < rank) gap = std::min(gap, split.values(last + 1) - split.values(last));
    if (gap <= best_gap || split.values(last) - split.values(first) > 1e-6 * gap) continue;
    best = first;
    best_gap = gap;
  }
  if (best < 0) return std::nullopt;
  return Matrix(basis * split.vectors.middleCols(best, degree));
}

/// ρ(w) along a word, ρ unitary; a power u^m by squaring.
template <class Matrix>
Matrix image_of_word(const Word& word, const std::vector<Matrix>& generators, Index d) {
  const auto letter = [&](int l) -> Matrix {
    const Matrix& s = generators[static_cast<std::size_t>(std::abs(l)) - 1];
    return l > 0 ? s : Matrix(s.adjoint());
  };
  Matrix product = Matrix::Identity(d, d), root = product;
  const std::size_t length = period(word);
  for (std::size_t i = 0; i < length; ++i) root = (root * letter(word[i])).eval();
  for (std::size_t exponent = length == 0 ? 0 : word.size() / length; exponent > 0; exponent /= 2) {
    throw_if_stopped();
    if (exponent % 2 == 1) product = (product * root).eval();
    root = (root * root).eval();
  }
  return product;
}

/// ρ(w) = I for all relators w, and tr ρ(g) = χ(g) for one g of each class.
template <class Matrix>
bool satisfies_relators(const CharacterTable& table, std::size_t i,
                        const std::vector<Matrix>& generators) {
  const Group& group = table.group();
  const Index d = table.degree(i);
  const double tolerance = kTolerance * static_cast<double>(d);
  for (const Word& relator : group.presentation().relators) {
    const Matrix defect = image_of_word(relator, generators, d) - Matrix::Identity(d, d);
    if (!(defect.norm() <= tolerance)) return false;
  }
  for (std::size_t c = 0; c < table.count(); ++c) {
    const Matrix image =
        image_of_word(group.word(group.classes().representative(c)), generators, d);
    if (!(std::abs(Complex(image.trace()) - table.value(i, c)) <= tolerance)) return false;
  }
  return true;
}

/// ρ(s)ρ(g) = ρ(sg) for all generators s and all g, and tr ρ(g) = χ(g).
template <class Matrix>
bool is_representation(const CharacterTable& table, std::size_t i, const SpanningTree& tree,
                       const std::vector<Matrix>& generators) {
  const Group& group = table.group();
  const std::vector<Complex> values = table.values(i);
  const Index d = table.degree(i);
  const double cost = static_cast<double>(group.order()) * std::pow(static_cast<double>(d), 3);
  if (cost > kLargestFullCheck) return satisfies_relators(table, i, generators);
  std::vector<Matrix> images(group.order(), Matrix::Identity(d, d));
  for (Element g : tree.order) {
    if (g == 0) continue;
    const Matrix& s = generators[static_cast<std::size_t>(std::abs(tree.letter[g])) - 1];
    if (tree.letter[g] > 0)
      images[g].noalias() = s * images[tree.parent[g]];
    else
      images[g].noalias() = s.adjoint() * images[tree.parent[g]];
    const Complex error = Complex(images[g].trace()) - values[group.classes().class_of[g]];
    if (!(std::abs(error) <= kTolerance * static_cast<double>(d))) return false;
  }
  Matrix product(d, d);
  for (std::size_t k = 0; k < generators.size(); ++k) {
    for (Element g = 0; g < group.order(); ++g) {
      const Element sg = group.multiply_unchecked(group.generators()[k], g);
      product.noalias() = generators[k] * images[g];
      if (!((product - images[sg]).norm() <= kTolerance * static_cast<double>(d))) return false;
    }
  }
  return true;
}

template <class Scalar>
Representation construct(const CharacterTable& table, std::size_t i, const SpanningTree& tree) {
  const Group& group = table.group();
  const bool real = std::is_same_v<Scalar, double>;
  std::vector<MatrixOf<Scalar>> generators;
  if (table.degree(i) == 1) {
    for (Element s : group.generators()) {
      const Complex value = table.value(i, group.classes().class_of[s]);
      generators.push_back(MatrixOf<Scalar>::Constant(1, 1, to_scalar<Scalar>(value)));
    }
    return matrix_representation_unchecked(group, std::move(generators));
  }
  const Seed seed = find_seed(table, i, real);
  const Index degree = table.degree(i), multiplicity = static_cast<Index>(seed.multiplicity);
  const auto rank = static_cast<std::size_t>(degree * multiplicity);
  require_memory(
      fmt::format("{} copies of an irreducible representation of degree {}", multiplicity, degree),
      8.0 * sizeof(Scalar) * static_cast<double>(rank * rank), "use a smaller group");
  const Translates<Scalar> f(table, i, seed);
  std::mt19937_64 random(i);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    throw_if_stopped();
    const std::size_t wanted = (rank + rank / 2 + 8) << attempt;
    const std::vector<Element> sample = sample_cosets(group, seed.subgroup, wanted, random);
    const auto basis = one_copy(group, f, sample, degree, multiplicity, random);
    if (!basis) continue;
    generators.clear();
    for (Element s : group.generators()) {
      const auto moved =
          matrix_of_function<Scalar>(group, sample, s, [&](Element g) { return f(g); });
      generators.push_back(polar_factor(MatrixOf<Scalar>(basis->adjoint() * moved * *basis)));
    }
    if (is_representation(table, i, tree, generators)) {
      return matrix_representation_unchecked(group, std::move(generators));
    }
  }
  throw Error({"an irreducible representation was not found to the required accuracy",
               fmt::format("character {} of {}, degree {}", i, group.name(), degree),
               fmt::format("an error of at most {} in every product", kTolerance),
               "report the group"});
}

Representation construct(const CharacterTable& table, std::size_t i, const SpanningTree& tree) {
  if (table.frobenius_schur(i) == 1) return construct<double>(table, i, tree);
  return construct<Complex>(table, i, tree);
}

Representation conjugate_of(const Representation& rho) {
  std::vector<Eigen::MatrixXcd> generators;
  for (Element s : rho.group().generators())
    generators.push_back(rho.complex_matrix(s).conjugate());
  return matrix_representation_unchecked(rho.group(), std::move(generators));
}

}  // namespace

Representation irreducible_representation(const CharacterTable& table, std::size_t i) {
  if (i >= table.count()) {
    throw InputError({"no such irreducible character", fmt::format("row {}", i),
                      fmt::format("a row below {}", table.count()), ""});
  }
  const std::size_t first = std::min(i, table.conjugate(i));
  const Representation rho = construct(table, first, spanning_tree(table.group()));
  return first == i ? rho : conjugate_of(rho);
}

std::vector<Representation> irreducible_representations(const CharacterTable& table,
                                                        const ProgressSink& progress) {
  const SpanningTree tree = spanning_tree(table.group());
  std::vector<Representation> all;
  all.reserve(table.count());
  for (std::size_t i = 0; i < table.count(); ++i) {
    report_progress(progress, i, table.count());
    const std::size_t j = table.conjugate(i);
    all.push_back(j < i ? conjugate_of(all[j]) : construct(table, i, tree));
  }
  return all;
}

}  // namespace algprior
