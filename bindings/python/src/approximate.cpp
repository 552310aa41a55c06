#include "algprior/rep/approximate.hpp"

#include "algprior/group/presentation.hpp"
#include "bind.hpp"
#include "long_call.hpp"

namespace algprior::python {
namespace {

/// What a learned representation is, for Python.
struct LearnedParts {
  std::vector<std::pair<std::string, double>> relators;
  std::vector<double> by_elements, by_classes, by_eigenvalues;
  std::size_t ties = 0;
  NearestRepresentation nearest;
};

LearnedParts take_apart(const ApproximateRepresentation& learned) {
  const CharacterTable table = character_table(learned.group());
  LearnedParts parts;
  const Presentation& presentation = learned.group().presentation();
  for (const RelatorDefect& defect : relator_defects(learned)) {
    parts.relators.emplace_back(to_string(defect.relator, presentation.generators),
                                defect.mean_square);
  }
  parts.by_elements = multiplicities_by_elements(learned, table);
  parts.by_classes = multiplicities_by_classes(learned, table);
  const EigenvalueMultiplicities counted = multiplicities_by_eigenvalues(learned, table);
  parts.by_eigenvalues = counted.multiplicities;
  parts.ties = counted.ties.size();
  parts.nearest = nearest_representation(learned);
  return parts;
}

}  // namespace

void bind_approximate(py::module_&, py::class_<Group>& group) {
  group.def(
      "decompose",
      [](const Group& g, const std::vector<Eigen::MatrixXd>& matrices) {
        const ApproximateRepresentation learned(g, matrices);
        const LearnedParts parts = long_call([&] { return take_apart(learned); });
        py::dict relators;
        for (const auto& [relator, defect] : parts.relators) relators[py::str(relator)] = defect;
        py::dict result;
        result["relators"] = relators;
        result["multiplicities"] = parts.by_elements;
        result["by_classes"] = parts.by_classes;
        result["by_eigenvalues"] = parts.by_eigenvalues;
        result["eigenvalue_ties"] = parts.ties;
        result["nearest"] = parts.nearest.representation;
        result["distance"] = parts.nearest.distance;
        result["reason"] = parts.nearest.reason;
        return result;
      },
      py::arg("matrices"),
      R"doc(Which representation a learned one is: matrices, one for each generator, that nearly satisfy
the relators.

The dictionary has `relators` (mean square defect of each), `multiplicities` (and `by_classes`,
`by_eigenvalues`, `eigenvalue_ties`) of the irreducible characters, `nearest` (an exact
Representation, or None with a `reason`) and its `distance`.

>>> G = Group("D4")
>>> noisy = [regular(G).matrix(s) + 0.01 for s in G.generators]
>>> found = G.decompose(noisy)
>>> [round(n) for n in found["multiplicities"]], found["distance"] < 0.1
([1, 1, 1, 1, 2], True)
)doc");
}

}  // namespace algprior::python
