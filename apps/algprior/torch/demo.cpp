#include "algprior/base/paths.hpp"
#include "algprior/experiment/fonts.hpp"
#include "algprior/experiment/recipe.hpp"
#include "algprior/kernel/kernels.hpp"
#include "algprior/paper/catalogue.hpp"
#include "algprior/paper/study_table.hpp"
#include "algprior/store/store.hpp"
#include "algprior/toml/read_config.hpp"
#include "entries.hpp"
#include "run_page.hpp"
#include "run_report.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace algprior {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kDemo = "demo";

bool has_mnist() {
  const store::Store store = store::default_store();
  const store::DataSet& mnist = store::set_named(store.sets, "mnist");
  return std::all_of(mnist.files.begin(), mnist.files.end(), [&](const store::DataFile& file) {
    return store::find_if_present(store, mnist, file).has_value();
  });
}

std::string font_names() {
  std::vector<std::string> names;
  for (const io::Font& font : find_digit_fonts()) names.push_back(font.name());
  return fmt::format("{}", fmt::join(names, ", "));
}

std::vector<config::Config> make_configs(const DemoRequest& request, const std::string& variant) {
  const std::string experiment = fmt::format("{}-{}", kDemo, variant);
  std::vector<config::Config> configs;
  for (const PaperRow& row : rows_of(experiment)) {
    configs.push_back(config::parse_config(experiment_schema(), row.toml,
                                           fmt::format("{}, row {}", experiment, row.row),
                                           request.overrides));
  }
  return configs;
}

// Both rows have the same --set, so they are compared as the rows that they change.
StudyTable make_table(std::vector<Result> results, const std::string& variant) {
  for (Result& result : results) result.id.changes.clear();
  StudyTable table = make_study_table(kDemo, results);
  std::erase_if(table.rows, [&](const StudyRow& row) { return row.variant != variant; });
  return table;
}

}  // namespace

int run_demo(const DemoRequest& request, Context& context) {
  Terminal& terminal = context.terminal;
  set_kernels(to_kernels(request.kernels));
  const bool fonts = request.fonts || !has_mnist();
  if (fonts) {
    terminal.note(fmt::format("{}: digits are drawn from fonts ({})",
                              request.fonts ? "--fonts" : "MNIST is not here", font_names()));
  }
  const std::string variant = fonts ? "fonts" : "mnist";
  const std::vector<config::Config> configs = make_configs(request, variant);
  std::vector<Result> results;
  for (const auto& config : configs) {
    results.push_back(run_or_resume(config, "algprior demo", terminal));
  }
  const StudyTable table = make_table(results, variant);
  if (terminal.json()) {
    Json runs = Json::array();
    for (const Result& result : results) runs.push_back(Json::parse(to_json(result)));
    terminal.print_json(Json{{"table", Json::parse(to_json(table))},
                             {"runs", runs},
                             {"folder", runs_folder().string()}});
    return 0;
  }
  std::string folders;
  std::vector<std::filesystem::path> runs;
  for (const auto& config : configs) {
    runs.push_back(runs_folder() / to_string(run_id(config)));
    folders += "run folder: " + runs.back().string() + "\n";
  }
  const std::string page = write_run_page(runs, "demo", terminal);
  if (!page.empty()) folders += "page: " + page + "\n";
  const auto width = static_cast<std::size_t>(terminal.width());
  terminal.print(to_text(table, false, width) + "\n" + folders);
  return 0;
}

}  // namespace algprior
