#include "algprior/nn/steerable/field.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/memory.hpp"
#include "algprior/rep/decomposition.hpp"
#include "checks.hpp"

#include <cmath>

#include <fmt/format.h>

namespace algprior::steerable {

void check_steering(const SteeringPtr& steering) {
  if (steering && !steering->irreps.empty() && !steering->space.empty()) return;
  throw InputError({"a field has no group", steering ? steering->name : "no steering",
                    "a steering with its irreducible representations",
                    "make it with make_steering or make_rotation_steering"});
}

void check_field(const FieldType& field) {
  check_steering(field.steering);
  std::int64_t dimension = 0;
  for (const std::size_t i : field.irreps) {
    if (i >= field.steering->irreps.size()) {
      throw InputError({"a field asks for an irreducible representation that is not there",
                        fmt::format("number {} of {}", i, field.steering->name),
                        fmt::format("0 to {}", field.steering->irreps.size() - 1), ""});
    }
    dimension += field.steering->irreps[i].dimension();
  }
  if (dimension >= 1 && field.basis.rows() == dimension && field.basis.cols() == dimension) return;
  throw InputError({"a field's basis does not fit its irreducible parts",
                    fmt::format("{} x {}, parts of {} channels", field.basis.rows(),
                                field.basis.cols(), dimension),
                    "a square matrix of that many channels, at least 1",
                    "make it with make_field or field_of_irreps"});
}

void check_fields(const Fields& fields) {
  check_field(fields.type);
  check_memory(sizeof(float) * static_cast<double>(fields.copies) *
                   static_cast<double>(fields.type.dimension()),
               "a layer of fields",
               fmt::format("{} fields of {} channels", fields.copies, fields.type.dimension()));
  if (fields.copies >= 1) return;
  throw InputError(
      {"a layer has no fields", fmt::format("{} copies", fields.copies), "at least 1", ""});
}

void check_weight(const char* name, double value) {
  if (std::isfinite(value) && value >= 0) return;
  throw InputError({fmt::format("{} cannot be this", name), fmt::format("{}", value),
                    "a finite number of at least 0", ""});
}

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
  check_steering(steering);
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
  check_steering(steering);
  std::int64_t dimension = 0;
  for (const std::size_t i : irreps) {
    if (i < steering->irreps.size()) dimension += steering->irreps[i].dimension();
  }
  FieldType field{steering, std::move(irreps), Eigen::MatrixXd::Identity(dimension, dimension),
                  false};
  check_field(field);
  return field;
}

FieldType field_of_all_irreps(const SteeringPtr& steering) {
  check_steering(steering);
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < steering->irreps.size(); ++i) all.push_back(i);
  return field_of_irreps(steering, std::move(all));
}

FieldType with_gates(const FieldType& field) {
  check_field(field);
  if (!field.basis.isIdentity()) {
    throw InputError({"gates act on irreducible parts", "a field in another basis",
                      "a field of field_of_irreps", "pointwise activations serve permutations"});
  }
  std::vector<std::size_t> irreps(field.irreps.size(), 0);
  irreps.insert(irreps.end(), field.irreps.begin(), field.irreps.end());
  return field_of_irreps(field.steering, std::move(irreps));
}

Fields restricted(const Fields& fields) {
  check_fields(fields);
  const auto trivial = make_trivial_steering(fields.type.steering->axes);
  return {field_of_irreps(trivial, {0}), fields.channels()};
}

}  // namespace algprior::steerable
