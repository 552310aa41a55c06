#pragma once

#include "algprior/action/action.hpp"
#include "bind.hpp"
#include "long_call.hpp"

#include <torch/csrc/utils/pybind.h>

namespace algprior::python {

/// One function for each file torch_*.cpp.
void bind_actions(py::module_& module);
void bind_losses(py::module_& module);
void bind_blocks(py::module_& module);
void bind_run(py::module_& module);

/// Tensors go through these without Python's lock: other threads run, and autograd may take the
/// lock.
using Unlocked = py::call_guard<py::gil_scoped_release>;

}  // namespace algprior::python
