#pragma once

#include "algprior/audit/audit_file.hpp"

#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

namespace algprior {

/// What is audited, whoever made it: embeddings, and what is known beside them. A command that has
/// an encoder makes one of these, a command that has a file too.
struct AuditSubject {
  AuditFile embeddings;
  std::string name = {};            ///< "runs/ddmnist-d4/regular/0, layer 0"
  std::optional<Group> group = {};  ///< empty: the person names it
  /// The ρ that the encoder was trained with, as matrices of every element; empty when it had none.
  std::vector<Eigen::MatrixXd> matrices = {};
  std::optional<AuditFloor> floor = {};
  std::optional<AuditInputs> inputs = {};
  std::vector<std::string> remarks = {};  ///< on how the embeddings were made
};

/// audit() of the embeddings, by the subject's own ρ unless the options name another, with what is
/// known beside them in the report.
AuditReport audit(const AuditSubject& subject, const Group& group, const AuditOptions& options);

/// Two encoders on the same samples: the first's errors minus the second's. The intervals are
/// paired, one draw of samples for both, and so narrower than those of the errors apart.
struct AuditComparison {
  AuditReport first, second;
  AuditErrors difference;  ///< empty where one of them has none; no difference of the controls
};

/// Throws InputError when the numbers of samples or their labels differ.
AuditComparison compare_audits(const AuditSubject& first, const AuditSubject& second,
                               const Group& group, const AuditOptions& options);
/// The differences, a line each.
std::string to_text(const AuditComparison& comparison);
/// {"first": …, "second": …, "difference": {"invariance": {"value", "low", "high"}, …}}
std::string to_json(const AuditComparison& comparison);

}  // namespace algprior
