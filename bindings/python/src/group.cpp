#include "algprior/group/group.hpp"

#include "algprior/base/error.hpp"
#include "algprior/group/geometry.hpp"
#include "algprior/group/homomorphism.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/group/matrix_group.hpp"
#include "algprior/group/permutation.hpp"
#include "algprior/group/presentation.hpp"
#include "algprior/group/product.hpp"
#include "algprior/group/subgroup.hpp"
#include "algprior/rep/character_text.hpp"
#include "bind.hpp"
#include "long_call.hpp"

namespace algprior::python {
namespace {

std::vector<Eigen::MatrixXd> generator_matrices(const Group& group) {
  std::vector<Eigen::MatrixXd> matrices;
  for (const Element s : group.generators()) {
    matrices.push_back(orthogonal_matrices(group)->at(s));
  }
  return matrices;
}

/// ("D4",), ("permutations", …), ("matrices", …) or ("<r,s | …>",): whichever makes the same value.
py::tuple pickled_group(const Group& group) {
  const auto same = [&](auto make) {
    try {
      return make() == group;
    } catch (const Error&) {
      return false;
    }
  };
  if (same([&] { return make_group(group.name()); })) return py::make_tuple(group.name());
  if (orthogonal_matrices(group)) {
    const auto matrices = generator_matrices(group);
    if (same([&] { return group_from_matrices(matrices); })) {
      return py::make_tuple("matrices", matrices);
    }
  }
  if (const auto& permutations = defining_generators(group)) {
    if (same([&] { return group_from_permutations(*permutations); })) {
      return py::make_tuple("permutations", *permutations);
    }
  }
  const std::string presentation = to_string(group.presentation());
  if (same([&] { return make_group(presentation); })) return py::make_tuple(presentation);
  throw InputError(
      {"this group cannot be pickled", group.name(),
       "a group whose name, permutations, matrices or presentation number its elements "
       "as it does",
       "pickle what it was made of and make it anew"});
}

Group unpickled_group(const py::tuple& state) {
  const auto kind = state[0].cast<std::string>();
  if (kind == "matrices") {
    return group_from_matrices(state[1].cast<std::vector<Eigen::MatrixXd>>());
  }
  if (kind == "permutations") {
    return group_from_permutations(state[1].cast<std::vector<Permutation>>());
  }
  return make_group(kind);
}

py::array_t<std::int64_t> table_of(const Group& group) {
  const std::size_t n = group.order();
  if (n > Group::kTableLimit) {
    throw LimitError({"the multiplication table is too large", group.name(),
                      "an order of at most " + std::to_string(Group::kTableLimit),
                      "multiply elements one at a time"});
  }
  py::array_t<std::int64_t> table({n, n});
  std::int64_t* out = table.mutable_data();
  for (Element g = 0; g < n; ++g) {
    for (Element h = 0; h < n; ++h) *out++ = group.multiply_unchecked(g, h);
  }
  return table;
}

/// Above this order nobody waits for characters and presentations in order to see a name.
constexpr std::size_t kMaxShownOrder = 10'000;

std::string group_text(const Group& group) {
  if (group.order() > kMaxShownOrder) {
    return group.name() + "  order " + std::to_string(group.order());
  }
  return group.name() + "  " + facts_text(character_table(group)) + "\n" +
         to_string(group.presentation());
}

std::string group_html(const Group& group) {
  if (group.order() > kMaxShownOrder) return html_escaped(group_text(group));
  const CharacterTable table = character_table(group);
  return "<b>" + html_escaped(group.name()) + "</b> " + facts_text(table) + "<br><code>" +
         html_escaped(to_string(group.presentation())) + "</code>" +
         html_table(class_cells(table)) + html_table(character_cells(table));
}

void bind_elements(py::class_<Group>& group) {
  group
      .def_property_readonly(
          "elements",
          [](const Group& g) { return py::module_::import("builtins").attr("range")(g.order()); },
          "The elements, 0 … order−1; 0 is the identity.")
      .def("__len__", &Group::order)
      .def("__iter__",
           [](const Group& g) {
             return py::iter(py::module_::import("builtins").attr("range")(g.order()));
           })
      .def(
          "element", [](const Group& g, const py::object& word) { return to_element(g, word); },
          py::arg("word"), R"doc(The element that a word in the generators stands for.

>>> G = Group("D4")
>>> G.word(G.element("s*r*s"))
'r^-1'
)doc")
      .def(
          "word",
          [](const Group& g, const py::object& element) {
            return word_text(g, to_element(g, element));
          },
          py::arg("element"), "A shortest word for an element: 'r^2*s'.")
      .def(
          "multiply",
          [](const Group& g, const py::object& a, const py::object& b) {
            return g.multiply(to_element(g, a), to_element(g, b));
          },
          py::arg("g"), py::arg("h"), R"doc(The product gh; elements are numbers or words.

>>> G = Group("D4")
>>> G.multiply("r", "r^3")
0
)doc")
      .def(
          "inverse",
          [](const Group& g, const py::object& a) { return g.inverse(to_element(g, a)); },
          py::arg("g"), "The inverse of an element.")
      .def(
          "power",
          [](const Group& g, const py::object& a, std::int64_t n) {
            return g.power(to_element(g, a), n);
          },
          py::arg("g"), py::arg("n"), "g^n for any integer n.")
      .def(
          "conjugate",
          [](const Group& g, const py::object& a, const py::object& x) {
            return g.conjugate(to_element(g, a), to_element(g, x));
          },
          py::arg("g"), py::arg("x"), "g x g⁻¹.")
      .def(
          "element_order",
          [](const Group& g, const py::object& a) { return g.element_order(to_element(g, a)); },
          py::arg("g"), "The smallest n ≥ 1 with g^n = e.")
      .def("table", &table_of, R"doc(All products as an int64 array, table[g, h] = gh.

>>> Group("C3").table().tolist()
[[0, 1, 2], [1, 2, 0], [2, 0, 1]]
)doc");
}

void bind_facts(py::class_<Group>& group) {
  group.def_property_readonly("name", &Group::name, "The name that it was made with.")
      .def_property_readonly("remark", &Group::remark,
                             "What to know of the name: which of several groups it was taken for.")
      .def_property_readonly("order", &Group::order, "The number of elements.")
      .def_property_readonly("generators", &Group::generators, "The generators, as elements.")
      .def_property_readonly("generator_names", &Group::generator_names, "Their names.")
      .def_property_readonly(
          "presentation", [](const Group& g) { return to_string(g.presentation()); },
          "Generators and relators: '<r,s | r^4, s^2, (r*s)^2>'.")
      .def_property_readonly(
          "classes", [](const Group& g) { return long_call([&] { return g.classes().members; }); },
          "The conjugacy classes as lists of elements, that of the identity first.")
      .def_property_readonly("is_abelian", &is_abelian, "Whether gh = hg for all elements.")
      .def_property_readonly("exponent", &exponent, "The least n ≥ 1 with g^n = e for all g.")
      .def_property_readonly("factors", &factors,
                             "The factors of a direct product; the group itself for any other.");
}

}  // namespace

void bind_groups(py::module_& module) {
  py::class_<Group> group(module, "Group",
                          R"doc(A finite group. Elements are the numbers 0 … order−1.

>>> G = Group("D4")
>>> G.order, G.generator_names
(8, ['r', 's'])
>>> print(G)
D4  order 8, exponent 4, centre 2, commutator subgroup 2
<r,s | r^4, s^2, (r*s)^2>

Also permutations "(1,2,3,4);(1,2)", presentations "<r,s | r^4, s^2, (r*s)^2>", tables
"[[0,1],[1,0]]", products "D4xD4", powers "C2^3", wreath products "C2wrS3", matrix groups "GL(2,3)".
)doc");
  publish(group);
  group
      .def(py::init(
               [](const std::string& spec) { return long_call([&] { return make_group(spec); }); }),
           py::arg("spec"))
      .def_static(
          "from_permutations",
          [](const std::vector<Permutation>& generators) {
            return long_call([&] { return group_from_permutations(generators); });
          },
          py::arg("generators"), R"doc(From permutations of 0 … d−1, p[v] the image of v.

>>> Group.from_permutations([[1, 2, 0], [1, 0, 2]]).order
6
)doc")
      .def_static(
          "from_matrices",
          [](const std::vector<Eigen::MatrixXd>& generators, double tolerance) {
            return long_call([&] { return group_from_matrices(generators, tolerance); });
          },
          py::arg("generators"), py::arg("tolerance") = 1e-6,
          R"doc(The finite group that real square matrices generate.

>>> import numpy as np
>>> Group.from_matrices([np.array([[0.0, -1.0], [1.0, 0.0]])]).order
4
)doc")
      .def(
          "__eq__", [](const Group& a, const Group& b) { return a == b; }, py::is_operator())
      .def("__hash__",
           [](const Group& g) {
             return py::hash(py::make_tuple(g.order(), py::tuple(py::cast(g.generator_names()))));
           })
      .def(
          "__mul__",
          [](const Group& a, const Group& b) {
            return long_call([&] { return direct_product(a, b); });
          },
          py::is_operator(), "The direct product; (g, h) is the element g·|H| + h.")
      .def(
          "isomorphism",
          [](const Group& a, const Group& b) -> std::optional<std::vector<Element>> {
            const auto map = long_call([&] { return find_isomorphism(a, b); });
            if (!map) return std::nullopt;
            return map->images;
          },
          py::arg("other"), R"doc(The images of the elements under an isomorphism, or None.

>>> Group("D3").isomorphism(Group("S3")) is not None
True
)doc")
      .def("__str__", [](const Group& g) { return long_call([&] { return group_text(g); }); })
      .def("__repr__", [](const Group& g) { return long_call([&] { return group_text(g); }); })
      .def("_repr_html_", [](const Group& g) { return long_call([&] { return group_html(g); }); })
      .def(py::pickle(&pickled_group, &unpickled_group));
  bind_facts(group);
  bind_elements(group);
  bind_subgroups(module, group);
  bind_characters(module, group);
  bind_representations(module, group);
  bind_approximate(module, group);
}

}  // namespace algprior::python
