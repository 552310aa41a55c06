#include "paper_tables.hpp"

#include "algprior/base/paths.hpp"
#include "algprior/base/table.hpp"
#include "algprior/paper/catalogue.hpp"
#include "algprior/paper/exploratory_table.hpp"
#include "algprior/paper/paper_table.hpp"
#include "algprior/paper/study_table.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace algprior {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

int list_paper(Context& context) {
  Table table({{"experiment"}, {"rows"}});
  Json list = Json::array();
  for (const PaperRow& row : paper_rows()) {
    if (list.empty() || list.back()["experiment"] != row.experiment()) {
      list.push_back({{"experiment", row.experiment()}, {"rows", Json::array()}});
    }
    list.back()["rows"].push_back(row.row);
  }
  if (context.terminal.json()) {
    context.terminal.print_json(list);
    return 0;
  }
  for (const Json& entry : list) {
    const auto rows = entry["rows"].get<std::vector<std::string>>();
    table.add_row({entry["experiment"], fmt::format("{}", fmt::join(rows, ", "))});
  }
  context.terminal.print(table.to_text(static_cast<std::size_t>(context.terminal.width())));
  return 0;
}

int show_paper_table(const PaperTableRequest& request, Context& context) {
  std::vector<std::filesystem::path> folders(request.folders.begin(), request.folders.end());
  if (folders.empty()) folders.emplace_back("results");
  folders.push_back(runs_folder());
  std::vector<std::string> passed_over;
  const std::vector<Result> results = find_results(folders, &passed_over);
  for (const std::string& file : passed_over) context.terminal.note("passed over " + file);
  const auto width = static_cast<std::size_t>(context.terminal.width());
  if (request.name == "exploratory") {
    const auto tables = make_exploratory_tables(results);
    if (context.terminal.json()) {
      context.terminal.print_json(Json::parse(to_json(tables)));
    } else {
      context.terminal.print(to_text(tables, request.markdown, width));
    }
    return 0;
  }
  const auto studies = study_names();
  if (std::find(studies.begin(), studies.end(), request.name) != studies.end()) {
    const StudyTable table = make_study_table(request.name, results);
    if (context.terminal.json()) {
      context.terminal.print_json(Json::parse(to_json(table)));
    } else {
      context.terminal.print(to_text(table, request.markdown, width));
    }
    return 0;
  }
  const PaperTable table = make_paper_table(request.name, results);
  if (context.terminal.json()) {
    context.terminal.print_json(Json::parse(to_json(table)));
  } else {
    context.terminal.print(to_text(table, request.markdown, width));
  }
  return 0;
}

}  // namespace algprior
