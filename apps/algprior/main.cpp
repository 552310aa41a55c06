#include "commands.hpp"
#include "program.hpp"

int main(int argc, char** argv) {
  algprior::Program program;
  algprior::add_demo_command(program);
  algprior::add_train_commands(program);
  algprior::add_launch_command(program);
  algprior::add_paper_command(program);
  algprior::add_sweep_command(program);
  algprior::add_report_commands(program);
  algprior::add_watch_command(program);
  algprior::add_group_command(program);
  algprior::add_audit_command(program);
  algprior::add_data_command(program);
  algprior::add_bench_command(program);
  algprior::add_docs_command(program);
  algprior::add_doctor_command(program);
  return program.run(argc, argv);
}
