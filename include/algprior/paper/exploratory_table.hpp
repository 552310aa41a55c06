#pragma once

#include "algprior/paper/result.hpp"

#include <optional>
#include <string>
#include <vector>

namespace algprior {

/// One run of an experiment with a learned representation: its numbers in the order of the table's
/// columns; nothing where a run that diverged has none.
struct ExploratoryRun {
  std::string name;  ///< "paper 1", "seed 0", "null, mean"
  std::vector<std::optional<double>> values;
  bool converged = true;
};

/// Which representation the networks learned, run by run, beside the paper's runs and the null
/// model, which has neither network nor data.
struct ExploratoryTable {
  std::string experiment;
  std::string title;
  std::vector<std::string> columns;  ///< multiplicities, losses, independent orbits, their bound
  std::vector<ExploratoryRun> published;
  std::vector<ExploratoryRun> ours;
  std::optional<ExploratoryRun> null;  ///< the mean over its seeds
  std::string shares;                  ///< how often the null model gave which counts
  std::string missing;                 ///< the command that fills the table; "" when it is full
};

/// All of them, and that of the probes. Runs that did not converge are marked, never dropped.
std::vector<ExploratoryTable> make_exploratory_tables(const std::vector<Result>& results);

std::string to_text(const std::vector<ExploratoryTable>& tables, bool markdown = false,
                    std::size_t width = 0);
std::string to_json(const std::vector<ExploratoryTable>& tables);

}  // namespace algprior
