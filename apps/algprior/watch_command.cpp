#include "algprior/base/error.hpp"
#include "algprior/base/interrupt.hpp"
#include "algprior/base/paths.hpp"
#include "algprior/report/watch.hpp"
#include "commands.hpp"
#include "program.hpp"
#include "watch_server.hpp"

#include <chrono>
#include <memory>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace algprior {
namespace {

struct WatchRequest {
  std::vector<std::string> runs;
  int port = 0;
  std::string title = "Runs";
};

int run_watch(const WatchRequest& request, Context& context) {
  std::vector<std::filesystem::path> paths(request.runs.begin(), request.runs.end());
  if (paths.empty()) paths.push_back(runs_folder());
  report::RunWatcher watcher(paths);
  watcher.look();
  report::LivePage page;
  page.update(report::make_page(watcher.set(), request.title));
  const WatchServer server(page, request.port);
  if (context.terminal.json()) {
    context.terminal.print_json({{"url", server.url()}, {"runs", watcher.set().runs.size()}});
  } else {
    context.terminal.print(fmt::format("{} run{} at {}  (Ctrl-C ends it)\n",
                                       watcher.set().runs.size(),
                                       watcher.set().runs.size() == 1 ? "" : "s", server.url()));
  }
  context.terminal.flush();
  for (int tick = 1;; ++tick) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    throw_if_stopped();
    if (tick % 10 != 0) continue;
    try {
      if (watcher.look()) page.update(report::make_page(watcher.set(), request.title));
    } catch (const Error& error) {
      // A folder that is being moved or removed comes back, or the person ends the watch.
      context.terminal.note(error.what());
    }
  }
}

}  // namespace

void add_watch_command(Program& program) {
  auto request = std::make_shared<WatchRequest>();
  CLI::App& command =
      program.add_command({"watch", "Serve the page of runs on this machine and keep it up to date",
                           "algprior watch runs/"});
  command.add_option("runs", request->runs,
                     "run folders and folders of runs; default: the runs folder");
  command.add_option("--port", request->port, "port on 127.0.0.1; 0: any that is free")
      ->check(CLI::Range(0, 65535).description(""))
      ->capture_default_str();
  command.add_option("--title", request->title, "heading of the page")->capture_default_str();
  program.on_run(command, [request](Context& context) { return run_watch(*request, context); });
}

}  // namespace algprior
