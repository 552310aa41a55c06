#pragma once

namespace algprior {

class Program;

// One function a command; main.cpp lists them in the order in which --help shows them.
void add_demo_command(Program& program);
void add_train_commands(Program& program);
void add_launch_command(Program& program);
void add_paper_command(Program& program);
void add_sweep_command(Program& program);
void add_report_commands(Program& program);
void add_watch_command(Program& program);
void add_group_command(Program& program);
void add_audit_command(Program& program);
void add_data_command(Program& program);
void add_bench_command(Program& program);
void add_docs_command(Program& program);
void add_doctor_command(Program& program);

}  // namespace algprior
