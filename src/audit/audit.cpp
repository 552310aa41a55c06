#include "algprior/audit/audit.hpp"

#include "algprior/base/error.hpp"
#include "algprior/rep/constructions.hpp"
#include "assemble.hpp"
#include "bootstrap.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include <fmt/format.h>

namespace algprior {
namespace auditing {
namespace {

/// The control needs no more elements than this.
constexpr std::size_t kShuffledElements = 8;

std::optional<Representation> defining_of(const Group& group) {
  try {
    return defining_representation(group);
  } catch (const InputError&) {
    return std::nullopt;  // a group without points of its own
  }
}

std::size_t invariants_of(const Representation& representation, std::size_t dimension) {
  double sum = 0;
  const ConjugacyClasses& classes = representation.group().classes();
  const auto character = representation.character();
  for (std::size_t c = 0; c < classes.count(); ++c) {
    sum += character[c].real() * static_cast<double>(classes.members[c].size());
  }
  const auto each = static_cast<std::size_t>(
      std::lround(sum / static_cast<double>(representation.group().order())));
  const std::size_t width = representation.dimension();
  return dimension / width * each + dimension % width;
}

void judge(Evidence& evidence, const Source& source, std::string name, Predict predict,
           std::optional<std::size_t> invariants, Half half, Meter& meter) {
  Judged judged{std::move(name), std::move(predict), {}, invariants, {}};
  PairSelection selection{half};
  selection.centred = !source.is_pairs() || judged.name == "fitted";
  judged.errors = pair_errors(source, evidence.moments, judged.predict, selection, meter);
  evidence.judged.push_back(std::move(judged));
}

void judge_representations(Evidence& evidence, const Source& source, const AuditOptions& options,
                           Extent extent, Meter& meter) {
  const std::size_t d = source.dimension();
  judge(evidence, source, "trivial", predict_unchanged(), d, Half::kAll, meter);
  if (extent == Extent::kErrorsOnly) return;
  const auto copies_of = [&](const std::string& name, const Representation& representation) {
    if (auto predict = predict_copies(representation, d)) {
      judge(evidence, source, name, std::move(*predict), invariants_of(representation, d),
            Half::kAll, meter);
    }
  };
  if (source.group().order() <= d) copies_of("regular", regular_representation(source.group()));
  if (const auto defining = defining_of(source.group())) copies_of("defining", *defining);
  if (options.representation) copies_of("given", *options.representation);
  if (!options.matrices.empty()) {
    double trace = 0;
    for (const Eigen::MatrixXd& matrix : options.matrices) trace += matrix.trace();
    const auto invariants = std::lround(trace / static_cast<double>(options.matrices.size()));
    judge(evidence, source, "given", predict_matrices(options.matrices, source.single_precision()),
          static_cast<std::size_t>(std::max(0L, invariants)), Half::kAll, meter);
  }
}

/// Intervals of all errors and multiplicities from one set of resamplings.
void find_intervals(AuditReport& report, Evidence& evidence, const PairErrors* shuffled,
                    const Eigen::MatrixXd& influence, const Source& source,
                    const AuditOptions& options, Meter& meter) {
  const auto samples = static_cast<Eigen::Index>(source.samples());
  std::vector<const PairErrors*> errors;
  for (const Judged& judged : evidence.judged) errors.push_back(&judged.errors);
  if (shuffled != nullptr) errors.push_back(shuffled);
  const auto pairs = static_cast<Eigen::Index>(errors.size());
  RowMatrix columns(samples, 2 + 2 * pairs + influence.cols());
  columns.col(0) = evidence.moments.spread;
  columns.col(1).setZero();
  for (const std::size_t n : source.half(Half::kFit)) columns(static_cast<Eigen::Index>(n), 1) = 1;
  for (Eigen::Index i = 0; i < pairs; ++i) {
    columns.col(2 + 2 * i) = errors[static_cast<std::size_t>(i)]->sum;
    columns.col(3 + 2 * i) = errors[static_cast<std::size_t>(i)]->count;
  }
  columns.rightCols(influence.cols()) = influence;

  std::vector<Statistic> statistics;
  const double scale = 0.5 * static_cast<double>(source.samples()) / evidence.moments.correction;
  for (Eigen::Index i = 0; i < pairs; ++i) {
    statistics.push_back([i, scale](const Eigen::VectorXd& sums) {
      return std::sqrt(scale * sums[2 + 2 * i] / sums[3 + 2 * i] / sums[0]);
    });
  }
  for (Eigen::Index i = 0; i < influence.cols(); ++i) {
    const double value = report.fitted.multiplicities[static_cast<std::size_t>(i)].value.value;
    statistics.push_back([i, pairs, value](const Eigen::VectorXd& sums) {
      return value + sums[2 + 2 * pairs + i] / sums[1];
    });
  }
  std::vector<Estimate> estimates =
      bootstrap_intervals(columns, statistics, options.bootstrap, options.seed, meter);
  for (std::size_t i = 0; i < errors.size(); ++i) {
    estimates[i].low = std::max(0.0, estimates[i].low);
    const std::string name = i < evidence.judged.size() ? evidence.judged[i].name : "shuffled";
    if (i < evidence.judged.size()) evidence.judged[i].estimate = estimates[i];
    if (name == "trivial") report.errors.invariance = estimates[i];
    if (name == "regular") report.errors.regular = estimates[i];
    if (name == "defining") report.errors.defining = estimates[i];
    if (name == "given") report.errors.given = estimates[i];
    if (name == "fitted") report.errors.fitted = estimates[i];
    if (name == "shuffled") report.errors.shuffled = estimates[i];
  }
  for (Eigen::Index i = 0; i < influence.cols(); ++i) {
    report.fitted.multiplicities[static_cast<std::size_t>(i)].value =
        estimates[errors.size() + static_cast<std::size_t>(i)];
  }
}

/// Units that the passes will report, about.
std::uint64_t expected_units(const Source& source, const AuditOptions& options, Extent extent) {
  const std::uint64_t blocks = make_blocks(source, {}).size();
  const std::uint64_t light =
      source.samples() / 32 + 4 * source.base_points() * source.samples() / kBlock;
  return (extent == Extent::kWhole ? 6 : 3) * blocks + light + options.bootstrap +
         options.theorem_samples + (extent == Extent::kWhole ? options.probe_samples : 0);
}

}  // namespace

const Judged* Evidence::find(const std::string& name) const {
  for (const Judged& one : judged) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

AuditReport audit_source(const Source& source, const AuditOptions& options,
                         const AuditContext& context, Extent extent, ErrorSums* sums) {
  const Group& group = source.group();
  AuditReport report;
  report.group = group.name();
  report.order = group.order();
  report.samples = source.samples();
  report.dimension = source.dimension();
  report.pairs = source.is_pairs();
  report.base_points = source.base_points();
  report.bootstrap = options.bootstrap;
  report.seed = options.seed;
  if (!context.labels.empty()) {
    report.room.classes =
        std::set<std::int64_t>(context.labels.begin(), context.labels.end()).size();
  }
  if (context.input_size > 0) {
    report.inputs = measure_inputs(context, source.samples(), source.rows_per_sample());
  }

  Meter meter{options.progress, 0, expected_units(source, options, extent)};
  Evidence evidence;
  evidence.moments = find_moments(source, meter);
  const double size = evidence.moments.mean.norm();
  report.spread = std::sqrt(evidence.moments.variance);
  report.relative_spread =
      size > 0 ? report.spread / size : std::numeric_limits<double>::infinity();
  const bool collapsed = !(report.spread > 0) || report.spread < options.collapsed_below * size;
  if (collapsed) {
    report.verdict = Verdict::kCollapsed;
    if (size == 0) report.relative_spread = 0;
    report.fitted.reason = "z does not vary";
    advise(report, evidence, source, options);
    meter.advance(meter.total);
    return report;
  }
  evidence.whitening = find_whitening(source, evidence.moments, meter);
  report.effective_rank = evidence.whitening.rank();
  judge_representations(evidence, source, options, extent, meter);
  evidence.fit = fit_representation(source, evidence.moments, evidence.whitening, meter);
  const CharacterTable table = character_table(group);
  report.fitted = describe_fit(evidence.fit, table);
  Eigen::MatrixXd influence(static_cast<Eigen::Index>(source.samples()), 0);
  PairSelection control{Half::kAll, true, kShuffledElements};
  if (evidence.fit.done()) {
    judge(evidence, source, "fitted",
          predict_matrices(evidence.fit.matrices, source.single_precision()), std::nullopt,
          Half::kScore, meter);
    if (!report.fitted.multiplicities.empty()) {
      evidence.judged.back().invariants = report.fitted.multiplicities.front().exact;
      if (extent == Extent::kWhole) {
        influence = multiplicity_influence(source, evidence.moments, evidence.fit, table, meter);
      }
    }
    control.half = Half::kScore;
  }
  const Predict& controlled =
      evidence.fit.done() ? evidence.judged.back().predict : evidence.judged.front().predict;
  const PairErrors shuffled = pair_errors(source, evidence.moments, controlled, control, meter);
  if (source.is_pairs()) {
    const PairErrors still = pair_errors(source, evidence.moments, predict_unchanged(),
                                         {Half::kAll, false, 0, true}, meter);
    if (still.count.sum() > 0) {
      evidence.identity_error = std::sqrt(still.mean() / (2 * evidence.moments.variance));
    }
  }
  find_intervals(report, evidence, shuffled.count.sum() > 0 ? &shuffled : nullptr, influence,
                 source, options, meter);
  decide(report, options);
  const Judged& audited = *evidence.find(report.audited);
  report.room.invariants = audited.invariants;
  if (extent == Extent::kWhole) {
    list_errors(report, audited, evidence.moments, source, options, context);
    if (!source.is_pairs()) {
      OrbitMeasures measures =
          measure_orbits(source, evidence.moments, audited.predict, options, meter);
      report.theorem = measures.theorem;
      report.spectrum = std::move(measures.spectrum);
      report.probes = run_probes(source, evidence.moments, options, meter);
      report.per_irrep = irrep_errors(source, evidence.moments, audited.predict, table, meter);
    }
    advise(report, evidence, source, options);
  }
  if (sums != nullptr) {
    sums->spread = evidence.moments.spread;
    sums->correction = evidence.moments.correction;
    for (const Judged& judged : evidence.judged) sums->errors[judged.name] = judged.errors;
  }
  meter.advance(meter.total);
  return report;
}

}  // namespace auditing

namespace {

void check_matrices(const AuditOptions& options, const Group& group, std::size_t dimension) {
  if (options.matrices.empty()) return;
  const auto d = static_cast<Eigen::Index>(dimension);
  if (options.representation) {
    throw InputError({"two representations are given", "a representation and matrices",
                      "one of them", "leave one out"});
  }
  bool fits = options.matrices.size() == group.order();
  for (const Eigen::MatrixXd& matrix : options.matrices) {
    fits = fits && matrix.rows() == d && matrix.cols() == d && matrix.allFinite();
  }
  if (fits) return;
  throw InputError({"the matrices do not fit group and embedding",
                    fmt::format("{} matrices", options.matrices.size()),
                    fmt::format("{0} finite matrices of {1} x {1}", group.order(), dimension), ""});
}

void check_options(const AuditOptions& options, const Group& group, std::size_t dimension) {
  check_matrices(options, group, dimension);
  if (options.representation && !(options.representation->group() == group)) {
    throw InputError({"the representation belongs to another group",
                      options.representation->group().name(), group.name(), ""});
  }
  if (options.representation && !options.representation->is_real()) {
    throw InputError({"the representation is complex", "embeddings are real", "real matrices",
                      "give its realification"});
  }
  if (options.bootstrap < 1) {
    throw InputError({"no resamplings for intervals", "bootstrap = 0", "at least 1", ""});
  }
}

AuditReport audit_orbits(const OrbitEmbeddings& orbits, const Group& group,
                         const AuditOptions& options, const AuditContext& context,
                         auditing::ErrorSums* sums) {
  auditing::check_shapes(orbits, group);
  auditing::check_context(context, orbits.samples, orbits.order);
  check_options(options, group, orbits.dimension);
  std::vector<Element> all(group.order());
  std::iota(all.begin(), all.end(), Element{0});
  const auditing::Source source(orbits, group, group, std::move(all), options);
  return auditing::audit_source(source, options, context, auditing::Extent::kWhole, sums);
}

AuditReport audit_pairs(const PairEmbeddings& pairs, const Group& group,
                        const AuditOptions& options, const AuditContext& context,
                        auditing::ErrorSums* sums) {
  auditing::check_shapes(pairs, group);
  auditing::check_context(context, pairs.samples, 2);
  check_options(options, group, pairs.dimension);
  if (context.input_size > 0) {
    throw InputError({"inputs belong to whole orbits", "z, zg and g with inputs",
                      "z of shape N x |G| x d beside inputs", "leave inputs out"});
  }
  const auditing::Source source(pairs, group, options);
  return auditing::audit_source(source, options, context, auditing::Extent::kWhole, sums);
}

}  // namespace

AuditReport audit(const OrbitEmbeddings& orbits, const Group& group, const AuditOptions& options,
                  const AuditContext& context) {
  return audit_orbits(orbits, group, options, context, nullptr);
}

AuditReport audit(const PairEmbeddings& pairs, const Group& group, const AuditOptions& options,
                  const AuditContext& context) {
  return audit_pairs(pairs, group, options, context, nullptr);
}

AuditReport auditing::audit_subject(const AuditSubject& subject, const Group& group,
                                    const AuditOptions& options, ErrorSums* sums) {
  AuditOptions own = options;
  if (!options.has_given()) own.matrices = subject.matrices;
  const AuditFile& file = subject.embeddings;
  AuditReport report = file.is_pairs()
                           ? audit_pairs(file.pairs(), group, own, file.context(), sums)
                           : audit_orbits(file.orbits(), group, own, file.context(), sums);
  report.subject = subject.name;
  if (subject.inputs) report.inputs = subject.inputs;
  report.floor = subject.floor;
  report.remarks.insert(report.remarks.begin(), subject.remarks.begin(), subject.remarks.end());
  return report;
}

AuditReport audit(const AuditSubject& subject, const Group& group, const AuditOptions& options) {
  return auditing::audit_subject(subject, group, options, nullptr);
}

}  // namespace algprior
