#pragma once

#include "algprior/group/group.hpp"

#include <functional>
#include <vector>

#include <Eigen/Core>

namespace algprior {

/// The embedded orbit of one sample: row h is E(hx), h in the group's order.
using OrbitMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
/// ρ(g) applied to each row.
using ApplyElement = std::function<void(Element g, const OrbitMatrix& rows, OrbitMatrix& moved)>;

/// Theorem 1 on one orbit, M the d×|G| matrix of its columns E(hx), V their span.
struct OrbitTheorem {
  Eigen::VectorXd singular;  ///< of M, the largest first
  double epsilon = 0;        ///< ε_x = max_{g,h} ‖E(ghx) − ρ(g)E(hx)‖
  /// Whether M has full rank |G|. Else ρ̃(g): E(hx) ↦ E(ghx) does not exist, and distance and bound
  /// are infinite.
  bool full_rank = false;
  double distance = 0;  ///< max_g ‖(ρ(g) − ρ̃(g))|_V‖_op
  double bound = 0;     ///< ε_x·√|G|/σ_min
};
/// `rounding`: a smallest singular value up to it counts as 0. O(|G|²·d·(|G| + d)).
OrbitTheorem theorem_one_on(const Group& group, const OrbitMatrix& orbit, const ApplyElement& apply,
                            double rounding);

/// A linear probe of one orbit: W = (XᵀX + λ)⁻¹Xᵀ, X the d×|G| matrix of its columns, λ =
/// ridge·tr(XᵀX)/|G|. Says for each g whether argmax(W z_g) = g.
std::vector<bool> probe_orbit(const OrbitMatrix& orbit, double ridge = 1e-6);

}  // namespace algprior
