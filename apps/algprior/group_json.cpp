#include "algprior/group/presentation.hpp"
#include "algprior/group/subgroup.hpp"
#include "algprior/rep/character_text.hpp"
#include "algprior/rep/irreps.hpp"
#include "group_report.hpp"

#include <nlohmann/json.hpp>

namespace algprior {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Eigen::MatrixXd& matrix) {
  Json rows = Json::array();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    Json row = Json::array();
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) row.push_back(matrix(i, j));
    rows.push_back(std::move(row));
  }
  return rows;
}

Json to_json(const Eigen::MatrixXcd& matrix) {
  Json rows = Json::array();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    Json row = Json::array();
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
      row.push_back({matrix(i, j).real(), matrix(i, j).imag()});
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

Json presentation_json(const Presentation& presentation) {
  Json relators = Json::array();
  for (const Word& relator : presentation.relators) {
    relators.push_back(relator_text(relator, presentation.generators));
  }
  return {{"generators", presentation.generators}, {"relators", std::move(relators)}};
}

Json classes_json(const CharacterTable& table) {
  const Group& group = table.group();
  const ConjugacyClasses& classes = group.classes();
  const std::vector<std::string> names = class_names(table);
  Json result = Json::array();
  for (std::size_t c = 0; c < classes.count(); ++c) {
    const Element g = classes.representative(c);
    result.push_back({{"name", names[c]},
                      {"size", classes.members[c].size()},
                      {"element_order", table.powers().element_order(c)},
                      {"representative", {{"index", g}, {"word", word_text(group, g)}}}});
  }
  return result;
}

Json irreps_json(const CharacterTable& table, const std::vector<Representation>& irreps) {
  const Group& group = table.group();
  const bool with_characters = table.count() <= kMaxJsonClasses;
  Json result = Json::array();
  for (std::size_t i = 0; i < table.count(); ++i) {
    Json irrep{{"degree", table.degree(i)},
               {"frobenius_schur", table.frobenius_schur(i)},
               {"real_degree", table.real_degree(i)}};
    if (with_characters) {
      Json character = Json::array(), exact = Json::array();
      for (std::size_t c = 0; c < table.count(); ++c) {
        const std::complex<double> value = table.value(i, c);
        character.push_back({value.real(), value.imag()});
        exact.push_back(to_string(table.exact(i, c)));
      }
      irrep["character"] = std::move(character);
      irrep["character_exact"] = std::move(exact);
    }
    if (!irreps.empty()) {
      const Representation& representation = irreps[i];
      Json matrices = Json::object();
      for (std::size_t s = 0; s < group.generators().size(); ++s) {
        matrices[group.generator_names()[s]] =
            to_json(representation.complex_matrix(group.generators()[s]));
      }
      irrep["matrices"] = std::move(matrices);
    }
    result.push_back(std::move(irrep));
  }
  return result;
}

Json real_irreps_json(const Group& group, const std::vector<RealIrreducible>& irreps) {
  static constexpr const char* kTypes[] = {"real", "complex", "quaternionic"};
  Json result = Json::array();
  for (const RealIrreducible& irrep : irreps) {
    Json matrices = Json::object();
    for (std::size_t s = 0; s < group.generators().size(); ++s) {
      matrices[group.generator_names()[s]] =
          to_json(irrep.representation.matrix(group.generators()[s]));
    }
    result.push_back({{"irrep", irrep.row},
                      {"type", kTypes[static_cast<int>(irrep.type)]},
                      {"degree", irrep.representation.dimension()},
                      {"matrices", std::move(matrices)}});
  }
  return result;
}

Json subgroups_json(const Group& group) {
  Json result = Json::array();
  for (const SubgroupClass& c : subgroup_classes(group)) {
    Json generators = Json::array();
    for (const Element g : c.representative.generators) generators.push_back(word_text(group, g));
    result.push_back({{"order", c.representative.order()},
                      {"index", c.representative.index()},
                      {"conjugates", c.size},
                      {"normal", c.size == 1},
                      {"generators", std::move(generators)}});
  }
  return result;
}

Json decomposition_json(const DecompositionReport& report) {
  Json result{{"representation", report.name},
              {"dimension", report.dimension},
              {"multiplicities", report.multiplicities}};
  if (!report.learned) {
    Json real = Json::array();
    for (const auto& [row, n] : report.real) real.push_back({{"irrep", row}, {"multiplicity", n}});
    result["real_multiplicities"] = std::move(real);
    if (report.basis) {
      result["residual"] = report.residual;
      result["error_bound"] = report.error_bound;
      result["basis"] = to_json(*report.basis);
    }
    return result;
  }
  Json relators = Json::array();
  for (const auto& r : report.relators) {
    relators.push_back({{"relator", r.text}, {"norm", r.norm}, {"mean_square", r.mean_square}});
  }
  result["multiplicities_by_classes"] = report.by_classes;
  result["complex"] = report.complex;
  if (!report.by_eigenvalues.empty()) {
    result["multiplicities_by_eigenvalues"] = report.by_eigenvalues;
    result["eigenvalue_ties"] = report.eigenvalue_ties;
  }
  result["relators"] = std::move(relators);
  if (report.nearest_sought) {
    result["nearest"] = {{"found", report.nearest_found},
                         {"distance", report.nearest_distance},
                         {"reason", report.nearest_reason}};
  }
  result["left_out"] = report.left_out;
  return result;
}

}  // namespace

Json group_json(const GroupFacts& facts, const GroupOptions& options) {
  const CharacterTable& table = facts.table;
  const Group& group = table.group();
  Json json{{"name", group.name()},
            {"order", group.order()},
            {"exponent", table.powers().exponent()},
            {"center_order", center(group).order()},
            {"commutator_order", derived_subgroup(group).order()},
            {"classes", classes_json(table)},
            {"irreps", irreps_json(table, facts.irreps)},
            {"presentation", presentation_json(group.presentation())}};
  if (!group.remark().empty()) json["remark"] = group.remark();
  if (options.irreps) json["real_irreps"] = real_irreps_json(group, facts.real_irreps);
  if (options.elements) {
    Json& elements = json["elements"] = Json::array();
    for (Element g = 0; g < group.order(); ++g) {
      elements.push_back({{"index", g},
                          {"word", word_text(group, g)},
                          {"order", group.element_order(g)},
                          {"class", group.classes().class_of[g]}});
    }
  }
  if (options.table) {
    Json& rows = json["table"] = Json::array();
    for (Element g = 0; g < group.order(); ++g) {
      Json row = Json::array();
      for (Element h = 0; h < group.order(); ++h) row.push_back(group.multiply_unchecked(g, h));
      rows.push_back(std::move(row));
    }
  }
  if (options.subgroups) json["subgroups"] = subgroups_json(group);
  if (facts.decomposition) json["decomposition"] = decomposition_json(*facts.decomposition);
  return json;
}

}  // namespace algprior
