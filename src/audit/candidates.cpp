#include "algprior/group/homomorphism.hpp"
#include "assemble.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace algprior {
namespace {

/// A way in which a candidate lies in the encoded group, one for each class of conjugate subgroups.
struct Placement {
  std::vector<Element> embedding;
  std::vector<std::string> generators;
};

std::vector<Placement> find_placements(const std::vector<SubgroupClass>& classes,
                                       const Group& encoded, const Group& candidate) {
  std::vector<Placement> placements;
  for (const SubgroupClass& one : classes) {
    if (one.representative.order() != candidate.order()) continue;
    const Homomorphism inside = inclusion(one.representative);
    const auto isomorphism = find_isomorphism(candidate, inside.source);
    if (!isomorphism) continue;
    Placement placement;
    for (Element h = 0; h < candidate.order(); ++h) {
      placement.embedding.push_back(inside((*isomorphism)(h)));
    }
    for (const Element s : candidate.generators()) {
      placement.generators.push_back(
          to_string(encoded.word(placement.embedding[s]), encoded.generator_names()));
    }
    placements.push_back(std::move(placement));
  }
  return placements;
}

bool is_symmetry(const CandidateGroup& candidate) {
  return candidate.verdict && *candidate.verdict != Verdict::kNone &&
         *candidate.verdict != Verdict::kCollapsed;
}

/// The smaller of invariance and fitted error; what no symmetry has is as good as chance.
double evidence_of(const CandidateGroup& candidate) {
  double error = 1;
  if (candidate.errors.invariance) error = candidate.errors.invariance->value;
  if (candidate.errors.fitted) error = std::min(error, candidate.errors.fitted->value);
  return error;
}

}  // namespace

std::vector<CandidateGroup> audit_candidates(const OrbitEmbeddings& orbits, const Group& group,
                                             const std::vector<Group>& candidates,
                                             const AuditOptions& options) {
  auditing::check_shapes(orbits, group);
  const std::vector<SubgroupClass> classes = subgroup_classes(group);
  AuditOptions quick = options;
  quick.representation.reset();
  quick.matrices.clear();
  std::vector<CandidateGroup> ranked;
  for (const Group& candidate : candidates) {
    const auto placements = find_placements(classes, group, candidate);
    CandidateGroup result;
    result.name = candidate.name();
    result.order = candidate.order();
    if (placements.empty() || candidate.order() < 2) ranked.push_back(result);
    if (candidate.order() < 2) continue;
    for (const Placement& placement : placements) {
      const auditing::Source source(orbits, group, candidate, placement.embedding, quick);
      const AuditReport report =
          auditing::audit_source(source, quick, {}, auditing::Extent::kErrorsOnly);
      result.found = true;
      result.generators = fmt::format("{}", fmt::join(placement.generators, ", "));
      result.verdict = report.verdict;
      result.errors = report.errors;
      result.homomorphism_defect = report.fitted.homomorphism_defect;
      ranked.push_back(result);
    }
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const CandidateGroup& a, const CandidateGroup& b) {
                     if (a.found != b.found) return a.found;
                     if (is_symmetry(a) != is_symmetry(b)) return is_symmetry(a);
                     if (is_symmetry(a) && a.order != b.order) return a.order > b.order;
                     return evidence_of(a) < evidence_of(b);
                   });
  return ranked;
}

}  // namespace algprior
