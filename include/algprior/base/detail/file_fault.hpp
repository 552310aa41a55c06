#pragma once

#include <functional>

namespace algprior {

/// The steps of an atomic write, in their order; an appended file has the first three.
enum class FileStep { kOpen, kWrite, kSync, kRename, kSyncFolder };

/// For tests: called before each step; an errno other than 0 makes the step fail with it. An empty
/// function takes the hook away. Not for use while other threads write files.
void set_file_fault(std::function<int(FileStep)> fault);

}  // namespace algprior
