#pragma once

#include "algprior/fluid/flow.hpp"
#include "algprior/fluid/state.hpp"

#include <memory>

namespace algprior::fluid {

/// What one step cost.
struct StepReport {
  int iterations = 0;  ///< of the pressure solve; 0 when it is direct
};

/// Both solvers take the same step: the smoke is advected (MacCormack, clamped) and flows in; the
/// velocity is advected by itself (semi-Lagrangian) and pushed by the new smoke; its divergence is
/// projected out. They differ in arithmetic. One object serves one thread. Steps throw
/// DivergedError, naming the step and the flow, when a number is no longer finite.

/// float32, operation by operation as the published generator (PhiFlow 2.0.1 on NumPy) computes:
/// conjugate gradients to a relative residual of 1e-5, pairwise sums. The same bytes on every CPU
/// and whatever the compiler's flags for the rest of the program. Sticking walls only.
class PublishedSolver {
 public:
  /// Throws InputError for a flow that fails check(), or with walls that slip.
  explicit PublishedSolver(const Flow& flow);
  ~PublishedSolver();
  PublishedSolver(PublishedSolver&&) noexcept;
  PublishedSolver& operator=(PublishedSolver&&) noexcept;

  /// Throws InputError when the state has another grid.
  StepReport step(State<float>& state);

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

/// float64 with a direct projection by cosine transforms: the divergence is rounding, and every sum
/// is arranged so that the symmetries of the square permute its terms. Turning or mirroring a flow
/// turns or mirrors its simulation to the last bit; so a symmetric plume stays symmetric for ever,
/// where float32 rounding breaks it. Cost of the projection O(cells · (width + height)).
class SymmetricSolver {
 public:
  explicit SymmetricSolver(const Flow& flow);
  ~SymmetricSolver();
  SymmetricSolver(SymmetricSolver&&) noexcept;
  SymmetricSolver& operator=(SymmetricSolver&&) noexcept;

  StepReport step(State<double>& state);
  /// The divergence-free part of a velocity: the last part of step() alone.
  void project(State<double>& state);

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace algprior::fluid
