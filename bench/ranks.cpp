// How long ranks of this host take to sum gradients over loopback: time against size, from which
// docs/cluster.md reckons. Checks the sums first.
//
//   build/release/bench/bench_ranks [ranks]
#include "algprior/base/error.hpp"
#include "algprior/ranks/world.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <ATen/ATen.h>
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

int measure(const algprior::RankPlace& place) try {
  at::set_num_threads(1);
  const algprior::World world(place);
  for (const std::int64_t count : {1, 1'000, 10'000, 100'000, 1'000'000, 4'000'000}) {
    const auto check = at::full({count}, world.rank() + 1.0F);
    world.sum(check);
    const float expected = 0.5F * static_cast<float>(world.size() * (world.size() + 1));
    if (!check.eq(expected).all().item<bool>()) return 1;
    const auto values = at::zeros({count});
    std::vector<double> times;
    for (int i = 0; i < 20; ++i) times.push_back(milliseconds_of_a_sum(world, values));
    std::sort(times.begin(), times.end());
    if (!world.leads()) continue;
    const double bytes = 4.0 * static_cast<double>(count);
    fmt::print("{:>8} floats  fastest {:8.3f} ms  median {:8.3f} ms  {:7.0f} MB/s\n", count,
               times.front(), times[times.size() / 2], bytes / times.front() * 1e-3);
  }
  return 0;
} catch (const algprior::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const int ranks = argc > 1 ? std::max(2, std::atoi(argv[1])) : 2;
  const int port = 20000 + getpid() % 20000;
  for (int rank = 0; rank < ranks; ++rank) {
    if (fork() == 0) {
      const int code = measure(
          {.rank = rank, .size = ranks, .address = "127.0.0.1", .port = port, .timeout = 60});
      std::fflush(stdout);
      _exit(code);
    }
  }
  int failures = 0;
  for (int status = 0; wait(&status) > 0;) failures += status == 0 ? 0 : 1;
  return failures == 0 ? 0 : 1;
}
