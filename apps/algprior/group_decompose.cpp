#include "algprior/base/error.hpp"
#include "algprior/io/npy.hpp"
#include "algprior/rep/approximate.hpp"
#include "algprior/rep/constructions.hpp"
#include "algprior/rep/decomposition.hpp"
#include "group_report.hpp"

#include <cmath>

#include <fmt/format.h>

namespace algprior {
namespace {

DecompositionReport decompose_exact(const CharacterTable& table, const std::string& name,
                                    const Representation& representation) {
  DecompositionReport report;
  report.name = name;
  report.dimension = representation.dimension();
  report.multiplicities = multiplicities(table, representation.character());
  for (double& n : report.multiplicities) n = std::round(n);
  for (std::size_t i = 0; i < table.count(); ++i) {
    const auto n = static_cast<std::size_t>(report.multiplicities[i]);
    // Over R, χ and its conjugate are one representation and a quaternionic χ occurs twice.
    if (n == 0 || table.conjugate(i) < i) continue;
    report.real.emplace_back(i, table.frobenius_schur(i) == -1 ? n / 2 : n);
  }
  if (report.dimension <= DecompositionReport::kMaxBasis) {
    RealDecomposition decomposition =
        decompose_real(representation, real_irreducible_representations(table));
    report.basis = std::move(decomposition.basis);
    report.residual = decomposition.residual;
    report.error_bound = decomposition.error_bound;
  }
  return report;
}

DecompositionReport decompose_learned(const CharacterTable& table, const std::string& path) {
  const Group& group = table.group();
  const ApproximateRepresentation learned(group, read_generators(group, path));
  DecompositionReport report;
  report.name = path;
  report.learned = true;
  report.dimension = learned.dimension();
  for (const RelatorDefect& defect : relator_defects(learned)) {
    report.relators.push_back({relator_text(defect.relator, group.presentation().generators),
                               defect.norm, defect.mean_square});
  }
  report.multiplicities = multiplicities_by_elements(learned, table);
  report.by_classes = multiplicities_by_classes(learned, table);
  const EigenvalueMultiplicities counted = multiplicities_by_eigenvalues(learned, table);
  report.by_eigenvalues = counted.multiplicities;
  report.eigenvalue_ties = counted.ties.size();
  const NearestRepresentation nearest = nearest_representation(learned);
  report.nearest_found = nearest.representation.has_value();
  report.nearest_distance = nearest.distance;
  report.nearest_reason = nearest.reason;
  return report;
}

}  // namespace

std::vector<Eigen::MatrixXd> read_generators(const Group& group, const std::string& path) {
  const io::NamedArrays arrays = io::read_npz(path);
  std::vector<Eigen::MatrixXd> matrices;
  for (const std::string& name : group.generator_names()) {
    const auto it = arrays.find(name);
    if (it == arrays.end()) {
      std::string found;
      for (const auto& [key, array] : arrays) found += (found.empty() ? "" : ", ") + key;
      throw InputError(
          {"no matrix for generator " + name, path,
           fmt::format("one array for each of {}; the file has {}",
                       fmt::join(group.generator_names(), ", "), found.empty() ? "none" : found),
           "name the arrays like the generators"});
    }
    const io::Array& array = it->second;
    if (array.shape.size() != 2 || array.shape[0] != array.shape[1] || array.shape[0] < 1) {
      throw InputError({"generator " + name + " is no square matrix",
                        path + ": " + io::to_text(array), "an array of shape [d, d]", ""});
    }
    const std::vector<double> values = io::to_doubles(array);
    matrices.push_back(
        Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
            values.data(), array.shape[0], array.shape[1]));
  }
  return matrices;
}

DecompositionReport decompose_for_report(const CharacterTable& table, const std::string& what) {
  if (what == "regular") {
    return decompose_exact(table, what, regular_representation(table.group()));
  }
  if (what == "defining") {
    return decompose_exact(table, what, defining_representation(table.group()));
  }
  return decompose_learned(table, what);
}

}  // namespace algprior
