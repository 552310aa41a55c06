#pragma once

#include "algprior/nn/steerable/steering.hpp"
#include "algprior/rep/representation.hpp"

#include <cstdint>
#include <vector>

#include <Eigen/Core>

namespace algprior::steerable {

/// What a feature carries at every pixel: a representation ρ(g) = Q (⊕ψ(g)) Qᵀ, split into
/// irreducible ones.
struct FieldType {
  SteeringPtr steering;
  std::vector<std::size_t> irreps;  ///< which of the steering's, place by place
  Eigen::MatrixXd basis;            ///< Q
  bool permutation = false;         ///< every ρ(g) permutes the channels

  std::int64_t dimension() const { return basis.rows(); }
  std::int64_t offset(std::size_t place) const;
  /// The columns of Q that every ρ(g) leaves as they are.
  Eigen::MatrixXd invariants() const;
};

/// `copies` fields of one type, one after another: the channels of a layer.
struct Fields {
  FieldType type;
  std::int64_t copies = 1;

  std::int64_t channels() const { return copies * type.dimension(); }
};

/// A representation of the steering's group as a field. Throws InputError when it is one of another
/// group, is not real or not orthogonal.
FieldType make_field(const SteeringPtr& steering, const Representation& representation);

/// ψ_i ⊕ ψ_j ⊕ … for a list of irreducible representations. Throws InputError for one that the
/// steering does not have, and for none.
FieldType field_of_irreps(const SteeringPtr& steering, std::vector<std::size_t> irreps);

/// All of the steering's irreducible representations, each once.
FieldType field_of_all_irreps(const SteeringPtr& steering);

/// The field with one trivial gate in front for each of its irreducible parts: what a gated
/// activation takes. Throws InputError unless Q = 1.
FieldType with_gates(const FieldType& field);

/// Every channel of the fields as a field of {e}: the same numbers, no symmetry asked of what
/// follows.
Fields restricted(const Fields& fields);

}  // namespace algprior::steerable
