#include "algprior/base/error.hpp"
#include "algprior/experiment/run.hpp"
#include "algprior/kernel/kernels.hpp"
#include "algprior/sweep/task_state.hpp"
#include "algprior/toml/read_config.hpp"
#include "entries.hpp"
#include "run_report.hpp"

#include <optional>

namespace algprior {
namespace {

Result run_task(const sweep::Task& task, const TasksRequest& request, Terminal& terminal) {
  const config::Config config = config::parse_config(experiment_schema(), task.config, task.name);
  RunOptions options;
  options.folder = task.folder;
  options.resume = true;
  options.holder = request.holder;
  const auto run = [&] { return run_with_report(config, options, "the same command", terminal); };
  if (!request.heartbeat) return run();
  sweep::Heartbeat heartbeat(task);
  try {
    Result result = run();
    heartbeat.end(sweep::TaskState::finished);
    return result;
  } catch (const Interrupted&) {
    heartbeat.end(sweep::TaskState::stopped);
    throw;
  } catch (const std::exception& error) {
    heartbeat.end(sweep::TaskState::failed, error.what());
    throw;
  }
}

}  // namespace

std::vector<Result> run_tasks(const TasksRequest& request, Context& context) {
  set_kernels(to_kernels(request.kernels));
  std::vector<Result> results;
  for (const sweep::Task& task : request.tasks) {
    results.push_back(run_task(task, request, context.terminal));
  }
  return results;
}

}  // namespace algprior
