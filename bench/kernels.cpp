// The kernels beside LibTorch and a Python script: answers first, then times, as ratios.
//
// bench_kernels [--json] [--scaling] [--threads N] [--repetitions N] [words of a case …]
// runs the cases whose names contain any of the words.

#include "algprior/kernel/kernels.hpp"

#include "algprior/base/parallel.hpp"
#include "torch/bench_cases.hpp"

#include <cstdlib>

#include <fmt/core.h>
#include <torch/torch.h>

int main(int count, char** arguments) {
  algprior::BenchSettings settings;
  settings.python_script = ALGPRIOR_STEP_SCRIPT;
  bool json = false;
  bool scaling = false;
  std::vector<std::string> words;
  for (int i = 1; i < count; ++i) {
    const std::string word = arguments[i];
    if (word == "--json")
      json = true;
    else if (word == "--scaling")
      scaling = true;
    else if (word == "--threads" && i + 1 < count)
      settings.threads = std::max(1, std::atoi(arguments[++i]));
    else if (word == "--repetitions" && i + 1 < count)
      settings.repetitions = std::max(1, std::atoi(arguments[++i]));
    else
      words.push_back(word);
  }
  torch::set_num_threads(settings.threads);
  algprior::set_thread_count(settings.threads);
  settings.fma_peak = algprior::measure_peak(settings.threads);
  if (!json)
    fmt::print("{}, {} threads, FMA peak {:.0f} GFLOPS\n", algprior::kernel_target(),
               settings.threads, settings.fma_peak);

  bool agree = true;
  std::vector<algprior::BenchRow> rows;
  for (const auto& entry : algprior::bench_cases(settings, scaling)) {
    bool wanted = words.empty();
    for (const auto& word : words) wanted = wanted || entry.name.find(word) != std::string::npos;
    if (!wanted) continue;
    const auto row = entry.run(settings);
    agree = agree && row.agree;
    rows.push_back(row);
    if (json) continue;
    fmt::print("{:44} {:30} {:9.2f} ms {:9.2f} ms {:7.2f}x", row.name, row.peer, row.ours_ms,
               row.peer_ms, row.ratio);
    if (row.gflops > 0) fmt::print(" {:6.1f} GFLOPS {:4.0f}%", row.gflops, 100 * row.peak_share);
    fmt::print("{}\n", row.agree ? "" : "  ANSWERS DIFFER");
    std::fflush(stdout);
  }
  if (json) fmt::print("{}\n", algprior::to_json(rows));
  return agree ? 0 : 1;
}
