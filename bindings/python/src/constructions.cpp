#include "algprior/rep/constructions.hpp"

#include "algprior/rep/make_representation.hpp"
#include "bind.hpp"

#include <pybind11/complex.h>

namespace algprior::python {

void bind_constructions(py::module_& module) {
  module.def(
      "representation", &make_representation, py::arg("group"), py::arg("text"),
      R"doc(The representation that a text names: regular, defining, trivial, sign, irrep0, sums, copies "4*a",
tensor products "a @ b", and "a # b" for a direct product of groups.

>>> representation(Group("D4"), "2*regular + trivial").dimension
17
)doc");
  module.def("regular", &regular_representation, py::arg("group"),
             R"doc(ρ(g)e_h = e_{gh}: the group permutes its own elements.

>>> regular(Group("C3")).matrix("r").astype(int).tolist()
[[0, 0, 1], [1, 0, 0], [0, 1, 0]]
)doc");
  module.def(
      "defining", &defining_representation, py::arg("group"),
      R"doc(The group's own permutations: D_n on vertices, S_n on points, the cube on its 8 vertices.

>>> defining(Group("S4"))
representation of S4, dimension 4 over R, by permutations: χ1 + χ5
)doc");
  module.def("trivial", &trivial_representation, py::arg("group"), py::arg("dimension") = 1,
             "ρ(g) = I on `dimension` coordinates.");
  module.def("sign", &sign_representation, py::arg("group"),
             R"doc(The sign of the defining permutation.

>>> sign(Group("S3")).character().real.tolist()
[1.0, 1.0, -1.0]
)doc");
  module.def("linear", &linear_representation, py::arg("group"), py::arg("values"),
             R"doc(The one-dimensional representation with a value for each generator.

>>> linear(Group("C4"), [1j]).character().round(12).tolist()[1]
1j
)doc");
  module.def("permutations", &permutation_representation, py::arg("group"), py::arg("generators"),
             R"doc(ρ(s)e_i = e_{π(i)} for one permutation π of 0 … d−1 for each generator.

>>> permutations(Group("C2"), [[1, 0, 2]]).multiplicities()
[2, 1]
)doc");
  module.def("direct_sum", &direct_sum, py::arg("summands"),
             "The direct sum of one or more representations of one group, as consecutive blocks.");
  module.def("outer", &outer_tensor_product, py::arg("product"), py::arg("a"), py::arg("b"),
             R"doc(The tensor product of representations of G and H as one of the product G × H.

>>> G = Group("C2")
>>> outer(G * G, regular(G), regular(G)).dimension
4
)doc");
}

}  // namespace algprior::python
