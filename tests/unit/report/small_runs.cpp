#include "small_runs.hpp"

#include "algprior/base/file.hpp"

#include <fmt/format.h>

namespace algprior::report {

std::string metrics_text(int epochs, double accuracy) {
  std::string text;
  for (int epoch = 1; epoch <= epochs; ++epoch) {
    text += fmt::format(
        "{{\"step\":{0},\"epoch\":{1},\"split\":\"train\",\"terms\":{{\"task\":{2}}},\"metrics\":{{"
        "}}}}\n"
        "{{\"step\":{0},\"epoch\":{1},\"split\":\"validation\",\"terms\":{{}},\"metrics\":{{"
        "\"accuracy\":{3}}}}}\n",
        10 * epoch, epoch, 1.0 / epoch, accuracy * epoch / epochs);
  }
  return text;
}

std::filesystem::path write_small_run(const std::filesystem::path& runs, const SmallRun& run) {
  const auto folder = runs / run.experiment / run.row / std::to_string(run.seed);
  make_folder(folder);
  const std::size_t dash = run.experiment.find('-');
  write_file(
      folder / "config.toml",
      fmt::format("[experiment]\nfamily = \"{}\"\nvariant = \"{}\"\nrow = \"{}\"\nseed = {}\n"
                  "[data]\ngroup = \"{}\"\n[train]\nepochs = {}\n{}",
                  run.experiment.substr(0, dash), run.experiment.substr(dash + 1), run.row,
                  run.seed, run.group, run.epochs, run.extra_settings));
  write_file(folder / "metrics.jsonl", metrics_text(run.epochs, run.accuracy));
  if (!run.finished) return folder;
  Result result;
  result.id = make_run_id(run.experiment, run.row, static_cast<std::uint64_t>(run.seed));
  result.epochs = run.epochs;
  result.parameters = 100;
  result.metrics = {{"augmented_test_accuracy", run.accuracy},
                    {"latent_spread", 0.1},
                    {"equivariance_error", 0.5}};
  result.seconds = 12;
  result.threads = 1;
  result.kernels = "auto";
  result.commit = "0123456789ab";
  result.machine = {{"cpu", "a CPU"}};
  result.config_hash = fmt::format("{}-{}-{}", run.experiment, run.row, run.seed);
  write_result(folder / "result.json", result);
  return folder;
}

std::size_t count_of_text(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

}  // namespace algprior::report
