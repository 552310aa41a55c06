#include "run_page.hpp"

#include "algprior/base/file.hpp"
#include "algprior/base/paths.hpp"
#include "algprior/report/page.hpp"

#include <fmt/format.h>

namespace algprior {

std::string write_run_page(const std::vector<std::filesystem::path>& folders,
                           const std::string& name, Terminal& terminal) {
  const std::filesystem::path path = runs_folder() / (name + ".html");
  try {
    write_file(path, report::to_html(report::make_page(report::find_runs(folders), name)));
    return path.string();
  } catch (const Error& error) {
    terminal.note(fmt::format("no page was written: {}", error.what()));
    return "";
  }
}

}  // namespace algprior
