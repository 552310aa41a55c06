#include "algprior/base/cpu.hpp"
#include "commands.hpp"
#include "program.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace algprior {
namespace {

int run_doctor(Context& context) {
  const Machine machine = this_machine();
  Terminal& terminal = context.terminal;
  if (terminal.json()) {
    terminal.print_json(nlohmann::ordered_json{{"cpu", machine.cpu}, {"cores", machine.cores}});
    return 0;
  }
  terminal.print(fmt::format("CPU    {}\ncores  {}\n", machine.cpu, machine.cores));
  return 0;
}

}  // namespace

void add_doctor_command(Program& program) {
  CLI::App& command = program.add_command(
      {"doctor", "Say what this machine offers and what is missing", "algprior doctor --json"});
  program.on_run(command, run_doctor);
}

}  // namespace algprior
