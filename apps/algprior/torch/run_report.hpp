#pragma once

#include "algprior/experiment/result.hpp"
#include "algprior/experiment/run.hpp"
#include "program.hpp"
#include "progress_bar.hpp"

#include <memory>
#include <string>

namespace algprior {

/// Follows one run on the terminal: a bar over its epochs, or over the steps of a null model.
class RunReport {
 public:
  RunReport(Terminal& terminal, const config::Config& config);
  MetricSink sink();

 private:
  bool by_steps_;
  std::uint64_t total_;
  std::shared_ptr<ProgressBar> bar_;
};

/// Runs one experiment in `folder` with a bar on the terminal.
Result run_with_report(const config::Config& config, RunOptions options, Terminal& terminal);

/// The same in the configuration's own folder under the runs folder: goes on where an earlier
/// process stopped, and says so when there is nothing left to do. `holder` is who a second process
/// finds there.
Result run_or_resume(const config::Config& config, const std::string& holder, Terminal& terminal);

/// One line a result: row, seed, accuracies, equivariance errors, epochs, seconds.
std::string results_text(const std::vector<Result>& results);

}  // namespace algprior
