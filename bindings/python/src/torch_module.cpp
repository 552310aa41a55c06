// The half with torch. algprior/torch/__init__.py has imported Python's torch and compared
// versions.
#include "torch_bind.hpp"

PYBIND11_MODULE(_torch, module) {
  using namespace algprior::python;
  py::module_::import("torch");
  py::module_::import("algprior._algebra");  // Group, Representation, and our exceptions
  bind_actions(module);
  bind_losses(module);
  bind_blocks(module);
  bind_run(module);
}
