#pragma once

#include "algprior/experiment/run.hpp"
#include "algprior/paper/result.hpp"
#include "program.hpp"

#include <string>

namespace algprior {

/// Runs one experiment with a bar on the terminal: its steps, and the validation metric it watches.
/// `go_on` is what a person who stopped it is told to type.
Result run_with_report(const config::Config& config, RunOptions options, const std::string& go_on,
                       Terminal& terminal);

/// The same in the configuration's own folder under the runs folder: goes on where an earlier
/// process stopped, and says so when there is nothing left to do. `holder` is who a second process
/// finds there.
Result run_or_resume(const config::Config& config, const std::string& holder, Terminal& terminal);

}  // namespace algprior
