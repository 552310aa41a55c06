#include "algprior/base/error.hpp"
#include "algprior/base/parallel.hpp"
#include "algprior/fluid/smoke.hpp"
#include "algprior/io/npy.hpp"
#include "algprior/io/torch_tensor.hpp"
#include "algprior/store/made.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>

namespace algprior::fluid {
namespace fs = std::filesystem;
namespace {

/// Steps of all simulations together, told to one listener by many threads.
class SharedProgress {
 public:
  SharedProgress(const ProgressSink& sink, std::uint64_t total) : sink_(sink), total_(total) {}

  void add(std::uint64_t steps) {
    const std::lock_guard guard(mutex_);
    done_ += steps;
    if (sink_) sink_(done_, total_);
  }

 private:
  const ProgressSink& sink_;
  std::uint64_t total_;
  std::uint64_t done_ = 0;
  std::mutex mutex_;
};

/// Another simulation failed; nobody sees this one.
struct Abandoned {};

[[noreturn]] void refuse_file(const fs::path& path, const std::string& what,
                              const std::string& expected) {
  throw FileError({what, path.string(), expected,
                   "make the data with `algprior data get smoke`, or fetch the published file"});
}

}  // namespace

void make_smoke(const fs::path& folder, const ProgressSink& progress, int last, int frames) {
  if (last < 1 || last > kSmokeSimulations || frames < 1) {
    throw InputError(
        {"wrong extent of the SMOKE data",
         std::to_string(last) + " simulations of " + std::to_string(frames) + " frames",
         "1 to 36 simulations, at least 1 frame", ""});
  }
  store::Making making(folder, "smoke",
                       {{"simulations", std::to_string(last)},
                        {"frames", std::to_string(frames)},
                        {"layout", "float32 [frame, component, y, x], lower faces"},
                        {"grid", "64x64"},
                        {"inflow", "radius 5, rate 1, at (32, 5), (59, 32), (32, 59), (5, 32)"},
                        {"force", "k times (0, 0.01), (-0.01, 0), (0, -0.011), (0.01, 0)"},
                        {"time_step", "1"},
                        {"solver", "PhiFlow 2.0.1, float32, pressure to 1e-5"}});
  const std::uint64_t steps = static_cast<std::uint64_t>(frames) + 1;
  SharedProgress shared(progress, steps * last);
  std::atomic<int> next{1};
  std::atomic<bool> failed{false};
  const auto make_one = [&](int k) {
    const std::string name = smoke_file_name(k);
    if (making.has(name)) return shared.add(steps);
    const io::Array array = simulate_smoke(k, frames, [&](std::uint64_t, std::uint64_t) {
      if (failed) throw Abandoned{};
      shared.add(1);
    });
    making.put(name, io::to_npy(array));
  };
  const auto make_some = [&](std::int64_t, std::int64_t) {
    try {
      for (int k = next++; k <= last && !failed; k = next++) make_one(k);
    } catch (const Abandoned&) {
    } catch (...) {
      failed = true;
      throw;
    }
  };
  // One range a thread; each takes the next simulation when it is free.
  parallel_for(std::min(thread_count(), last), make_some);
  making.finish();
}

io::Array read_smoke(const fs::path& path, int frames) {
  io::Array array = path.extension() == ".pt" ? io::read_torch_tensor(path) : io::read_npy(path);
  const Grid grid;
  const std::vector<std::int64_t> wanted = {frames, 2, grid.height, grid.width};
  if (array.dtype != io::Dtype::float32 || array.shape != wanted) {
    refuse_file(path, "this is no SMOKE simulation: " + to_text(array),
                io::to_text(io::Array{io::Dtype::float32, wanted, {}}));
  }
  const std::span<const float> numbers = io::view<float>(array);
  const std::size_t plane = static_cast<std::size_t>(grid.cells());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!std::isfinite(numbers[i])) {
      refuse_file(path, "a SMOKE simulation holds a number that is not finite", "finite numbers");
    }
    const bool of_u = i / plane % 2 == 0;
    const std::size_t along = of_u ? i % grid.width : i % plane / grid.width;
    if (along == 0 && numbers[i] != 0.0f) {
      refuse_file(path, "a SMOKE simulation flows through its walls",
                  "component 0 zero in column 0, component 1 zero in row 0");
    }
  }
  return array;
}

fs::path find_smoke_file(const fs::path& folder, int k) {
  smoke_flow(k);
  fs::path path = folder / smoke_file_name(k);
  std::error_code error;
  if (fs::is_regular_file(path, error)) return path;
  fs::path published = path;
  published.replace_extension(".pt");
  if (fs::is_regular_file(published, error)) return published;
  refuse_file(path, "a SMOKE simulation is missing", "this file, or its published .pt");
}

}  // namespace algprior::fluid
