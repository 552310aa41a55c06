#pragma once

#include "torch/module.hpp"

namespace algprior {

/// Loads the part of the program that needs LibTorch (half a second, once), with OpenBLAS on
/// kernels for this CPU and `threads` threads. Throws FileError when it or LibTorch is missing or
/// does not belong to this program, InputError when the program was built without LibTorch.
const TorchModule& load_torch_module(int threads);

}  // namespace algprior
