#include "bench_cases.hpp"

#include "algprior/base/interrupt.hpp"
#include "algprior/base/parallel.hpp"
#include "algprior/kernel/detail/peak.hpp"

#include <algorithm>
#include <chrono>

#include <torch/types.h>

namespace algprior {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double time_of(const std::function<void()>& work) {
  throw_if_stopped();
  const auto start = Clock::now();
  work();
  return milliseconds_since(start);
}

// Slow cases get fewer repetitions, so that the whole list ends in a minute or two.
constexpr double kEnoughMilliseconds = 4000.0;

void finish(BenchRow& row, const BenchSettings& settings, double flops) {
  row.ratio = row.theirs / row.ours;
  row.gflops = flops * 1e-6 / row.ours;
  if (settings.fma_peak > 0.0) row.peak_share = row.gflops / settings.fma_peak;
}

}  // namespace

double measure_peak(int threads) {
  std::vector<double> peaks(static_cast<std::size_t>(threads));
  parallel_for(threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) peaks[i] = fma_peak();
  });
  double total = 0.0;
  for (const double peak : peaks) total += peak;
  return total;
}

bool same_up_to(const at::Tensor& ours, const at::Tensor& theirs, double tolerance) {
  const double largest = theirs.abs().max().item<double>();
  return (ours - theirs).abs().max().item<double>() <= tolerance * largest;
}

BenchRow race(const BenchSettings& settings, const Contest& contest,
              const std::function<void()>& ours, const std::function<void()>& theirs) {
  BenchRow row{contest.name, contest.peer};
  row.agree = contest.agree;
  // The first turn warms caches and memory up; it counts only where it is the fastest.
  const auto start = Clock::now();
  row.ours = time_of(ours);
  row.theirs = time_of(theirs);
  for (int i = 0; i < settings.repetitions; ++i) {
    if (i > 0 && milliseconds_since(start) > kEnoughMilliseconds) break;
    row.ours = std::min(row.ours, time_of(ours));
    row.theirs = std::min(row.theirs, time_of(theirs));
  }
  finish(row, settings, contest.flops);
  return row;
}

BenchRow race(const BenchSettings& settings, const Contest& contest,
              const std::function<void()>& ours, double peer_ms) {
  BenchRow row{contest.name, contest.peer};
  row.agree = contest.agree;
  row.ours = time_of(ours);
  row.theirs = peer_ms;
  for (int i = 0; i < settings.repetitions; ++i) row.ours = std::min(row.ours, time_of(ours));
  finish(row, settings, contest.flops);
  return row;
}

std::vector<BenchCase> bench_cases(int threads, bool scaling) {
  std::vector<BenchCase> all;
  const auto add = [&all](std::vector<BenchCase> cases) {
    all.insert(all.end(), cases.begin(), cases.end());
  };
  add(step_cases());
  add(volume_cases());
  add(smoke_cases());
  add(network_cases());
  add(layer_cases());
  add(planar_cases());
  if (scaling) add(scaling_cases(threads));
  return all;
}

}  // namespace algprior
