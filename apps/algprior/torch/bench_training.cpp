// Whole training steps: by our kernels, by plain LibTorch, by Python, and the memory they take.

#include "algprior/base/error.hpp"
#include "bench_cases.hpp"
#include "processes.hpp"

#include <cmath>
#include <fstream>

#include <c10/core/CPUAllocator.h>
#include <nlohmann/json.hpp>
#include <torch/nn/module.h>
#include <torch/types.h>

namespace algprior {
namespace {

constexpr double kLossTolerance = 1e-4;
// After a step: ReLU takes values within rounding of 0 to either side, and Adam divides a gradient
// by its own size, so that small differences become whole steps. Over the six frames of smoke the
// second losses are 0.9 % apart, while both gradients are as far from those in double
// (docs/kernels.md).
constexpr double kSecondTolerance = 2e-2;

bool same_loss(double ours, double theirs, double tolerance = kLossTolerance) {
  return std::abs(ours - theirs) < tolerance * std::max(1.0, std::abs(theirs));
}

// A line of /proc/self/status in megabytes.
double status_megabytes(const std::string& key) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(key)) return std::stod(line.substr(key.size() + 1)) / 1024.0;
  return 0.0;
}

MakeStep step_named(const std::string& experiment) {
  if (experiment == "ddmnist") return ddmnist_step;
  if (experiment == "scnn") return scnn_step;
  if (experiment == "medmnist") return medmnist_step;
  if (experiment == "smoke") return smoke_step;
  throw InputError(
      {"no training step has this name", experiment, "ddmnist, scnn, medmnist or smoke", ""});
}

}  // namespace

void set_formula_weights(const Network& network) {
  const torch::NoGradGuard no_grad;
  network.module->train();
  std::size_t number = 0;
  for (const auto& item : network.module->named_parameters()) {
    const auto& parameter = item.value();
    if (parameter.dim() > 1) {
      const double scale = 1.0 / std::sqrt(static_cast<double>(parameter[0].numel()));
      const auto places = torch::arange(1, parameter.numel() + 1, at::kDouble);
      const auto values = scale * torch::sin(12.9898 * places + static_cast<double>(number));
      parameter.copy_(values.view(parameter.sizes()));
    } else if (item.key().ends_with(".bias")) {
      parameter.zero_();
    }
    ++number;
  }
}

BenchRow training_row(const BenchSettings& settings, Contest contest, MakeStep make) {
  const TrainingStep ours = make(Kernels::automatic), theirs = make(Kernels::torch);
  // Two steps: the second sees the optimizers' work.
  contest.agree = same_loss(ours(), theirs());
  contest.agree = same_loss(ours(), theirs(), kSecondTolerance) && contest.agree;
  return race(
      settings, contest, [&] { ours(); }, [&] { theirs(); });
}

std::optional<BenchRow> python_row(const BenchSettings& settings, Contest contest, MakeStep make,
                                   const char* script) {
  const auto python = find_python_with_torch();
  if (!python) return std::nullopt;
  const auto text = read_process({*python, "-", "--steps", std::to_string(settings.repetitions),
                                  "--threads", std::to_string(settings.threads)},
                                 script);
  const auto peer = nlohmann::json::parse(text.value_or(""), nullptr, false);
  if (!peer.is_object()) return std::nullopt;
  const TrainingStep ours = make(Kernels::automatic);
  contest.agree = same_loss(ours(), peer["loss"].get<double>());
  return race(
      settings, contest, [&] { ours(); }, peer["ms"].get<double>());
}

// Each contestant in a process of its own, because memory once taken is kept.
BenchRow memory_row(const BenchSettings& settings, const std::string& name,
                    const std::string& experiment) {
  const auto measure = [&](const std::string& kernels) {
    const auto text =
        read_process({"/proc/self/exe", "bench", "--memory-of", experiment + "/" + kernels,
                      "--threads", std::to_string(settings.threads)},
                     "");
    return nlohmann::json::parse(text.value_or("{}"));
  };
  const auto ours = measure("native"), theirs = measure("torch");
  BenchRow row{name, "LibTorch, batched"};
  row.memory = true;
  row.ours = ours.value("megabytes", 0.0);
  row.theirs = theirs.value("megabytes", 0.0);
  row.ratio = row.theirs / row.ours;
  row.agree = same_loss(ours.value("loss", 0.0), theirs.value("loss", 1.0));
  return row;
}

std::string step_memory(const std::string& what) {
  const std::size_t slash = what.find('/');
  const MakeStep make = step_named(what.substr(0, slash));
  const Kernels choice = to_kernels(slash == std::string::npos ? "native" : what.substr(slash + 1));
  // The peer has LibTorch's own memory, as it would without us.
  if (choice == Kernels::torch) c10::SetCPUAllocator(c10::GetDefaultCPUAllocator());
  const double before = status_megabytes("VmRSS");
  const TrainingStep step = make(choice);
  const double loss = step();
  std::vector<double> losses{loss};
  for (int i = 0; i < 2; ++i) losses.push_back(step());
  return nlohmann::json{
      {"loss", loss}, {"losses", losses}, {"megabytes", status_megabytes("VmHWM") - before}}
      .dump();
}

}  // namespace algprior
