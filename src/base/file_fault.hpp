#pragma once

#include "algprior/base/detail/file_fault.hpp"

namespace algprior {

/// True when the step was made to fail by set_file_fault; errno then says how.
bool injected_fault(FileStep step);

}  // namespace algprior
