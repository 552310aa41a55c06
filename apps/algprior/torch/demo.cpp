#include "algprior/base/paths.hpp"
#include "algprior/experiment/fonts.hpp"
#include "algprior/experiment/recipe.hpp"
#include "algprior/kernel/kernels.hpp"
#include "algprior/paper/catalogue.hpp"
#include "algprior/paper/paper_table.hpp"
#include "algprior/paper/result_table.hpp"
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

constexpr const char* kExperiment = "ddmnist-demo";
constexpr const char* kFontVariant = "demo-fonts";

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

// Runs on other digits are other runs, with folders and a table of their own.
std::vector<config::Config> make_configs(const DemoRequest& request, bool fonts) {
  std::vector<std::string> overrides;
  if (fonts) {
    overrides = {fmt::format("experiment.variant={}", kFontVariant), "data.digits=fonts"};
  }
  overrides.insert(overrides.end(), request.overrides.begin(), request.overrides.end());
  std::vector<config::Config> configs;
  for (const PaperRow& row : rows_of(kExperiment)) {
    configs.push_back(config::parse_config(
        experiment_schema(), row.toml, fmt::format("{}, row {}", kExperiment, row.row), overrides));
  }
  return configs;
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
  const std::vector<config::Config> configs = make_configs(request, fonts);
  std::vector<Result> results;
  for (const auto& config : configs) {
    results.push_back(run_or_resume(config, "algprior demo", terminal));
  }
  const PaperTable table =
      make_paper_table(fonts ? fmt::format("ddmnist-{}", kFontVariant) : kExperiment, results);
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
  terminal.print(to_text(results) + "\n" + to_text(table) + "\n" + folders);
  return 0;
}

}  // namespace algprior
