// How long ranks of this host take to sum gradients over loopback: time against size, from which
// docs/cluster.md reckons. Checks the sums first. With an experiment file: seconds a step of one
// process and of the ranks, one thread each, the share of them in which a rank waits for sums (or
// for a slower rank), and the processor time.
//
//   build/release/bench/bench_ranks [ranks [file.toml [steps]]]
#include "algprior/base/error.hpp"
#include "algprior/experiment/recipe.hpp"
#include "algprior/ranks/world.hpp"
#include "algprior/toml/read_config.hpp"
#include "algprior/train/trainer.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

double milliseconds_of_a_sum(const algprior::World& world, const at::Tensor& values) {
  const auto start = std::chrono::steady_clock::now();
  world.sum(values);
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

void measure_sums(const algprior::World& world) {
  for (const std::int64_t count : {1, 1'000, 10'000, 100'000, 1'000'000, 4'000'000}) {
    const auto check = at::full({count}, world.rank() + 1.0F);
    world.sum(check);
    const float expected = 0.5F * static_cast<float>(world.size() * (world.size() + 1));
    if (!check.eq(expected).all().item<bool>()) {
      throw algprior::Error({"a sum is wrong", fmt::format("{} floats", count), "", ""});
    }
    const auto values = at::zeros({count});
    std::vector<double> times;
    for (int i = 0; i < 20; ++i) times.push_back(milliseconds_of_a_sum(world, values));
    std::sort(times.begin(), times.end());
    if (!world.leads()) continue;
    const double bytes = 4.0 * static_cast<double>(count);
    fmt::print("{:>8} floats  fastest {:8.3f} ms  median {:8.3f} ms  {:7.0f} MB/s\n", count,
               times.front(), times[times.size() / 2], bytes / times.front() * 1e-3);
  }
}

void measure_steps(const algprior::World& world, const std::string& file, std::int64_t steps) {
  using namespace algprior;
  const WorldScope scope(world);
  const Experiment experiment = make_experiment(config::read_config(experiment_schema(), file, {}));
  const Training& training = experiment.training.value();
  TrainerOptions options = training.options;
  options.epochs = 1;
  Dataset data = training.data;
  data.size = std::min(data.size, steps * options.batch_size);
  Trainer trainer(experiment.network, training.step, data, {}, options);
  const std::clock_t begun = std::clock();  // processor time, which other programs do not change
  const TrainingResult result = trainer.run();
  const auto used =
      at::full({1}, static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC, at::kDouble);
  world.sum(used);
  if (!world.leads()) return;
  const auto steps_done = static_cast<double>(result.steps);
  fmt::print(
      "{} rank{}  {} steps  {:7.3f} s a step, {:5.1f} % of it waiting for sums; "
      "{:7.3f} processor seconds of all ranks\n",
      world.size(), world.size() == 1 ? " " : "s", result.steps, result.step_seconds / steps_done,
      100.0 * result.waited_seconds / result.step_seconds, used.item<double>() / steps_done);
}

// Whether all ranks did their work.
bool run_ranks(int ranks, const std::function<void(const algprior::World&)>& work) {
  const int port = 20000 + getpid() % 20000 + ranks;
  for (int rank = 0; rank < ranks; ++rank) {
    if (fork() != 0) continue;
    int code = 0;
    try {
      at::set_num_threads(1);
      work(algprior::World(
          {.rank = rank, .size = ranks, .address = "127.0.0.1", .port = port, .timeout = 60}));
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      code = 1;
    }
    std::fflush(stdout);
    _exit(code);
  }
  bool good = true;
  for (int status = 0; wait(&status) > 0;) good = good && status == 0;
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  const int ranks = argc > 1 ? std::max(2, std::atoi(argv[1])) : 2;
  if (argc < 3) return run_ranks(ranks, measure_sums) ? 0 : 1;
  const std::int64_t steps = argc > 3 ? std::max(1, std::atoi(argv[3])) : 10;
  const auto work = [&](const algprior::World& world) { measure_steps(world, argv[2], steps); };
  return run_ranks(1, work) && run_ranks(ranks, work) ? 0 : 1;
}
