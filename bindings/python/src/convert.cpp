#include "algprior/base/error.hpp"
#include "algprior/group/presentation.hpp"
#include "bind.hpp"

namespace algprior::python {
namespace {

template <class Matrix>
py::array_t<typename Matrix::Scalar> stack(const std::vector<Matrix>& matrices, std::size_t rows,
                                           std::size_t columns) {
  using Scalar = typename Matrix::Scalar;
  using RowMajor = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  py::array_t<Scalar> result({matrices.size(), rows, columns});
  Scalar* out = result.mutable_data();
  for (const Matrix& matrix : matrices) {
    Eigen::Map<RowMajor>(out, matrix.rows(), matrix.cols()) = matrix;
    out += matrix.size();
  }
  return result;
}

/// The word w of "<r,s,word | word = w>": its relator is word·w⁻¹, which nothing can shorten.
Word to_word(const Group& group, const std::string& text) {
  std::string names;
  for (const std::string& name : group.generator_names()) names += name + ",";
  std::string word = "word";
  while (("," + names).find("," + word + ",") != std::string::npos) word += "_";
  const Presentation read =
      parse_presentation("<" + names + word + " | " + word + " = " + text + ">");
  if (read.relators.size() != 1 ||
      read.relators[0][0] != static_cast<int>(read.generators.size())) {
    throw InputError({"this is no single word", text, "a word in the generators of " + group.name(),
                      "join generators with *, as in r^2*s"});
  }
  Word inverse(read.relators[0].rbegin(), read.relators[0].rend() - 1);
  for (int& letter : inverse) letter = -letter;
  return inverse;
}

}  // namespace

Element to_element(const Group& group, const py::handle& value) {
  if (py::isinstance<py::str>(value)) {
    return group.evaluate(to_word(group, value.cast<std::string>()));
  }
  // Anything with __index__: ints, NumPy's and torch's integers; not 1.5.
  const py::object index = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
  if (!index) throw py::error_already_set();
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  if (overflow != 0 || number < 0 || static_cast<unsigned long long>(number) >= group.order()) {
    throw InputError({"no such group element", py::str(index).cast<std::string>(),
                      "an element of " + group.name() + ": 0 … " +
                          std::to_string(group.order() - 1) + ", or a word in its generators",
                      "group.elements lists them"});
  }
  return static_cast<Element>(number);
}

std::vector<Element> to_elements(const Group& group, const py::iterable& values) {
  std::vector<Element> elements;
  for (const py::handle& value : values) elements.push_back(to_element(group, value));
  return elements;
}

py::array stacked(const std::vector<Eigen::MatrixXd>& matrices, std::size_t rows,
                  std::size_t columns) {
  return stack(matrices, rows, columns);
}

py::array stacked(const std::vector<Eigen::MatrixXcd>& matrices, std::size_t rows,
                  std::size_t columns) {
  return stack(matrices, rows, columns);
}

std::string html_escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string html_table(const std::vector<std::vector<std::string>>& cells) {
  std::string html = "<table>";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string tag = i == 0 ? "th" : "td";
    html += "<tr>";
    for (const std::string& cell : cells[i]) {
      html += "<" + tag + ">" + html_escaped(cell) + "</" + tag + ">";
    }
    html += "</tr>";
  }
  return html + "</table>";
}

}  // namespace algprior::python
