#include "algprior/base/parallel.hpp"
#include "commands.hpp"
#include "paper_tables.hpp"
#include "program.hpp"
#include "requests.hpp"
#include "torch_module.hpp"
#include "whole_number.hpp"

#include <memory>

namespace algprior {
namespace {

void add_list(Program& program, CLI::App& paper) {
  CLI::App& command = program.add_command(
      paper, {"list", "The experiments and the rows of their tables", "algprior paper list"});
  program.on_run(command, list_paper);
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
    return load_torch_module(context.threads).paper_run(*request, context);
  });
}

void add_table(Program& program, CLI::App& paper) {
  auto request = std::make_shared<PaperTableRequest>();
  CLI::App& command = program.add_command(
      paper, {"table", "Our results beside the paper's", "algprior paper table ddmnist"});
  command.add_option("table", request->name, "ddmnist, ddmnist-sensitivity or exploratory")
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
