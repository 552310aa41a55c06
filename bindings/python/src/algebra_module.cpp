// The half without torch: groups, characters, representations, the audit. NumPy is imported by the
// first call that returns an array, so that `import algprior` takes milliseconds.
#include "bind.hpp"

PYBIND11_MODULE(_algebra, module) {
  using namespace algprior::python;
  bind_errors(module);
  bind_groups(module);
  bind_constructions(module);
  bind_audit(module);
}
