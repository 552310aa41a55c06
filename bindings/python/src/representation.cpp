#include "algprior/rep/representation.hpp"

#include "algprior/base/error.hpp"
#include "algprior/group/homomorphism.hpp"
#include "algprior/rep/character_text.hpp"
#include "algprior/rep/constructions.hpp"
#include "algprior/rep/decomposition.hpp"
#include "algprior/rep/intertwiners.hpp"
#include "bind.hpp"
#include "long_call.hpp"

#include <cmath>

#include <pybind11/complex.h>

namespace algprior::python {
namespace {

/// Above this order a representation is shown without its parts.
constexpr std::size_t kMaxTextOrder = 5000;

bool over_reals(const std::string& field) {
  if (field == "R" || field == "C") return field == "R";
  throw InputError({"no such field", "\"" + field + "\"", "\"R\" or \"C\"", ""});
}

std::vector<std::size_t> multiplicities_of(const Representation& rho) {
  return long_call([&] {
    std::vector<std::size_t> result;
    for (const double n : multiplicities(character_table(rho.group()), rho.character())) {
      result.push_back(static_cast<std::size_t>(std::lround(n)));
    }
    return result;
  });
}

std::string representation_text(const Representation& rho) {
  std::string text = "representation of " + rho.group().name() + ", dimension " +
                     std::to_string(rho.dimension()) + " over " + (rho.is_real() ? "R" : "C");
  if (rho.is_permutation()) text += ", by permutations";
  if (rho.group().order() > kMaxTextOrder) return text;
  std::vector<std::pair<std::size_t, std::size_t>> terms;
  for (const std::size_t n : multiplicities_of(rho)) terms.emplace_back(terms.size(), n);
  return text + ": " + sum_text(terms);
}

py::array matrices_of(const Representation& rho) {
  const std::size_t d = rho.dimension();
  if (rho.is_real()) return stacked(long_call([&] { return rho.matrices(); }), d, d);
  return stacked(long_call([&] { return rho.complex_matrices(); }), d, d);
}

py::object matrix_of(const Representation& rho, const py::object& g) {
  const Element element = to_element(rho.group(), g);
  if (rho.is_real()) return py::cast(rho.matrix(element));
  return py::cast(rho.complex_matrix(element));
}

template <class Matrix>
py::dict to_dict(const Decomposition<Matrix>& parts) {
  py::list summands;
  for (const Summand& part : parts.summands) {
    summands.append(py::make_tuple(part.irrep, part.copy, part.offset, part.dimension));
  }
  py::dict result;
  result["multiplicities"] = parts.multiplicities;
  result["summands"] = summands;
  result["basis"] = parts.basis;
  result["inverse"] = parts.inverse;
  result["residual"] = parts.residual;
  result["error_bound"] = parts.error_bound;
  return result;
}

py::dict decompose_over(const Representation& rho, const std::string& field) {
  if (over_reals(field)) {
    return to_dict(long_call([&] {
      return decompose_real(rho, real_irreducible_representations(character_table(rho.group())));
    }));
  }
  return to_dict(long_call(
      [&] { return decompose(rho, irreducible_representations(character_table(rho.group()))); }));
}

py::array intertwiners_of(const Representation& from, const Representation& to,
                          const std::string& field) {
  if (over_reals(field)) {
    return stacked(long_call([&] {
                     return intertwiners(
                         from, to, real_irreducible_representations(character_table(from.group())));
                   }),
                   to.dimension(), from.dimension());
  }
  return stacked(long_call([&] {
                   return intertwiners(from, to,
                                       irreducible_representations(character_table(from.group())));
                 }),
                 to.dimension(), from.dimension());
}

/// The embedding of a subgroup, or of a group of its own that is equal to it.
Representation restricted(const Representation& rho, const Subgroup& subgroup) {
  const Homomorphism map = inclusion(subgroup);
  return restriction(rho, map.source, map.images);
}

Representation induced(const Representation& rho, const Subgroup& subgroup) {
  const Homomorphism map = inclusion(subgroup);
  if (!(rho.group() == map.source)) {
    throw InputError({"this is no representation of the subgroup",
                      "a representation of " + rho.group().name() + ", subgroup of order " +
                          std::to_string(subgroup.order()) + " in " + subgroup.group.name(),
                      "a representation of subgroup.as_group()",
                      "regular(subgroup.as_group()).induce(subgroup)"});
  }
  return induction(rho, map.target, map.images);
}

py::tuple pickled_representation(const Representation& rho) {
  const auto& generators = rho.group().generators();
  if (rho.is_permutation()) {
    std::vector<Permutation> permutations;
    for (const Element s : generators) permutations.push_back(rho.permutation(s));
    return py::make_tuple(rho.group(), "permutations", permutations);
  }
  if (rho.is_real()) {
    std::vector<Eigen::MatrixXd> matrices;
    for (const Element s : generators) matrices.push_back(rho.matrix(s));
    return py::make_tuple(rho.group(), "real", matrices);
  }
  std::vector<Eigen::MatrixXcd> matrices;
  for (const Element s : generators) matrices.push_back(rho.complex_matrix(s));
  return py::make_tuple(rho.group(), "complex", matrices);
}

Representation unpickled_representation(const py::tuple& state) {
  const auto group = state[0].cast<Group>();
  const auto kind = state[1].cast<std::string>();
  if (kind == "permutations") {
    return permutation_representation(group, state[2].cast<std::vector<Permutation>>());
  }
  if (kind == "real") {
    return matrix_representation_unchecked(group, state[2].cast<std::vector<Eigen::MatrixXd>>());
  }
  return matrix_representation_unchecked(group, state[2].cast<std::vector<Eigen::MatrixXcd>>());
}

void bind_operations(py::class_<Representation>& rep) {
  rep.def(
         "__add__",
         [](const Representation& a, const Representation& b) {
           return direct_sum({a, b});
         },
         py::is_operator(), "The direct sum, as consecutive blocks.")
      .def("__matmul__", &tensor_product, py::is_operator(),
           "The tensor product: e_i ⊗ e_j is coordinate i·dim + j.")
      .def("copies", &copies, py::arg("n"), "n·ρ: copy b owns the coordinates b·d … b·d+d−1.")
      .def("dual", &dual, "ρ*(g) = ρ(g⁻¹)ᵀ.")
      .def("restrict", &restricted, py::arg("subgroup"),
           R"doc(The representation of subgroup.as_group() that ρ is.

>>> G = Group("D4")
>>> regular(G).restrict(G.subgroup(["r"])).multiplicities()
[2, 2, 2, 2]
)doc")
      .def("induce", &induced, py::arg("subgroup"),
           R"doc(The representation of subgroup.group induced by one of subgroup.as_group().

>>> H = Group("D4").subgroup(["s"])
>>> trivial(H.as_group()).induce(H).dimension
4
)doc")
      .def(
          "change_of_basis",
          [](const Representation& rho, const Eigen::MatrixXcd& basis) {
            if (basis.imag().isZero(0)) {
              return change_of_basis(rho, Eigen::MatrixXd(basis.real()));
            }
            return change_of_basis(rho, basis);
          },
          py::arg("basis"), "B⁻¹ρ(g)B: the columns of B are the new basis.");
}

void bind_parts(py::class_<Representation>& rep) {
  rep.def("multiplicities", &multiplicities_of,
          R"doc(How often each irreducible character occurs, in the order of the character table.

>>> regular(Group("D4")).multiplicities()
[1, 1, 1, 1, 2]
)doc")
      .def("decompose", &decompose_over, py::arg("field") = "R",
           R"doc(A basis B in which ρ is a direct sum of irreducible representations over R or C.

The dictionary has `multiplicities`, `summands` (irrep, copy, offset, dimension), `basis`, `inverse`,
`residual` and `error_bound`.

>>> parts = regular(Group("C4")).decompose()
>>> parts["multiplicities"], parts["residual"] < 1e-10
([1, 1, 1], True)
)doc")
      .def("intertwiners", &intertwiners_of, py::arg("to"), py::arg("field") = "R",
           R"doc(A basis of {T : Tρ(g) = σ(g)T} as an array [number, dim σ, dim ρ].

>>> rho = regular(Group("D4"))
>>> rho.intertwiners(rho).shape
(8, 8, 8)
)doc")
      .def("intertwiner_dimension", &intertwiner_dimension, py::arg("to"),
           "The number of matrices in intertwiners(to).")
      .def("homomorphism_defect", &homomorphism_defect,
           "max ‖ρ(w) − I‖ over the relators w: 0 up to rounding.")
      .def("unitarity_defect", &unitarity_defect,
           "max ‖ρ(s)*ρ(s) − I‖ over the generators s: 0 for an orthogonal representation.");
}

}  // namespace

void bind_representations(py::module_& module, py::class_<Group>& group) {
  py::class_<Representation> rep(
      module, "Representation",
      R"doc(A representation of a group, from one matrix for each generator.

>>> import numpy as np
>>> rho = Representation(Group("C2"), [np.diag([1.0, -1.0])])
>>> rho
representation of C2, dimension 2 over R: χ1 + χ2
>>> (rho + rho.copies(2)).dimension, (rho @ rho).multiplicities()
(6, [2, 2])
)doc");
  publish(rep);
  rep.def(py::init(
              [](const Group& g, const std::vector<Eigen::MatrixXcd>& matrices, double tolerance) {
                std::vector<Eigen::MatrixXd> real;
                for (const auto& matrix : matrices) {
                  if (!matrix.imag().isZero(0)) {
                    return complex_matrix_representation(g, matrices, tolerance);
                  }
                  real.push_back(matrix.real());
                }
                return matrix_representation(g, std::move(real), tolerance);
              }),
          py::arg("group"), py::arg("generators"), py::arg("tolerance") = 1e-8)
      .def_property_readonly("group", &Representation::group, "The group.")
      .def_property_readonly("dimension", &Representation::dimension, "d.")
      .def_property_readonly("is_permutation", &Representation::is_permutation,
                             "Whether every ρ(g) permutes the standard basis.")
      .def_property_readonly("is_real", &Representation::is_real, "Whether the matrices are real.")
      .def("matrix", &matrix_of, py::arg("g"), "ρ(g); g is a number or a word.")
      .def("matrices", &matrices_of, "ρ(g) for every g, an array [order, d, d].")
      .def(
          "permutation",
          [](const Representation& rho, const py::object& g) {
            return rho.permutation(to_element(rho.group(), g));
          },
          py::arg("g"), "The permutation π with ρ(g)e_i = e_π(i).")
      .def(
          "character",
          [](const Representation& rho) {
            const auto values = long_call([&] { return rho.character(); });
            return py::array_t<std::complex<double>>(static_cast<py::ssize_t>(values.size()),
                                                     values.data());
          },
          "tr ρ on group.classes, complex128.")
      .def("__repr__", &representation_text)
      .def("_repr_html_",
           [](const Representation& rho) { return html_escaped(representation_text(rho)); })
      .def(py::pickle(&pickled_representation, &unpickled_representation));
  bind_operations(rep);
  bind_parts(rep);
  group.def(
      "irreps",
      [](const Group& g, const std::string& field) {
        const bool real = over_reals(field);
        return long_call([&] {
          const CharacterTable table = character_table(g);
          if (!real) return irreducible_representations(table);
          std::vector<Representation> found;
          for (const RealIrreducible& irrep : real_irreducible_representations(table)) {
            found.push_back(irrep.representation);
          }
          return found;
        });
      },
      py::arg("field") = "C", R"doc(The irreducible representations over "C" or "R".

>>> [rho.dimension for rho in Group("Q8").irreps()]
[1, 1, 1, 1, 2]
>>> [rho.dimension for rho in Group("Q8").irreps("R")]
[1, 1, 1, 1, 4]
)doc");
}

}  // namespace algprior::python
