#include "algprior/audit/audit_subject.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/base/parallel.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/io/generators.hpp"
#include "algprior/rep/constructions.hpp"
#include "algprior/report/audit_section.hpp"
#include "commands.hpp"
#include "exit_codes.hpp"
#include "program.hpp"
#include "progress_bar.hpp"
#include "requests.hpp"
#include "torch_module.hpp"
#include "whole_number.hpp"

#include <cmath>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

namespace algprior {
namespace {

struct AuditRequest {
  std::string what;  ///< a file of embeddings, or a run folder
  std::string group;
  std::string groups;
  std::string representation;
  std::string against;  ///< a second file or run on the same samples
  std::string html;     ///< a page to write
  double fail_above = INFINITY;
  EncoderRequest encoder;
  AuditOptions options;
};

/// Embeddings from a file, or those that an encoder makes first.
AuditSubject read_subject(const AuditRequest& request, const std::string& what, Context& context) {
  EncoderRequest encoder = request.encoder;
  if (!encoder.torchscript.empty()) {
    encoder.group = request.group;
    if (!what.empty() || encoder.data.empty() || encoder.action.empty() || encoder.group.empty()) {
      throw InputError({"a TorchScript file needs samples, an action and a group",
                        "--torchscript " + encoder.torchscript,
                        "--data FILE, --action planar and --group D4, and no embeddings",
                        "algprior audit --torchscript model.pt --data images.npz --action planar "
                        "--group D4"});
    }
    return load_torch_module(context.threads).embed(encoder, context);
  }
  if (!encoder.data.empty() || !encoder.action.empty()) {
    throw InputError({"--data and --action belong to --torchscript",
                      encoder.data.empty() ? encoder.action : encoder.data,
                      "--torchscript FILE beside them", "leave them out"});
  }
  if (what.empty()) {
    throw InputError({"nothing to audit is given", "algprior audit",
                      "a file of embeddings, a run folder or --torchscript FILE",
                      "algprior audit embeddings.npz --group D4"});
  }
  if (std::filesystem::is_directory(what)) {
    encoder.run = what;
    return load_torch_module(context.threads).embed(encoder, context);
  }
  return {AuditFile::read(what), what};
}

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

/// The group that was named, the subject's own, or the one candidate that the shape of z fits.
Group choose_group(const AuditRequest& request, const AuditSubject& subject,
                   const std::vector<Group>& candidates) {
  if (subject.group) {
    if (!request.encoder.torchscript.empty() || request.group.empty()) return *subject.group;
    throw InputError({"a run has a group of its own", "--group " + request.group,
                      subject.group->name() + ", which acts on its data",
                      "leave --group out; --groups compares subgroups"});
  }
  if (!request.group.empty()) return make_group(request.group);
  const AuditFile& file = subject.embeddings;
  std::vector<Group> fitting;
  for (const Group& candidate : candidates) {
    if (candidate.order() == file.order()) fitting.push_back(candidate);
  }
  if (fitting.size() == 1) return fitting.front();
  throw InputError({candidates.empty() ? "no group to audit for"
                                       : "the candidates do not tell which group was encoded",
                    fmt::format("{}: {} embeddings a sample", request.what, file.order()),
                    "the group whose elements transformed the inputs",
                    fmt::format("algprior audit {} --group D4", request.what)});
}

std::optional<Representation> choose_representation(const std::string& what, const Group& group) {
  if (what.empty()) return std::nullopt;
  if (what == "regular") return regular_representation(group);
  if (what == "defining") return defining_representation(group);
  if (what == "trivial") return trivial_representation(group);
  std::vector<Eigen::MatrixXd> matrices;
  for (const Eigen::MatrixXcd& matrix : io::read_generators(group, what)) {
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

/// Where the numbers of a run's audit stay, for `algprior report`.
std::filesystem::path audit_file_of(const EncoderRequest& encoder, const std::string& run) {
  const std::string name =
      encoder.layer == "0" ? "audit.json" : fmt::format("audit-{}.json", encoder.layer);
  return std::filesystem::path(run) / name;
}

int run_comparison(const AuditSubject& first, const AuditSubject& second, const Group& group,
                   AuditOptions options, Context& context) {
  AuditComparison comparison;
  {
    ProgressBar bar(context.terminal, "audit", "steps");
    options.progress = bar.sink();
    comparison = compare_audits(first, second, group, options);
  }
  if (context.terminal.json()) {
    context.terminal.print(to_json(comparison) + "\n");
  } else {
    context.terminal.print(to_text(comparison.first) + "\n" + to_text(comparison.second) + "\n" +
                           to_text(comparison));
  }
  return kExitSuccess;
}

int run_audit(const AuditRequest& request, Context& context) {
  set_thread_count(context.threads);
  const AuditSubject subject = read_subject(request, request.what, context);
  std::vector<Group> candidates;
  if (!request.groups.empty()) {
    for (const std::string& spec : split_specs(request.groups)) {
      candidates.push_back(make_group(spec));
    }
    if (subject.embeddings.is_pairs()) {
      throw InputError({"candidates need whole orbits", subject.name + " has pairs",
                        "z of shape [samples, elements, coordinates]",
                        "encode every g*x of a group that contains the candidates"});
    }
  }
  const Group group = choose_group(request, subject, candidates);
  AuditOptions options = request.options;
  options.representation = choose_representation(request.representation, group);
  if (!request.against.empty()) {
    return run_comparison(subject, read_subject(request, request.against, context), group, options,
                          context);
  }
  AuditReport report;
  {
    ProgressBar bar(context.terminal, "audit", "steps");
    options.progress = bar.sink();
    report = audit(subject, group, options);
    if (!candidates.empty()) {
      bar.restart("candidates");
      report.groups = audit_candidates(subject.embeddings.orbits(), group, candidates, options);
    }
  }
  if (std::filesystem::is_directory(request.what)) {
    const std::filesystem::path file = audit_file_of(request.encoder, request.what);
    write_file(file, to_json(report) + "\n");
    context.terminal.note("written: " + file.string());
  }
  if (!request.html.empty()) {
    write_file(request.html, report::to_html(report::audit_page(report, "Audit")));
    context.terminal.note("written: " + request.html);
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
  command.add_option(
      "embeddings", request->what,
      "NPZ or safetensors file with z[n, g] = E(g*x_n), shape [samples, elements, "
      "coordinates], elements as 'algprior group SPEC --elements' lists them; or z, zg "
      "and g for pairs. Optional: labels, inputs. Or a run folder: its test data and "
      "its action, numbers kept in its audit.json");
  EncoderRequest& encoder = request->encoder;
  command.add_option("--torchscript", encoder.torchscript,
                     "an encoder as a TorchScript file. Trusted files only: it can run code of its "
                     "author's choice");
  command.add_option("--data", encoder.data,
                     "samples for it: NPZ or safetensors file with x, perhaps labels");
  command.add_option("--action", encoder.action,
                     "how the group acts on them: planar (images), volume, stack (a factor of a "
                     "product on each channel), defining or regular (vectors)");
  command
      .add_option("--layer", encoder.layer,
                  "of a run: number of a latent layer, or output; of TorchScript: place in the "
                  "tuple that it returns")
      ->capture_default_str();
  command.add_option("--samples", encoder.samples, "to encode, at most")
      ->check(whole_number(2, 1'000'000))
      ->capture_default_str();
  command.add_option(
      "--against", request->against,
      "a second file or run, of the same samples: differences with paired intervals");
  command.add_option("--html", request->html, "also write a page with figures");
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
