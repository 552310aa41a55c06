#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace algprior {

/// What this machine offers to a numerical program. Read once; cheap to copy.
struct Machine {
  std::string cpu;  ///< "AMD EPYC 7763", "unknown" when the system hides it
  std::vector<std::string> instruction_sets;  ///< of those that matter here: "AVX2", "FMA", …
  int cores = 1;                   ///< cores that this process may use (affinity, cgroup)
  std::uint64_t memory_bytes = 0;  ///< physical memory, or the cgroup's bound if smaller
  std::uint64_t memory_available_bytes = 0;
};

Machine this_machine();

/// The widest vector instructions of this CPU that algprior's kernels and BLAS use: "AVX-512",
/// "AVX2", "SSE4", "NEON" or "baseline".
std::string instruction_set();

/// Cores that this process may use: its affinity mask, cut to the CPU quota of its cgroup, at
/// least 1.
int usable_cores();

}  // namespace algprior
