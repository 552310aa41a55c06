#pragma once

#include "algprior/experiment/result.hpp"
#include "algprior/experiment/run.hpp"
#include "program.hpp"
#include "progress_bar.hpp"

#include <memory>
#include <string>

namespace algprior {

/// Follows one run on the terminal: a bar over its epochs, labelled with what the last one gave.
class RunReport {
 public:
  RunReport(Terminal& terminal, std::string name, std::int64_t epochs);
  MetricSink sink();

 private:
  std::string name_;
  std::int64_t epochs_;
  std::shared_ptr<ProgressBar> bar_;
};

/// Runs one experiment in `folder` with a bar on the terminal.
Result run_with_report(const config::Config& config, RunOptions options, Terminal& terminal);

/// One line a result: row, seed, accuracies, equivariance errors, epochs, seconds.
std::string results_text(const std::vector<Result>& results);

}  // namespace algprior
