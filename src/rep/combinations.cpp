#include "algprior/rep/constructions.hpp"
#include "representation_state.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace algprior {
namespace {

using Eigen::Index;

void require_same_group(const Representation& a, const Representation& b) {
  if (a.group() == b.group()) return;
  throw InputError({"these representations belong to different groups",
                    a.group().name() + " and " + b.group().name(),
                    "two representations made from the same group value",
                    "make the group once and copy the handle"});
}

/// Fills whichever answer suits the parts: permutations if all are, else real, else complex.
template <class Permute, class Combine>
Representation combine(Representation::State state, bool permutation, bool real, Permute permute,
                       Combine matrices) {
  if (permutation) {
    state.permutation = permute;
  } else if (real) {
    state.real = [matrices](Element g) {
      return matrices(g, [](const Representation& r, Element x) { return r.matrix(x); });
    };
  } else {
    state.complex = [matrices](Element g) {
      return matrices(g, [](const Representation& r, Element x) { return r.complex_matrix(x); });
    };
  }
  return make_representation(std::move(state));
}

template <class Matrix>
Matrix kronecker(const Matrix& a, const Matrix& b) {
  Matrix product(a.rows() * b.rows(), a.cols() * b.cols());
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index j = 0; j < a.cols(); ++j) {
      product.block(i * b.rows(), j * b.cols(), b.rows(), b.cols()) = a(i, j) * b;
    }
  }
  return product;
}

/// The tensor product of a on `left(g)` and b on `right(g)`.
template <class Left, class Right>
Representation tensor(const Group& group, const Representation& a, const Representation& b,
                      Left left, Right right) {
  const std::size_t da = a.dimension(), db = b.dimension();
  Representation::State state{group, da * db};
  state.trace = [a, b, left, right](Element g) { return a.trace(left(g)) * b.trace(right(g)); };
  const auto permute = [a, b, da, db, left, right](Element g) {
    const Permutation p = a.permutation(left(g)), q = b.permutation(right(g));
    Permutation image(da * db);
    for (std::size_t i = 0; i < da; ++i) {
      for (std::size_t j = 0; j < db; ++j) {
        image[i * db + j] = static_cast<std::uint32_t>(p[i] * db + q[j]);
      }
    }
    return image;
  };
  const auto matrices = [a, b, left, right](Element g, auto at) {
    return kronecker(at(a, left(g)), at(b, right(g)));
  };
  return combine(std::move(state), a.is_permutation() && b.is_permutation(),
                 a.is_real() && b.is_real(), permute, matrices);
}

void require_homomorphism(const Group& from, const Group& to, const std::vector<Element>& map) {
  const auto refuse = [&](const std::string& where) {
    throw InputError({"this map of group elements is not a homomorphism",
                      from.name() + " → " + to.name() + ": " + where, "φ(gh) = φ(g)φ(h)", ""});
  };
  if (map.size() != from.order()) {
    refuse(fmt::format("{} images for {} elements", map.size(), from.order()));
  }
  if (std::any_of(map.begin(), map.end(), [&](Element g) { return g >= to.order(); })) {
    refuse("an image is no element");
  }
  for (Element s : from.generators()) {
    for (Element g = 0; g < from.order(); ++g) {
      if (map[from.multiply_unchecked(g, s)] != to.multiply_unchecked(map[g], map[s])) {
        refuse(fmt::format("at g = {}, h = {}", g, s));
      }
    }
  }
}

}  // namespace

Representation direct_sum(const std::vector<Representation>& summands) {
  if (summands.empty()) {
    throw InputError({"a direct sum needs a summand", "an empty list",
                      "at least one representation",
                      "use trivial_representation(group, 0) for the zero space"});
  }
  std::size_t d = 0;
  bool permutation = true, real = true;
  for (const Representation& part : summands) {
    require_same_group(part, summands.front());
    d += part.dimension();
    permutation = permutation && part.is_permutation();
    real = real && part.is_real();
  }
  Representation::State state{summands.front().group(), d};
  state.trace = [summands](Element g) {
    std::complex<double> sum = 0;
    for (const Representation& part : summands) sum += part.trace(g);
    return sum;
  };
  const auto permute = [summands, d](Element g) {
    Permutation image;
    image.reserve(d);
    for (const Representation& part : summands) {
      const auto offset = static_cast<std::uint32_t>(image.size());
      for (std::uint32_t i : part.permutation(g)) image.push_back(offset + i);
    }
    return image;
  };
  const auto matrices = [summands, d](Element g, auto at) {
    using Matrix = decltype(at(summands.front(), g));
    Matrix sum = Matrix::Zero(static_cast<Index>(d), static_cast<Index>(d));
    Index offset = 0;
    for (const Representation& part : summands) {
      const auto size = static_cast<Index>(part.dimension());
      sum.block(offset, offset, size, size) = at(part, g);
      offset += size;
    }
    return sum;
  };
  return combine(std::move(state), permutation, real, permute, matrices);
}

Representation copies(const Representation& representation, std::size_t n) {
  if (n == 0) return trivial_representation(representation.group(), 0);
  return direct_sum(std::vector<Representation>(n, representation));
}

Representation tensor_product(const Representation& a, const Representation& b) {
  require_same_group(a, b);
  const auto same = [](Element g) { return g; };
  return tensor(a.group(), a, b, same, same);
}

Representation outer_tensor_product(const Group& product, const Representation& a,
                                    const Representation& b) {
  const auto n = static_cast<Element>(b.group().order());
  if (product.order() != a.group().order() * n) {
    throw InputError({"this group is not the product of the factors' groups", product.name(),
                      a.group().name() + "x" + b.group().name(), ""});
  }
  std::vector<Element> left(product.order()), right(product.order());
  for (Element g = 0; g < product.order(); ++g) {
    left[g] = g / n;
    right[g] = g % n;
  }
  require_homomorphism(product, a.group(), left);
  require_homomorphism(product, b.group(), right);
  return tensor(
      product, a, b, [n](Element g) { return g / n; }, [n](Element g) { return g % n; });
}

Representation dual(const Representation& rho) {
  if (rho.is_permutation()) return rho;
  const Group group = rho.group();
  Representation::State state{group, rho.dimension()};
  state.trace = [rho, group](Element g) { return rho.trace(group.inverse(g)); };
  const auto matrices = [rho, group](Element g, auto at) {
    using Matrix = decltype(at(rho, g));
    return Matrix(at(rho, group.inverse(g)).transpose());
  };
  return combine(std::move(state), false, rho.is_real(), nullptr, matrices);
}

Representation restriction(const Representation& rho, const Group& subgroup,
                           const std::vector<Element>& embedding) {
  require_homomorphism(subgroup, rho.group(), embedding);
  Representation::State state{subgroup, rho.dimension()};
  state.trace = [rho, embedding](Element h) { return rho.trace(embedding[h]); };
  const auto permute = [rho, embedding](Element h) { return rho.permutation(embedding[h]); };
  const auto matrices = [rho, embedding](Element h, auto at) { return at(rho, embedding[h]); };
  return combine(std::move(state), rho.is_permutation(), rho.is_real(), permute, matrices);
}

Representation induction(const Representation& rho, const Group& group,
                         const std::vector<Element>& embedding) {
  const Group& subgroup = rho.group();
  require_homomorphism(subgroup, group, embedding);
  constexpr std::uint32_t kNone = UINT32_MAX;
  struct Cosets {
    std::vector<Element> transversal;
    std::vector<std::uint32_t> coset;  // of each element of G
    std::vector<Element> part;         // g = t_{coset(g)} · part(g), as an element of H
  };
  auto cosets = std::make_shared<Cosets>();
  cosets->coset.assign(group.order(), kNone);
  cosets->part.assign(group.order(), 0);
  for (Element t = 0; t < group.order(); ++t) {
    if (cosets->coset[t] != kNone) continue;
    const auto i = static_cast<std::uint32_t>(cosets->transversal.size());
    cosets->transversal.push_back(t);
    for (Element h = 0; h < subgroup.order(); ++h) {
      const Element g = group.multiply_unchecked(t, embedding[h]);
      if (cosets->coset[g] != kNone) {
        throw InputError({"induction needs an injective homomorphism", subgroup.name(),
                          "a subgroup of " + group.name(), "divide by the kernel first"});
      }
      cosets->coset[g] = i;
      cosets->part[g] = h;
    }
  }
  const std::size_t index = cosets->transversal.size(), d = rho.dimension();
  Representation::State state{group, index * d};
  state.trace = [rho, group, cosets, index](Element g) {
    std::complex<double> sum = 0;
    for (std::size_t i = 0; i < index; ++i) {
      const Element moved = group.multiply_unchecked(g, cosets->transversal[i]);
      if (cosets->coset[moved] == i) sum += rho.trace(cosets->part[moved]);
    }
    return sum;
  };
  const auto permute = [rho, group, cosets, index, d](Element g) {
    Permutation image(index * d);
    for (std::size_t i = 0; i < index; ++i) {
      const Element moved = group.multiply_unchecked(g, cosets->transversal[i]);
      const Permutation inner = rho.permutation(cosets->part[moved]);
      for (std::size_t v = 0; v < d; ++v) {
        image[i * d + v] = static_cast<std::uint32_t>(cosets->coset[moved] * d + inner[v]);
      }
    }
    return image;
  };
  const auto matrices = [rho, group, cosets, index, d](Element g, auto at) {
    using Matrix = decltype(at(rho, g));
    const auto size = static_cast<Index>(d);
    Matrix induced =
        Matrix::Zero(static_cast<Index>(index) * size, static_cast<Index>(index) * size);
    for (std::size_t i = 0; i < index; ++i) {
      const Element moved = group.multiply_unchecked(g, cosets->transversal[i]);
      induced.block(static_cast<Index>(cosets->coset[moved]) * size, static_cast<Index>(i) * size,
                    size, size) = at(rho, cosets->part[moved]);
    }
    return induced;
  };
  return combine(std::move(state), rho.is_permutation(), rho.is_real(), permute, matrices);
}

}  // namespace algprior
