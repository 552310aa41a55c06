#pragma once

#include <string>

namespace algprior {

/// Throws LimitError, naming the cost, unless `bytes` fit into this machine's memory: to be asked
/// before something of a size that a user chose is allocated, because the system grants memory that
/// it lacks and ends the process later. `what`: "a network", `where`: the sizes that cost so much.
void check_memory(double bytes, const std::string& what, const std::string& where);

}  // namespace algprior
