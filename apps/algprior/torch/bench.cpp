#include "algprior/base/error.hpp"
#include "algprior/base/table.hpp"
#include "algprior/kernel/kernels.hpp"
#include "bench_cases.hpp"
#include "entries.hpp"
#include "exit_codes.hpp"
#include "progress_bar.hpp"

#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace algprior {
namespace {

using Json = nlohmann::ordered_json;

// The cases whose names contain any of the words; all of them without words.
std::vector<BenchCase> chosen_cases(const BenchRequest& request, int threads) {
  const auto all = bench_cases(threads, request.scaling);
  if (request.words.empty()) return all;
  std::vector<BenchCase> chosen;
  for (const auto& entry : all)
    for (const auto& word : request.words)
      if (entry.name.find(word) != std::string::npos) {
        chosen.push_back(entry);
        break;
      }
  if (chosen.empty())
    throw InputError({"no case has such a name", fmt::format("\"{}\"", request.words.front()),
                      "a part of a case's name", "see them with algprior bench --list"});
  return chosen;
}

Json to_json(const std::vector<BenchRow>& rows) {
  const auto or_null = [](bool known, double value) { return known ? Json(value) : Json(nullptr); };
  Json list = Json::array();
  for (const auto& row : rows)
    list.push_back({{"case", row.name},
                    {"peer", row.peer},
                    {"ours_ms", or_null(!row.memory, row.ours)},
                    {"peer_ms", or_null(!row.memory, row.theirs)},
                    {"ratio", row.ratio},
                    {"gflops", or_null(row.gflops > 0.0, row.gflops)},
                    {"peak_share", or_null(row.gflops > 0.0, row.peak_share)},
                    {"agree", row.agree}});
  return list;
}

std::string to_text(const std::vector<BenchRow>& rows, const Terminal& terminal) {
  Table table({{"case"},
               {"peer", Align::kLeft, 4},
               {"ours", Align::kRight, 1},
               {"peer's", Align::kRight, 2},
               {"ratio", Align::kRight},
               {"GFLOPS", Align::kRight, 3},
               {"of peak", Align::kRight, 1},
               {"agree"}});
  for (const auto& row : rows) {
    const auto amount = [&](double value) {
      return row.memory ? fmt::format("{:.0f} MB", value) : fmt::format("{:.2f} ms", value);
    };
    const bool counted = row.gflops > 0.0;
    table.add_row({row.name, row.peer, amount(row.ours), amount(row.theirs),
                   fmt::format("{:.1f}x", row.ratio),
                   counted ? fmt::format("{:.0f}", row.gflops) : "",
                   counted ? fmt::format("{:.0f} %", 100.0 * row.peak_share) : "",
                   row.agree ? "yes" : terminal.styled(Style::kBad, "NO")});
  }
  return table.to_text(static_cast<std::size_t>(terminal.width()));
}

// The FMA peak for each number of threads, measured when first asked for.
class Peaks {
 public:
  double at(int threads) {
    const auto [found, fresh] = peaks_.emplace(threads, 0.0);
    if (fresh) found->second = measure_peak(threads);
    return found->second;
  }

 private:
  std::map<int, double> peaks_;
};

}  // namespace

int run_bench(const BenchRequest& request, Context& context) {
  auto& terminal = context.terminal;
  if (!request.memory_of.empty()) {
    terminal.print(step_memory(request.memory_of) + "\n");
    return kExitSuccess;
  }
  const auto cases = chosen_cases(request, context.threads);
  if (request.list) {
    for (const auto& entry : cases) terminal.print(entry.name + "\n");
    return kExitSuccess;
  }
  Peaks peaks;
  std::vector<BenchRow> rows;
  bool agree = true;
  {
    ProgressBar bar(terminal, "bench", "cases");
    for (std::size_t i = 0; i < cases.size(); ++i) {
      bar.update(i, cases.size());
      const int threads = cases[i].threads > 0 ? cases[i].threads : context.threads;
      set_threads(threads);
      const auto row = cases[i].run({threads, request.repetitions, peaks.at(threads)});
      if (!row) {
        terminal.note(cases[i].name + ": left out, no python3 with torch was found");
        continue;
      }
      agree = agree && row->agree;
      rows.push_back(*row);
    }
    bar.update(cases.size(), cases.size());
  }
  set_threads(context.threads);
  if (terminal.json()) {
    terminal.print_json(to_json(rows));
  } else {
    terminal.print(fmt::format("{}, {} threads, FMA peak {:.0f} GFLOPS\n\n{}", kernel_target(),
                               context.threads, peaks.at(context.threads),
                               to_text(rows, terminal)));
  }
  if (agree) return kExitSuccess;
  terminal.note("the answers of a case differ: its times mean nothing");
  return kExitFailure;
}

}  // namespace algprior
