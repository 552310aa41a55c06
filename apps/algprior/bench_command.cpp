#include "commands.hpp"
#include "program.hpp"
#include "requests.hpp"
#include "torch_module.hpp"
#include "whole_number.hpp"

#include <memory>

namespace algprior {

void add_bench_command(Program& program) {
  auto request = std::make_shared<BenchRequest>();
  CLI::App& command = program.add_command(
      {"bench", "Our kernels beside LibTorch and Python: answers compared, then times as ratios",
       "algprior bench --cases conv,step"});
  command.add_option("--cases", request->words, "parts of the names of cases; default all")
      ->delimiter(',');
  command.add_flag("--scaling", request->scaling,
                   "also how time grows with the batch and falls with threads (minutes)");
  command.add_flag("--list", request->list, "name the cases and stop");
  command
      .add_option("--repetitions", request->repetitions,
                  "the fastest of so many counts; slow cases get fewer")
      ->capture_default_str()
      ->check(whole_number(1, 1'000'000));
  // For the bench itself: a contestant's memory is measured in a process of its own.
  command.add_option("--memory-of", request->memory_of)->group("");
  program.on_run(command, [request](Context& context) {
    return load_torch_module(context.threads).bench(*request, context);
  });
}

}  // namespace algprior
