#include "algprior/group/presentation.hpp"
#include "catalogue.hpp"
#include "state.hpp"

#include <numeric>

#include <fmt/format.h>

namespace algprior {
namespace {

Permutation identity_on(std::size_t degree) {
  Permutation p(degree);
  std::iota(p.begin(), p.end(), 0u);
  return p;
}

// Appends the cycle (first, first+1, …, last) of points from 0.
Permutation with_cycle(Permutation p, unsigned first, unsigned last) {
  for (unsigned v = first; v < last; ++v) p[v] = v + 1;
  p[last] = first;
  return p;
}

Group named(const std::string& name, const std::vector<Permutation>& generators,
            const std::string& presentation, const GroupLimits& limits) {
  Blueprint data = enumerate_permutations(generators, limits);
  data.name = name;
  data.presentation = presentation.empty() ? Presentation{} : parse_presentation(presentation);
  data.generator_names = data.presentation->generators;
  data.defining = generators;
  return assemble(std::move(data));
}

}  // namespace

// Coxeter and Moser, Generators and Relations for Discrete Groups, (6.28).
Group symmetric_group(unsigned n, const GroupLimits& limits) {
  const std::string name = fmt::format("S{}", n);
  if (n == 1) return named(name, {}, "", limits);
  const Permutation swap = with_cycle(identity_on(n), 0, 1);
  if (n == 2) return named(name, {swap}, "<s | s^2>", limits);
  std::string relators = fmt::format("r^{}, s^2, (r*s)^{}", n, n - 1);
  if (n > 3) relators += ", (s*r^-1*s*r)^3";
  for (unsigned j = 2; j <= n / 2; ++j) relators += fmt::format(", (s*r^-{}*s*r^{})^2", j, j);
  return named(name, {with_cycle(identity_on(n), 0, n - 1), swap}, "<r,s | " + relators + ">",
               limits);
}

// Coxeter and Moser, (6.35) for odd and (6.36) for even n.
Group alternating_group(unsigned n, const GroupLimits& limits) {
  const std::string name = fmt::format("A{}", n);
  if (n <= 2) return named(name, {}, "", limits);
  const Permutation s = with_cycle(identity_on(n), 0, 2);
  if (n == 3) return named(name, {s}, "<s | s^3>", limits);
  const bool even = n % 2 == 0;
  Permutation t = with_cycle(identity_on(n), 2, n - 1);
  if (even) t = with_cycle(t, 0, 1);
  std::string relators = fmt::format("s^3, t^{}, (s*t)^{}", n - 2, even ? n - 1 : n);
  for (unsigned k = 1; k <= (even ? n - 2 : n - 3) / 2; ++k) {
    relators += fmt::format(", (s^{}*t^-{}*s*t^{})^2", even && k % 2 == 1 ? -1 : 1, k, k);
  }
  return named(name, {s, t}, "<s,t | " + relators + ">", limits);
}

Group klein_group(unsigned, const GroupLimits& limits) {
  return named("V4", parse_permutations("(1,2)(3,4);(1,3)(2,4)"), "<a,b | a^2, b^2, (a*b)^2>",
               limits);
}

namespace {

Group dicyclic(const std::string& name, unsigned n, const std::string& presentation) {
  Blueprint data;
  data.name = name;
  const unsigned m = 2 * n;  // a^k x^f has index m·f + k before renumbering
  data.order = 2 * std::size_t{m};
  data.right.assign(2, std::vector<Element>(data.order));
  for (Element k = 0; k < m; ++k) {
    data.right[0][k] = (k + 1) % m;
    data.right[0][m + k] = m + (k + m - 1) % m;
    data.right[1][k] = m + k;
    data.right[1][m + k] = (k + n) % m;
  }
  data.presentation = parse_presentation(presentation);
  data.generator_names = data.presentation->generators;
  return assemble(renumbered(std::move(data)));
}

}  // namespace

Group dicyclic_group(unsigned n, const GroupLimits&) {
  return dicyclic(fmt::format("Dic{}", n), n,
                  fmt::format("<a,x | a^{}, x^2 = a^{}, x^-1*a*x = a^-1>", 2 * n, n));
}

Group quaternion_group(unsigned order, const GroupLimits&) {
  const unsigned n = order / 4;
  return dicyclic(fmt::format("Q{}", order), n,
                  fmt::format("<i,j | i^{}, i^{} = j^2, j^-1*i*j = i^-1>", 2 * n, n));
}

}  // namespace algprior
