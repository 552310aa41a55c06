#include "representation_laws.hpp"

#include "algprior/group/catalogue.hpp"
#include "algprior/group/geometry.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/group/product.hpp"
#include "algprior/rep/constructions.hpp"

#include <string>

namespace algprior {
namespace {

using laws::IrreducibleLaws;
using laws::random_matrix;
using laws::RepresentationLaws;

/// The cyclic subgroup of g as a group of its own, with its embedding.
struct Cyclic {
  Group group;
  std::vector<Element> embedding;
};

Cyclic cyclic_subgroup(const Group& group, Element g) {
  const std::size_t n = group.element_order(g);
  Cyclic cyclic{make_group("C" + std::to_string(n)), {}};
  for (std::size_t k = 0; k < n; ++k) {
    cyclic.embedding.push_back(group.power(g, static_cast<std::int64_t>(k)));
  }
  return cyclic;
}

Representation faithful_character(const Group& cyclic) {
  std::vector<std::complex<double>> values;
  for (std::size_t k = 0; k < cyclic.generators().size(); ++k) {
    values.push_back(std::polar(1.0, 2 * M_PI / static_cast<double>(cyclic.order())));
  }
  return linear_representation(cyclic, values);
}

bool has_defining_action(const Group& group) {
  for (const Group& part : factors(group)) {
    if (!defining_generators(part)) return false;
  }
  return true;
}

/// Every construction there is, on one group.
void check_constructions(const Group& group) {
  std::vector<Representation> some{trivial_representation(group, 2)};
  const Representation regular = regular_representation(group);
  some.push_back(regular);
  Representation small = irreducible_representations(character_table(group)).back();
  if (has_defining_action(group)) {
    some.push_back(defining_representation(group));
    some.push_back(sign_representation(group));
    small = direct_sum({defining_representation(group), small});
  }
  some.push_back(small);
  some.push_back(copies(small, 2));
  some.push_back(copies(some[some.size() / 2], 3));
  if (small.dimension() <= 12) some.push_back(tensor_product(small, small));
  if (group.order() <= 24) some.push_back(tensor_product(regular, some.front()));
  some.push_back(dual(small));
  const auto d = static_cast<Eigen::Index>(small.dimension());
  some.push_back(change_of_basis(small, Eigen::MatrixXd(random_matrix(d, d, 11))));
  const Element s = group.order() == 1 ? 0 : group.generators().front();
  const Cyclic cyclic = cyclic_subgroup(group, s);
  some.push_back(restriction(small, cyclic.group, cyclic.embedding));
  some.push_back(restriction(regular, cyclic.group, cyclic.embedding));
  some.push_back(induction(trivial_representation(cyclic.group), group, cyclic.embedding));
  some.push_back(induction(faithful_character(cyclic.group), group, cyclic.embedding));
  for (const Representation& rho : some) RepresentationLaws(rho, 1e-8).check_all();
}

class RepresentationsOf : public testing::TestWithParam<const char*> {};

TEST_P(RepresentationsOf, KeepTheLaws) {
  const Group group = make_group(GetParam());
  check_constructions(group);
  IrreducibleLaws(group).check_all();
}

INSTANTIATE_TEST_SUITE_P(Products, RepresentationsOf,
                         testing::Values("C2^3", "C4xC6", "D4xD4", "S3xC3", "Q8xC5", "Q8xQ8",
                                         "A4xS3", "C7:C3", "C2wrC3", "C2wrS3", "S3xS3xC2"));

INSTANTIATE_TEST_SUITE_P(Presentations, RepresentationsOf,
                         testing::Values("<a,b | a^2, b^3, (a*b)^7, [a,b]^4>",
                                         "<a,b | a^8, b^2, a^b = a^3>",
                                         "<a,b | a^3, b^3, [a,b]^3, [a,[a,b]], [b,[a,b]]>",
                                         "<a,b | a^11, b^5, a^b = a^3>"));

// Every row of the catalogue: its smallest groups, and its largest of order 120 or less.
TEST(CatalogueGroups, KeepTheLaws) {
  constexpr unsigned kSmallest = 7;
  for (const CatalogueEntry& row : catalogue()) {
    std::vector<Group> groups;
    if (!row.numbered) groups.push_back(make_group(row.example));
    for (unsigned n = row.smallest; row.numbered && row.order(n) <= 120; n += row.step) {
      const bool last = row.order(n + row.step) > 120;
      if (last || groups.size() < kSmallest) groups.push_back(row.build(n, {}));
    }
    for (const Group& group : groups) {
      check_constructions(group);
      IrreducibleLaws(group).check_all();
    }
  }
}

}  // namespace
}  // namespace algprior
