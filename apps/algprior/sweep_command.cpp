#include "algprior/base/cpu.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/table.hpp"
#include "algprior/paper/result_table.hpp"
#include "algprior/sweep/collect.hpp"
#include "algprior/sweep/plan.hpp"
#include "commands.hpp"
#include "exit_codes.hpp"
#include "program.hpp"
#include "requests.hpp"
#include "run_page.hpp"
#include "sweep_engine.hpp"
#include "torch_module.hpp"
#include "whole_number.hpp"

#include <algorithm>
#include <map>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace algprior {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// How a sweep is worked off; what is not given is as the sweep's file has it.
struct EngineRequest {
  std::string sweep;  ///< a file for submit, else a name or a folder
  std::string engine = "local";
  std::optional<int> retries, max_parallel;
  bool fail_fast = false;
};

// A sweep by its name, or by its folder.
fs::path folder_named(const std::string& name) {
  return name.find('/') != std::string::npos ? fs::absolute(name) : sweep::sweep_folder(name);
}

void apply(const EngineRequest& request, sweep::Policy& policy) {
  if (request.retries) policy.retries = *request.retries;
  if (request.max_parallel) policy.max_parallel = *request.max_parallel;
  if (request.fail_fast) policy.fail_fast = true;
}

// Those that have no result, and on which nobody works.
std::vector<std::size_t> missing_tasks(const sweep::Manifest& manifest,
                                       const std::vector<std::size_t>& queued) {
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < manifest.tasks.size(); ++i) {
    const auto state = sweep::status_of(manifest.tasks[i]).state;
    if (state == sweep::TaskState::finished || state == sweep::TaskState::running) continue;
    if (std::find(queued.begin(), queued.end(), i) == queued.end()) missing.push_back(i);
  }
  return missing;
}

int show_collection(const sweep::Manifest& manifest, const fs::path& folder, Context& context) {
  const sweep::Collection collection = sweep::collect(manifest, folder);
  if (context.terminal.json()) {
    Json results = Json::array(), unfinished = Json::array();
    for (const Result& result : collection.results) results.push_back(Json::parse(to_json(result)));
    for (const auto& run : collection.unfinished) {
      unfinished.push_back({{"task", run.task},
                            {"name", run.name},
                            {"state", sweep::to_string(run.status.state)},
                            {"message", run.status.message},
                            {"log_end", run.log_end}});
    }
    context.terminal.print_json(
        Json{{"sweep", manifest.name}, {"results", results}, {"unfinished", unfinished}});
    return kExitSuccess;
  }
  std::string text;
  if (!collection.results.empty()) {
    text = to_text(collection.results) + "\n" + sweep::summary_text(collection.results) +
           "± sample standard deviation; stars: effect against the experiment's first row\n";
  }
  if (!collection.unfinished.empty()) {
    text += fmt::format("\n{} of {} runs have no result:\n{}", collection.unfinished.size(),
                        manifest.tasks.size(), sweep::unfinished_text(collection.unfinished));
  }
  context.terminal.print(text);
  return kExitSuccess;
}

int work_off(const EngineRequest& request, SweepWork work, Context& context) {
  const bool slurm = request.engine == "slurm";
  work.tasks = missing_tasks(work.manifest,
                             slurm ? queued_in_slurm(work.folder) : std::vector<std::size_t>{});
  if (work.tasks.empty()) {
    context.terminal.note("nothing is missing: every run is finished, running or queued");
    return show_collection(work.manifest, work.folder, context);
  }
  if (slurm) {
    const std::string job = submit_to_slurm(work);
    if (context.terminal.json()) {
      context.terminal.print_json(
          Json{{"sweep", work.manifest.name}, {"job", job}, {"tasks", work.tasks.size()}});
    } else {
      context.terminal.print(fmt::format("job {} with {} of {} runs\nalgprior sweep status {}\n",
                                         job, work.tasks.size(), work.manifest.tasks.size(),
                                         work.manifest.name));
    }
    return kExitSuccess;
  }
  run_locally(work, context.terminal);
  return show_collection(work.manifest, work.folder, context);
}

int submit(const EngineRequest& request, const CLI::App& command, Context& context) {
  sweep::Manifest manifest = sweep::read_sweep(request.sweep);
  apply(request, manifest.policy);
  if (command.count("--threads") > 0) manifest.policy.threads = context.threads;
  const fs::path folder = sweep::sweep_folder(manifest.name);
  sweep::freeze(manifest, folder);
  return work_off(request, {manifest, folder, {}}, context);
}

int resume(const EngineRequest& request, Context& context) {
  const fs::path folder = folder_named(request.sweep);
  sweep::Manifest manifest = sweep::read_manifest(folder);
  apply(request, manifest.policy);
  return work_off(request, {manifest, folder, {}}, context);
}

// Without jobs or messages where no run has one.
Table status_table(std::vector<std::vector<std::string>> rows) {
  std::vector<Column> columns{{"task", Align::kRight},    {"run"}, {"state"},  {"host"},
                              {"process", Align::kRight}, {"job"}, {"message"}};
  for (std::size_t i = columns.size(); i-- > 0;) {
    const auto empty = [i](const std::vector<std::string>& row) { return row[i].empty(); };
    if (!std::all_of(rows.begin(), rows.end(), empty)) continue;
    columns.erase(columns.begin() + static_cast<std::ptrdiff_t>(i));
    for (auto& row : rows) row.erase(row.begin() + static_cast<std::ptrdiff_t>(i));
  }
  Table table(columns);
  for (const auto& row : rows) table.add_row(row);
  return table;
}

int show_status(const std::string& name, Context& context) {
  const sweep::Manifest manifest = sweep::read_manifest(folder_named(name));
  Json list = Json::array();
  std::vector<std::vector<std::string>> rows;
  std::map<std::string, int> counts;
  for (std::size_t i = 0; i < manifest.tasks.size(); ++i) {
    const auto status = sweep::status_of(manifest.tasks[i]);
    const char* state = sweep::to_string(status.state);
    ++counts[state];
    list.push_back({{"task", i},
                    {"run", manifest.tasks[i].name},
                    {"state", state},
                    {"host", status.host},
                    {"process", status.process},
                    {"job", status.job},
                    {"message", status.message}});
    rows.push_back({std::to_string(i), manifest.tasks[i].name, state, status.host,
                    status.process > 0 ? std::to_string(status.process) : "", status.job,
                    status.message.substr(0, status.message.find('\n'))});
  }
  if (context.terminal.json()) {
    context.terminal.print_json(list);
    return kExitSuccess;
  }
  std::string summary;
  for (const auto& [state, count] : counts) {
    summary += fmt::format("{}{} {}", summary.empty() ? "" : ", ", count, state);
  }
  context.terminal.print(
      status_table(rows).to_text(static_cast<std::size_t>(context.terminal.width())) + summary +
      "\n");
  return kExitSuccess;
}

void add_engine_options(CLI::App& command, EngineRequest& request) {
  command
      .add_option("--engine", request.engine, "local: processes of this machine; slurm: an array")
      ->check(CLI::IsMember({"local", "slurm"}))
      ->capture_default_str();
  command.add_option("--max-parallel", request.max_parallel, "runs at the same time")
      ->check(whole_number(1, 100'000));
  command.add_option("--retries", request.retries, "how often a run that failed is begun anew")
      ->check(whole_number(0, 1000));
  command.add_flag("--fail-fast", request.fail_fast, "the first run that fails ends the others");
}

void add_task(Program& program, CLI::App& sweep) {
  struct TaskRequest {
    std::string folder;
    std::size_t index = 0;
  };
  auto request = std::make_shared<TaskRequest>();
  CLI::App& command =
      program.add_command(sweep, {"task", "Run one task of a sweep, as the engines do",
                                  "algprior sweep task runs/sweeps/weights --index 3"});
  command.add_option("sweep", request->folder, "folder of the sweep")->required();
  command.add_option("--index", request->index, "number of the task, from 0")->required();
  program.on_run(command, [request](Context& context) {
    const sweep::Manifest manifest = sweep::read_manifest(request->folder);
    if (request->index >= manifest.tasks.size()) {
      throw InputError({"the sweep has no such task", std::to_string(request->index),
                        fmt::format("0 to {}", manifest.tasks.size() - 1),
                        "see algprior sweep status"});
    }
    load_torch_module(context.threads)
        .run_tasks({.tasks = {manifest.tasks[request->index]},
                    .kernels = manifest.policy.kernels,
                    .holder = "algprior sweep task of " + manifest.name,
                    .heartbeat = true},
                   context);
    return kExitSuccess;
  });
}

}  // namespace

void add_sweep_command(Program& program) {
  CLI::App& sweep = program.add_command(
      {"sweep", "Many runs, on this machine or by Slurm", "algprior sweep submit weights.toml"});
  sweep.require_subcommand(1);
  auto request = std::make_shared<EngineRequest>();
  CLI::App& submit_app = program.add_command(
      sweep, {"submit", "Freeze the runs of a sweep file and work them off",
              "algprior sweep submit weights.toml --engine slurm --max-parallel 8"});
  submit_app.get_option("--threads")
      ->description("Threads of each run (default: the file's, or 1)");
  submit_app.add_option("file", request->sweep, "sweep file (TOML)")->required();
  add_engine_options(submit_app, *request);
  program.on_run(submit_app, [request, &submit_app](Context& context) {
    return submit(*request, submit_app, context);
  });
  CLI::App& resume_app =
      program.add_command(sweep, {"resume", "Work off what a sweep still lacks, and nothing else",
                                  "algprior sweep resume weights"});
  resume_app.add_option("sweep", request->sweep, "name or folder of a sweep")->required();
  add_engine_options(resume_app, *request);
  program.on_run(resume_app, [request](Context& context) { return resume(*request, context); });
  CLI::App& status_app =
      program.add_command(sweep, {"status", "What became of each run so far, from the run folders",
                                  "algprior sweep status weights"});
  status_app.add_option("sweep", request->sweep, "name or folder of a sweep")->required();
  program.on_run(status_app,
                 [request](Context& context) { return show_status(request->sweep, context); });
  CLI::App& collect_app = program.add_command(
      sweep, {"collect", "The results so far, and the ends of the logs of runs without one",
              "algprior sweep collect weights"});
  collect_app.add_option("sweep", request->sweep, "name or folder of a sweep")->required();
  program.on_run(collect_app, [request](Context& context) {
    const fs::path folder = folder_named(request->sweep);
    return show_collection(sweep::read_manifest(folder), folder, context);
  });
  CLI::App& cancel_app = program.add_command(
      sweep, {"cancel", "Stop whoever works on a sweep; its runs can go on later",
              "algprior sweep cancel weights"});
  cancel_app.add_option("sweep", request->sweep, "name or folder of a sweep")->required();
  program.on_run(cancel_app, [request](Context& context) {
    const fs::path folder = folder_named(request->sweep);
    sweep::read_manifest(folder);
    const auto told = cancel_sweep(folder);
    for (const std::string& line : told) context.terminal.note(line);
    if (told.empty()) context.terminal.note("nobody works on it");
    return kExitSuccess;
  });
  add_task(program, sweep);
}

}  // namespace algprior
