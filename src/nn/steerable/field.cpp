#include "algprior/nn/steerable/field.hpp"

#include "algprior/base/error.hpp"
#include "algprior/rep/decomposition.hpp"

#include <fmt/format.h>

namespace algprior::steerable {

std::int64_t FieldType::offset(std::size_t place) const {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < place; ++i) sum += steering->irreps[irreps[i]].dimension();
  return sum;
}

Eigen::MatrixXd FieldType::invariants() const {
  std::vector<Eigen::Index> columns;
  for (std::size_t i = 0; i < irreps.size(); ++i) {
    if (irreps[i] == 0) columns.push_back(offset(i));
  }
  return basis(Eigen::all, columns);
}

FieldType make_field(const SteeringPtr& steering, const Representation& representation) {
  const auto refuse = [&](const std::string& where, const std::string& expected) {
    throw InputError({"a field type does not fit the group", where, expected,
                      "make the representation from the group that the steering was made from"});
  };
  const std::string& wanted = steering->name;
  if (!steering->group) {
    refuse("a representation of the finite group " + representation.group().name(),
           "irreducible representations of " + wanted);
  }
  if (!(representation.group() == *steering->group)) {
    refuse("a representation of " + representation.group().name(), "one of " + wanted);
  }
  constexpr double kRounding = 1e-9;
  if (!representation.is_real() || unitarity_defect(representation) > kRounding) {
    refuse("a representation that is not by real orthogonal matrices", "orthogonal matrices");
  }
  const auto irreps = real_irreducible_representations(character_table(*steering->group));
  const RealDecomposition parts = decompose_real(representation, irreps);
  FieldType field{steering, {}, parts.basis, representation.is_permutation()};
  for (const Summand& part : parts.summands) field.irreps.push_back(part.irrep);
  return field;
}

FieldType field_of_irreps(const SteeringPtr& steering, std::vector<std::size_t> irreps) {
  std::int64_t dimension = 0;
  for (const std::size_t i : irreps) {
    if (i >= steering->irreps.size()) {
      throw InputError({"a field asks for an irreducible representation that is not there",
                        fmt::format("number {} of {}", i, steering->name),
                        fmt::format("0 to {}", steering->irreps.size() - 1), ""});
    }
    dimension += steering->irreps[i].dimension();
  }
  return {steering, std::move(irreps), Eigen::MatrixXd::Identity(dimension, dimension), false};
}

FieldType field_of_all_irreps(const SteeringPtr& steering) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < steering->irreps.size(); ++i) all.push_back(i);
  return field_of_irreps(steering, std::move(all));
}

FieldType with_gates(const FieldType& field) {
  if (!field.basis.isIdentity()) {
    throw InputError({"gates act on irreducible parts", "a field in another basis",
                      "a field of field_of_irreps", "pointwise activations serve permutations"});
  }
  std::vector<std::size_t> irreps(field.irreps.size(), 0);
  irreps.insert(irreps.end(), field.irreps.begin(), field.irreps.end());
  return field_of_irreps(field.steering, std::move(irreps));
}

Fields restricted(const Fields& fields) {
  const auto trivial = make_trivial_steering(fields.type.steering->axes);
  return {field_of_irreps(trivial, {0}), fields.channels()};
}

}  // namespace algprior::steerable
