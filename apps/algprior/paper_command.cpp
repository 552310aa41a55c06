#include "algprior/base/cpu.hpp"
#include "algprior/base/parallel.hpp"
#include "algprior/base/paths.hpp"
#include "algprior/io/bytes.hpp"
#include "algprior/io/checksum.hpp"
#include "algprior/paper/catalogue.hpp"
#include "algprior/paper/result_table.hpp"
#include "algprior/sweep/plan.hpp"
#include "commands.hpp"
#include "paper_tables.hpp"
#include "program.hpp"
#include "requests.hpp"
#include "run_page.hpp"
#include "sweep_engine.hpp"
#include "torch_module.hpp"
#include "whole_number.hpp"

#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace algprior {
namespace {

void add_list(Program& program, CLI::App& paper) {
  CLI::App& command = program.add_command(
      paper, {"list", "The experiments and the rows of their tables", "algprior paper list"});
  program.on_run(command, list_paper);
}

// The same request is the same sweep, whose state can be asked for.
std::string sweep_name(const std::vector<sweep::Task>& tasks) {
  std::string all;
  for (const sweep::Task& task : tasks) all += task.config;
  return "paper-" + io::sha256(io::as_bytes(all)).substr(0, 12);
}

std::vector<Result> run_side_by_side(const std::vector<sweep::Task>& tasks, int jobs,
                                     const std::string& kernels, Context& context) {
  SweepWork work{.manifest = {.name = sweep_name(tasks), .tasks = tasks, .policy = {}},
                 .folder = {},
                 .tasks = {}};
  sweep::Policy& policy = work.manifest.policy;
  policy.threads = context.threads;
  policy.kernels = kernels;
  policy.max_parallel = jobs;
  work.folder = sweep::sweep_folder(work.manifest.name);
  sweep::freeze(work.manifest, work.folder);
  for (std::size_t i = 0; i < tasks.size(); ++i) work.tasks.push_back(i);
  run_locally(work, context.terminal);
  std::vector<Result> results;
  for (const sweep::Task& task : tasks) results.push_back(read_result(task.folder / "result.json"));
  return results;
}

int run_paper(const PaperRunRequest& request, Context& context) {
  sweep::PaperPlan plan{.experiments = request.experiments,
                        .rows = sweep::split_list(request.rows),
                        .seeds = sweep::parse_seeds(request.seeds),
                        .overrides = {}};
  if (request.epochs) plan.overrides.push_back("train.epochs=" + std::to_string(*request.epochs));
  plan.overrides.insert(plan.overrides.end(), request.overrides.begin(), request.overrides.end());
  const std::vector<sweep::Task> tasks = sweep::paper_tasks(plan);  // all checked before the first
  const int jobs = request.jobs.value_or(usable_cores() / context.threads);
  const std::vector<Result> results =
      jobs > 1 && tasks.size() > 1
          ? run_side_by_side(tasks, jobs, request.kernels, context)
          : load_torch_module(context.threads)
                .run_tasks(
                    {.tasks = tasks, .kernels = request.kernels, .holder = "algprior paper run"},
                    context);
  if (context.terminal.json()) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Result& result : results) {
      list.push_back(nlohmann::ordered_json::parse(to_json(result)));
    }
    context.terminal.print_json(list);
    return 0;
  }
  std::vector<std::filesystem::path> folders;
  for (const sweep::Task& task : tasks) folders.push_back(task.folder);
  const std::string page = write_run_page(folders, "paper-run", context.terminal);
  context.terminal.print(to_text(results) + "run folders: " + runs_folder().string() + "\n" +
                         (page.empty() ? "" : "page: " + page + "\n"));
  return 0;
}

void add_run(Program& program, CLI::App& paper) {
  auto request = std::make_shared<PaperRunRequest>();
  CLI::App& command =
      program.add_command(paper, {"run", "Train rows of a table; what is finished is not run again",
                                  "algprior paper run ddmnist-d4 --rows cnn,regular --seeds 3"});
  command.get_option("--threads")->description("Threads of each run (default: 1)");
  command.add_option("experiment", request->experiments, "experiments, see algprior paper list")
      ->required();
  command.add_option("--rows", request->rows, "rows, separated by commas; default all");
  command.add_option("--seeds", request->seeds, "3: seeds 0, 1, 2; 4,7: just these; 4,: just 4")
      ->capture_default_str();
  command.add_option("--epochs", request->epochs, "at most so many epochs, as a row of its own")
      ->check(whole_number(1, 1'000'000'000));
  command
      .add_option("--set", request->overrides,
                  "override a setting, as a row of its own: a.b=c (repeatable)")
      ->allow_extra_args(false);
  command
      .add_option("--jobs", request->jobs,
                  "runs at the same time (default: as many as there are cores for)")
      ->check(whole_number(1, 1024));
  command.add_option("--kernels", request->kernels, "auto, native or torch")->capture_default_str();
  program.on_run(command, [request, &command](Context& context) {
    // A result then depends neither on the machine's cores nor on what else was asked for.
    if (command.count("--threads") == 0) context.threads = 1;
    set_thread_count(context.threads);
    return run_paper(*request, context);
  });
}

void add_table(Program& program, CLI::App& paper) {
  auto request = std::make_shared<PaperTableRequest>();
  CLI::App& command = program.add_command(
      paper, {"table", "Our results beside the paper's", "algprior paper table ddmnist"});
  command.add_option("table", request->name, fmt::format("{}", fmt::join(table_names(), ", ")))
      ->required();
  command.add_flag("--markdown", request->markdown, "as a Markdown table");
  command.add_option("--results", request->folders, "folders of results; default results/");
  program.on_run(command,
                 [request](Context& context) { return show_paper_table(*request, context); });
}

}  // namespace

void add_paper_command(Program& program) {
  CLI::App& paper =
      program.add_command({"paper", "The paper's experiments and tables", "algprior paper list"});
  paper.require_subcommand(1);
  add_list(program, paper);
  add_run(program, paper);
  add_table(program, paper);
}

}  // namespace algprior
