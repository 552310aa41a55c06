#pragma once

#include "program.hpp"

namespace algprior {

/// `algprior data draw`, a subcommand of `data`.
void add_draw_command(Program& program, CLI::App& data);

}  // namespace algprior
