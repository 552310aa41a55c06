#include "algprior/audit/audit_file.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/parallel.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/rep/constructions.hpp"
#include "commands.hpp"
#include "exit_codes.hpp"
#include "group_matrices.hpp"
#include "program.hpp"
#include "progress_bar.hpp"

#include <cmath>
#include <memory>

#include <fmt/format.h>

namespace algprior {
namespace {

struct AuditRequest {
  std::string file;
  std::string group;
  std::string groups;
  std::string representation;
  double fail_above = INFINITY;
  AuditOptions options;
};

/// "C2,(1,2);(3,4),D4" at the commas outside of brackets.
std::vector<std::string> split_specs(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '(' || c == '[' || c == '<') ++depth;
    if (c == ')' || c == ']' || c == '>') --depth;
    if (c == ',' && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

/// The group that was named, or the one candidate that the shape of z fits.
Group choose_group(const AuditRequest& request, const AuditFile& file,
                   const std::vector<Group>& candidates) {
  if (!request.group.empty()) return make_group(request.group);
  std::vector<Group> fitting;
  for (const Group& candidate : candidates) {
    if (candidate.order() == file.order()) fitting.push_back(candidate);
  }
  if (fitting.size() == 1) return fitting.front();
  throw InputError({candidates.empty() ? "no group to audit for"
                                       : "the candidates do not tell which group was encoded",
                    fmt::format("{}: {} embeddings a sample", request.file, file.order()),
                    "the group whose elements transformed the inputs",
                    fmt::format("algprior audit {} --group D4", request.file)});
}

std::optional<Representation> choose_representation(const std::string& what, const Group& group) {
  if (what.empty()) return std::nullopt;
  if (what == "regular") return regular_representation(group);
  if (what == "defining") return defining_representation(group);
  if (what == "trivial") return trivial_representation(group);
  std::vector<Eigen::MatrixXd> matrices;
  for (const Eigen::MatrixXcd& matrix : read_generators(group, what)) {
    if (!matrix.imag().isZero(0)) {
      throw InputError({"embeddings are real, and so is what acts on them", what, "real matrices",
                        "give the complex representation with its conjugate as one real one"});
    }
    matrices.push_back(matrix.real());
  }
  return matrix_representation(group, std::move(matrices), 1e-5);
}

/// The error of what was audited; infinite for an encoder that collapsed.
double audited_error(const AuditReport& report) {
  const AuditErrors& errors = report.errors;
  const auto& one = report.audited == "given"      ? errors.given
                    : report.audited == "regular"  ? errors.regular
                    : report.audited == "defining" ? errors.defining
                    : report.audited == "fitted"   ? errors.fitted
                                                   : errors.invariance;
  return one ? one->value : INFINITY;
}

int run_audit(const AuditRequest& request, Context& context) {
  set_thread_count(context.threads);
  const AuditFile file = AuditFile::read(request.file);
  std::vector<Group> candidates;
  if (!request.groups.empty()) {
    for (const std::string& spec : split_specs(request.groups)) {
      candidates.push_back(make_group(spec));
    }
    if (file.is_pairs()) {
      throw InputError({"candidates need whole orbits", request.file + " has pairs",
                        "z of shape [samples, elements, coordinates]",
                        "encode every g*x of a group that contains the candidates"});
    }
  }
  const Group group = choose_group(request, file, candidates);
  AuditOptions options = request.options;
  options.representation = choose_representation(request.representation, group);
  AuditReport report;
  {
    ProgressBar bar(context.terminal, "audit", "steps");
    options.progress = bar.sink();
    report = file.audit(group, options);
    if (!candidates.empty()) {
      bar.restart("candidates");
      report.groups = audit_candidates(file.orbits(), group, candidates, options);
    }
  }
  context.terminal.print((context.terminal.json() ? to_json(report) + "\n" : to_text(report)));
  const double error = audited_error(report);
  if (!(error > request.fail_above)) return kExitSuccess;
  context.terminal.note(std::isfinite(error)
                            ? fmt::format("error {:.4g} ({}) is above {:.4g}", error,
                                          report.audited, request.fail_above)
                            : "a collapsed encoder has no error to compare");
  return kExitFailure;
}

}  // namespace

void add_audit_command(Program& program) {
  auto request = std::make_shared<AuditRequest>();
  CLI::App& command = program.add_command(
      {"audit", "Is an encoder equivariant, to which representation, and how far is it?",
       "algprior audit embeddings.npz --group D4"});
  command
      .add_option("embeddings", request->file,
                  "NPZ or safetensors file with z[n, g] = E(g*x_n), shape [samples, elements, "
                  "coordinates], elements as 'algprior group SPEC --elements' lists them; or z, zg "
                  "and g for pairs. Optional: labels, inputs")
      ->required();
  command.add_option("--group", request->group, "the group that transformed the inputs");
  command.add_option("--groups", request->groups,
                     "candidates to rank, subgroups of the group, separated by commas");
  command.add_option("--representation", request->representation,
                     "judge by this one: regular, defining, trivial, or an NPZ file with one "
                     "matrix for each generator, named like it");
  command.add_option("--fail-above", request->fail_above,
                     "exit with 1 when the error of what was audited is larger (1 is chance)");
  command.add_option("--seed", request->options.seed, "of halves and intervals")
      ->capture_default_str();
  command.add_option("--resamplings", request->options.bootstrap, "of the bootstrap")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      .add_option("--base-points", request->options.base_points,
                  "points of each orbit from which pairs start; 0: as many as are quick")
      ->capture_default_str();
  program.on_run(command, [request](Context& context) { return run_audit(*request, context); });
}

}  // namespace algprior
