#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/base/paths.hpp"
#include "algprior/base/table.hpp"
#include "algprior/base/text.hpp"
#include "algprior/report/figure.hpp"
#include "algprior/report/page.hpp"
#include "algprior/report/png.hpp"
#include "commands.hpp"
#include "figure_file.hpp"
#include "program.hpp"

#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace algprior {
namespace {

using report::RunSet;

struct PlotRequest {
  std::vector<std::string> runs;
  std::string figure;
  std::string output;
  std::string theme = "light";
  double scale = 2;
  bool list = false;
};

std::vector<std::filesystem::path> to_paths(const std::vector<std::string>& names) {
  std::vector<std::filesystem::path> paths(names.begin(), names.end());
  if (paths.empty()) paths.push_back(runs_folder());
  return paths;
}

int list_plots(const RunSet& set, Context& context) {
  Table table({{"figure"}, {"shows"}, {"missing"}});
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const report::FigureOffer& offer : report::list_figures(set)) {
    table.add_row({offer.name, offer.title, offer.needs});
    list.push_back({{"figure", offer.name},
                    {"title", offer.title},
                    {"available", offer.needs.empty()},
                    {"needs", offer.needs}});
  }
  if (context.terminal.json()) {
    context.terminal.print_json(list);
  } else {
    context.terminal.print(table.to_text(static_cast<std::size_t>(context.terminal.width())));
  }
  return 0;
}

int run_plot(const PlotRequest& request, Context& context) {
  const RunSet set = report::find_runs(to_paths(request.runs));
  if (request.list) return list_plots(set, context);
  if (request.figure.empty() || request.output.empty()) {
    throw InputError({"which figure, and where to?", "algprior plot",
                      "--figure NAME and -o FILE, or --list",
                      "algprior plot RUN... --list names what the runs offer"});
  }
  if (set.runs.empty()) {
    throw InputError({"there is no run to draw", to_paths(request.runs).front().string(),
                      "a folder with config.toml, metrics.jsonl or result.json",
                      "algprior demo makes two runs"});
  }
  write_figure(report::make_figure(request.figure, set),
               {request.output, request.theme, request.scale}, context);
  return 0;
}

struct ReportRequest {
  std::vector<std::string> runs;
  std::string output = "report.html";
  std::string title = "Runs";
};

int run_report(const ReportRequest& request, Context& context) {
  const RunSet set = report::find_runs(to_paths(request.runs));
  const std::string html = report::to_html(report::make_page(set, request.title));
  write_file(request.output, html);
  if (context.terminal.json()) {
    nlohmann::ordered_json states = nlohmann::ordered_json::object();
    for (const report::Run& run : set.runs) {
      auto& count = states[report::to_string(run.state)];
      count = count.is_null() ? 1 : count.get<int>() + 1;
    }
    context.terminal.print_json({{"file", request.output},
                                 {"bytes", html.size()},
                                 {"runs", set.runs.size()},
                                 {"states", states},
                                 {"problems", set.problems}});
  } else {
    context.terminal.print(fmt::format("{}: {} run{}, {}\n", request.output, set.runs.size(),
                                       set.runs.size() == 1 ? "" : "s", format_bytes(html.size())));
  }
  return 0;
}

}  // namespace

void add_report_commands(Program& program) {
  auto page = std::make_shared<ReportRequest>();
  CLI::App& report_command =
      program.add_command({"report", "Write one page about runs: results, figures, settings",
                           "algprior report runs/ -o report.html"});
  report_command.add_option("runs", page->runs,
                            "run folders, folders of runs, result files; default: the runs folder");
  report_command.add_option("-o,--output", page->output, "file to write")->capture_default_str();
  report_command.add_option("--title", page->title, "heading of the page")->capture_default_str();
  program.on_run(report_command, [page](Context& context) { return run_report(*page, context); });

  auto plot = std::make_shared<PlotRequest>();
  CLI::App& plot_command =
      program.add_command({"plot", "Draw one figure from runs",
                           "algprior plot runs/mnist-d3 --figure eigenvalues -o eigenvalues.svg"});
  plot_command.add_option("runs", plot->runs,
                          "run folders, folders of runs, result files; default: the runs folder");
  plot_command.add_option("--figure", plot->figure, "name of a figure, see --list");
  plot_command.add_flag("--list", plot->list, "name the figures that the runs can fill");
  add_figure_options(plot_command, plot->output, plot->theme, plot->scale);
  program.on_run(plot_command, [plot](Context& context) { return run_plot(*plot, context); });
}

}  // namespace algprior
