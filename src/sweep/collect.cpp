#include "algprior/sweep/collect.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/metric.hpp"
#include "algprior/base/table.hpp"
#include "algprior/paper/statistics.hpp"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>

namespace algprior::sweep {
namespace {

namespace fs = std::filesystem;

// The last lines of a file that may be long.
std::string end_of_file(const fs::path& file) {
  constexpr std::streamoff kBytes = 4000;
  constexpr std::size_t kLines = 8;
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  if (!in) return "";
  const std::streamoff size = in.tellg();
  in.seekg(std::max<std::streamoff>(0, size - kBytes));
  std::string text(std::istreambuf_iterator<char>(in), {});
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::size_t begin = text.size();
  for (std::size_t line = 0; line < kLines && begin != std::string::npos; ++line) {
    begin = begin == 0 ? std::string::npos : text.rfind('\n', begin - 1);
  }
  return begin == std::string::npos ? text : text.substr(begin + 1);
}

struct RowGroup {
  std::string experiment, row;
  std::vector<const Result*> results;
};

std::vector<RowGroup> grouped(const std::vector<Result>& results) {
  std::vector<RowGroup> groups;
  for (const Result& result : results) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const RowGroup& group) {
      return group.experiment == result.id.experiment() && group.row == result.id.changed_row();
    });
    if (same != groups.end()) {
      same->results.push_back(&result);
    } else {
      groups.push_back({result.id.experiment(), result.id.changed_row(), {&result}});
    }
  }
  return groups;
}

std::vector<double> values_of(const RowGroup& group, const std::string& metric) {
  std::vector<double> values;
  for (const Result* result : group.results) {
    const auto value = result->metrics.find(metric);
    if (value != result->metrics.end()) values.push_back(value->second);
  }
  return values;
}

std::string cell_of(const RowGroup& group, const RowGroup& first, const std::string& metric) {
  const std::vector<double> values = values_of(group, metric);
  if (values.empty()) return "–";
  const Summary summary = summarize(values);
  std::string text = fmt::format("{:.4g}", summary.mean);
  if (values.size() > 1) text += fmt::format(" ± {:.2g}", summary.deviation);
  const std::vector<double> base = values_of(first, metric);
  if (&group == &first || base.empty()) return text;
  const std::string stars = effect_stars(cohens_d(summary, summarize(base)));
  return stars.empty() ? text : text + " " + stars;
}

}  // namespace

fs::path log_file(const fs::path& sweep, std::size_t task) {
  return sweep / "logs" / fmt::format("{}.log", task);
}

Collection collect(const Manifest& manifest, const fs::path& sweep) {
  Collection collection;
  for (std::size_t i = 0; i < manifest.tasks.size(); ++i) {
    const Task& task = manifest.tasks[i];
    TaskStatus status = status_of(task);
    if (status.state == TaskState::finished) {
      try {
        collection.results.push_back(read_result(task.folder / "result.json"));
        continue;
      } catch (const Error& error) {
        status.state = TaskState::failed;
        status.message = error.what();
      }
    }
    collection.unfinished.push_back({i, task.name, status, end_of_file(log_file(sweep, i))});
  }
  return collection;
}

std::string summary_text(const std::vector<Result>& results) {
  const std::vector<RowGroup> groups = grouped(results);
  std::vector<std::vector<std::string>> layouts;  // rows with the same columns share a table
  for (const RowGroup& group : groups) {
    const auto& columns = group.results.front()->columns;
    if (std::find(layouts.begin(), layouts.end(), columns) == layouts.end()) {
      layouts.push_back(columns);
    }
  }
  std::string text;
  for (const auto& layout : layouts) {
    std::vector<Column> columns{{"experiment"}, {"row"}, {"runs", Align::kRight}};
    for (const std::string& name : layout) {
      const Metric* metric = find_metric(name);
      columns.push_back(
          {metric == nullptr || metric->title.empty() ? name : std::string(metric->title),
           Align::kRight});
    }
    Table table(columns);
    for (const RowGroup& group : groups) {
      if (group.results.front()->columns != layout) continue;
      const auto& first = *std::find_if(groups.begin(), groups.end(), [&](const RowGroup& other) {
        return other.experiment == group.experiment;
      });
      std::vector<std::string> cells{group.experiment, group.row,
                                     std::to_string(group.results.size())};
      for (const std::string& name : layout) cells.push_back(cell_of(group, first, name));
      table.add_row(cells);
    }
    text += table.to_text();
  }
  return text;
}

std::string unfinished_text(const std::vector<Unfinished>& unfinished) {
  std::string text;
  for (const Unfinished& run : unfinished) {
    text += fmt::format("{} {}: {}", run.task, run.name, to_string(run.status.state));
    if (!run.status.host.empty()) {
      text += fmt::format(" on {} (process {}{}{})", run.status.host, run.status.process,
                          run.status.job.empty() ? "" : ", job ", run.status.job);
    }
    text += "\n";
    if (!run.status.message.empty()) text += "  " + run.status.message + "\n";
    if (run.status.state == TaskState::waiting || run.log_end.empty()) continue;
    text += "  the end of its log:\n";
    for (std::size_t begin = 0; begin <= run.log_end.size();) {
      const std::size_t end = std::min(run.log_end.find('\n', begin), run.log_end.size());
      text += "    " + run.log_end.substr(begin, end - begin) + "\n";
      begin = end + 1;
    }
  }
  return text;
}

}  // namespace algprior::sweep
