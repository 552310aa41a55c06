#include "algprior/base/error.hpp"
#include "algprior/base/interrupt.hpp"
#include "bind.hpp"

namespace algprior::python {
namespace {

void raise_as(const char* name, const Error& error) {
  const Failure& failure = error.failure();
  const py::object type = py::module_::import("algprior.errors").attr(name);
  const py::object value = type(failure.what, failure.where, failure.expected, failure.next);
  PyErr_SetObject(type.ptr(), value.ptr());
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const Interrupted& error) {
    clear_stop();
    // Ctrl-C is Python's own exception; a handler that people set may also raise one of theirs.
    if (PyErr_CheckSignals() == 0) raise_as("Interrupted", error);
  } catch (const InputError& error) {
    raise_as("InputError", error);
  } catch (const FileError& error) {
    raise_as("FileError", error);
  } catch (const LimitError& error) {
    raise_as("LimitError", error);
  } catch (const DivergedError& error) {
    raise_as("DivergedError", error);
  } catch (const Error& error) {
    raise_as("Error", error);
  }
}

}  // namespace

void bind_errors(py::module_&) {
  py::register_exception_translator(translate);
}

}  // namespace algprior::python
