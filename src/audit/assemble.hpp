#pragma once

#include "algprior/audit/audit_subject.hpp"
#include "fit.hpp"
#include "orbit_measures.hpp"

#include <map>
#include <string>

namespace algprior::auditing {

/// One representation beside the embeddings.
struct Judged {
  std::string name;  ///< "trivial", "regular", "defining", "given", "fitted"
  Predict predict;
  PairErrors errors;
  std::optional<std::size_t> invariants;  ///< multiplicity of the trivial representation in ρ_Z
  Estimate estimate;
};

/// What verdict, remarks and report are made of.
struct Evidence {
  Moments moments;
  Whitening whitening;
  Fit fit;
  std::vector<Judged> judged;
  std::optional<double> identity_error;  ///< pairs only: of E(x) against E(e·x)
  const Judged* find(const std::string& name) const;
};

/// How much of the report is wanted.
enum class Extent { kWhole, kErrorsOnly };
/// Sample by sample, what errors are made of: for differences between encoders.
struct ErrorSums {
  Eigen::VectorXd spread;
  double correction = 1;
  std::map<std::string, PairErrors> errors;  ///< by the name of what was judged
};
AuditReport audit_source(const Source& source, const AuditOptions& options,
                         const AuditContext& context, Extent extent, ErrorSums* sums = nullptr);
/// audit() of a subject; `sums` may be null.
AuditReport audit_subject(const AuditSubject& subject, const Group& group,
                          const AuditOptions& options, ErrorSums* sums);

/// Sets verdict and what is audited.
void decide(AuditReport& report, const AuditOptions& options);
/// Sets remarks and next steps.
void advise(AuditReport& report, const Evidence& evidence, const Source& source,
            const AuditOptions& options);
/// Fills per_element, worst, quantiles and per_class for the audited representation.
void list_errors(AuditReport& report, const Judged& audited, const Moments& moments,
                 const Source& source, const AuditOptions& options, const AuditContext& context);
void check_context(const AuditContext& context, std::size_t samples, std::size_t order);
std::vector<IrrepError> irrep_errors(const Source& source, const Moments& moments,
                                     const Predict& predict, const CharacterTable& table,
                                     Meter& meter);
AuditInputs measure_inputs(const AuditContext& context, std::size_t samples, std::size_t order);

}  // namespace algprior::auditing
