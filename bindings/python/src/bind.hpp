#pragma once

#include "algprior/group/group.hpp"

#include <cstdint>

#include <pybind11/eigen.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace algprior::python {

namespace py = pybind11;

/// One function for each file of this folder: each puts its classes into the module.
void bind_errors(py::module_& module);
void bind_groups(py::module_& module);
void bind_subgroups(py::module_& module, py::class_<Group>& group);
void bind_characters(py::module_& module, py::class_<Group>& group);
void bind_representations(py::module_& module, py::class_<Group>& group);
void bind_constructions(py::module_& module);
void bind_approximate(py::module_& module, py::class_<Group>& group);
void bind_audit(py::module_& module);

/// A Python int, or a word such as "r^2*s", as an element. Throws InputError with the value.
Element to_element(const Group& group, const py::handle& value);
std::vector<Element> to_elements(const Group& group, const py::iterable& values);

/// Matrices as one array of shape [n, d, d].
py::array stacked(const std::vector<Eigen::MatrixXd>& matrices, std::size_t rows,
                  std::size_t columns);
py::array stacked(const std::vector<Eigen::MatrixXcd>& matrices, std::size_t rows,
                  std::size_t columns);

/// Text with &, < and > written as HTML writes them.
std::string html_escaped(const std::string& text);
/// Rows of cells, the titles first, as an HTML table.
std::string html_table(const std::vector<std::vector<std::string>>& cells);

/// `module.cls` under its public name, which pickles and messages use.
template <class T>
void publish(py::class_<T>& cls) {
  cls.attr("__module__") = "algprior";
}

}  // namespace algprior::python
