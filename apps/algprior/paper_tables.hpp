#pragma once

#include "program.hpp"
#include "requests.hpp"

namespace algprior {

int list_paper(Context& context);
int show_paper_table(const PaperTableRequest& request, Context& context);

}  // namespace algprior
