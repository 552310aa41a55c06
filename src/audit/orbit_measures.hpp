#pragma once

#include "pair_errors.hpp"

namespace algprior::auditing {

/// Theorem 1 and the singular values of embedded orbits, on some of the samples.
struct OrbitMeasures {
  AuditTheorem theorem;
  std::vector<double> spectrum;
};
OrbitMeasures measure_orbits(const Source& source, const Moments& moments, const Predict& predict,
                             const AuditOptions& options, Meter& meter);

AuditProbes run_probes(const Source& source, const Moments& moments, const AuditOptions& options,
                       Meter& meter);

/// The orbit of sample n, centred: row h is E(hx).
RowMatrix orbit_of(const Source& source, const Moments& moments, std::size_t n);

double median_of(std::vector<double> values);

}  // namespace algprior::auditing
