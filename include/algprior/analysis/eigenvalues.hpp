#pragma once

#include "algprior/rep/approximate.hpp"

#include <complex>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace algprior {

/// When the eigenvalues of a learned matrix are recorded: before the first step, every 100 steps
/// below 2000, then every 2000. The end of training is added by the one who knows it.
bool is_snapshot_step(std::int64_t step);

/// The eigenvalues of one generator's matrix at one time.
struct EigenvalueSnapshot {
  std::int64_t step = 0;
  std::string generator;
  std::vector<std::complex<double>> eigenvalues;  ///< by angle in [0, 2π), then size
  std::vector<std::size_t> nearest;  ///< of each the k of the nearest exp(2πik/n), n the order
};

/// One for each generator.
std::vector<EigenvalueSnapshot> eigenvalue_snapshot(const ApproximateRepresentation& representation,
                                                    std::int64_t step);

/// The eigenvalues over a training run, kept as a CSV file
/// "step,generator,real,imaginary,nearest_root" that is whole at any time; generators by number.
class EigenvalueTrajectory {
 public:
  /// Takes up what the file holds, if it exists. Throws FileError when it is damaged.
  EigenvalueTrajectory(Group group, std::filesystem::path file);

  /// Forgets what was recorded after `step`: a resumed run starts from an older step than it had
  /// reached. Writes the file when something was forgotten.
  void cut(std::int64_t step);
  /// Adds the snapshot of a step and writes the file; a step recorded before is replaced.
  void record(std::int64_t step, const ApproximateRepresentation& representation);

  const std::vector<EigenvalueSnapshot>& snapshots() const noexcept { return snapshots_; }

 private:
  void write() const;

  Group group_;
  std::filesystem::path file_;
  std::vector<EigenvalueSnapshot> snapshots_;
};

/// An observer for Trainer::observe_steps: records ρ̂ on the schedule, and cuts what a resume does
/// again. `representation` is asked for ρ̂ at each recorded step. The end of a run is added by
/// EigenvalueTrajectory(group, file).record(steps, ρ̂).
std::function<void(std::int64_t step)> record_eigenvalues(
    Group group, std::filesystem::path file,
    std::function<ApproximateRepresentation()> representation);

}  // namespace algprior
