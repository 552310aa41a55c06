#pragma once

#include "algprior/audit/audit_subject.hpp"
#include "algprior/experiment/experiment.hpp"

#include <cstdint>
#include <string>

namespace algprior {

struct RunAuditOptions {
  std::string layer = "0";      ///< which latent of the network, or "output"
  std::int64_t samples = 1000;  ///< of the test data, at most
  ProgressSink progress = {};   ///< told of the encoding; may be empty
};

/// What an audit needs of a trained experiment: embedded orbits of its test samples under its own
/// action, and the ρ that its prior (fixed or learned) asks of that layer. Data without an action
/// on whole samples give pairs x, g·x as they come. Throws InputError when there is no such layer
/// or the data have no partners.
AuditSubject embed_experiment(const Experiment& experiment, const RunAuditOptions& options = {});

}  // namespace algprior
