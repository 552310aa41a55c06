#include "algprior/base/error.hpp"
#include "algprior/rep/character_table.hpp"
#include "algprior/rep/character_text.hpp"
#include "bind.hpp"
#include "long_call.hpp"

namespace algprior::python {
namespace {

constexpr std::size_t kWidth = 100;

std::size_t checked(const CharacterTable& table, std::int64_t i, const char* what) {
  if (i >= 0 && static_cast<std::size_t>(i) < table.count()) return static_cast<std::size_t>(i);
  throw InputError({std::string("no such ") + what, std::to_string(i),
                    "a number from 0 to " + std::to_string(table.count() - 1), ""});
}

py::array_t<std::complex<double>> values_of(const CharacterTable& table) {
  py::array_t<std::complex<double>> values({table.count(), table.count()});
  std::complex<double>* out = values.mutable_data();
  for (std::size_t i = 0; i < table.count(); ++i) {
    for (const std::complex<double>& value : table.values(i)) *out++ = value;
  }
  return values;
}

template <class Function>
auto row_wise(Function function) {
  return [function](const CharacterTable& table) {
    std::vector<decltype(function(table, std::size_t{0}))> values;
    for (std::size_t i = 0; i < table.count(); ++i) values.push_back(function(table, i));
    return values;
  };
}

}  // namespace

void bind_characters(py::module_& module, py::class_<Group>& group) {
  py::class_<CharacterTable> table(module, "CharacterTable",
                                   R"doc(The irreducible complex characters of a group, exactly.

Rows are characters, the trivial one first, then by degree; columns are group.classes.

>>> T = Group("Q8").character_table()
>>> T.degrees, T.types[4]
([1, 1, 1, 1, 2], 'quaternionic')
>>> T.exact(4, 0)
'2'
>>> T.values.shape
(5, 5)
)doc");
  publish(table);
  table.def_property_readonly("group", &CharacterTable::group, "The group.")
      .def("__len__", &CharacterTable::count)
      .def_property_readonly("values", &values_of, "complex128 [characters, classes].")
      .def(
          "exact",
          [](const CharacterTable& t, std::int64_t i, std::int64_t c) {
            return to_string(t.exact(checked(t, i, "character"), checked(t, c, "class")));
          },
          py::arg("i"), py::arg("c"), "Character i on class c as text: '√2', '(-1+i√11)/2'.")
      .def_property_readonly(
          "degrees", row_wise([](const CharacterTable& t, std::size_t i) { return t.degree(i); }),
          "χ(e) of each character.")
      .def_property_readonly("real_degrees", row_wise([](const CharacterTable& t, std::size_t i) {
                               return t.real_degree(i);
                             }),
                             "Degrees of the real irreducible representations that contain them.")
      .def_property_readonly("types", row_wise([](const CharacterTable& t, std::size_t i) {
                               return type_name(t.frobenius_schur(i));
                             }),
                             "'real', 'complex' or 'quaternionic' for each character.")
      .def_property_readonly("conjugates", row_wise([](const CharacterTable& t, std::size_t i) {
                               return t.conjugate(i);
                             }),
                             "The row of each character's complex conjugate.")
      .def_property_readonly("class_names", &class_names, "'1a', '2a', … by element order.")
      .def("__repr__",
           [](const CharacterTable& t) {
             std::string text = characters_text(t, kWidth);
             text.pop_back();  // the end of its last line, which print adds
             return text;
           })
      .def("_repr_html_", [](const CharacterTable& t) { return html_table(character_cells(t)); })
      .def(py::pickle(
          [](const CharacterTable& t) { return py::make_tuple(t.group()); },
          [](const py::tuple& state) { return character_table(state[0].cast<Group>()); }));
  group.def(
      "character_table",
      [](const Group& g) { return long_call([&] { return character_table(g); }); },
      R"doc(The irreducible complex characters.

>>> print(Group("S3").character_table())
      1a  3a  2a  type  real degree
size   1   2   3
-----------------------------------
χ1     1   1   1  real            1
χ2     1   1  -1  real            1
χ3     2  -1   0  real            2
)doc");
}

}  // namespace algprior::python
