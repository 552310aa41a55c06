#include "algprior/fluid/smoke.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/interrupt.hpp"
#include "algprior/base/memory.hpp"
#include "algprior/fluid/solver.hpp"

#include <string>

namespace algprior::fluid {
namespace {

/// Where the smoke enters and which way k pushes it.
struct Side {
  double x, y;
  double force_x, force_y;
};

constexpr Side kSides[] = {
    {32, 5, 0, 0.01}, {59, 32, -0.01, 0}, {32, 59, 0, -0.011}, {5, 32, 0.01, 0}};
constexpr double kInflowRadius = 5;

int side_of(int k) {
  return (k - 1) % 4;
}

}  // namespace

Flow smoke_flow(int k) {
  if (k < 1 || k > kSmokeSimulations) {
    throw InputError({"there is no such SMOKE simulation", std::to_string(k),
                      "1 to " + std::to_string(kSmokeSimulations), ""});
  }
  const Side& side = kSides[side_of(k)];
  Flow flow;
  flow.inflows = {{side.x, side.y, kInflowRadius, 1.0}};
  flow.force_x = side.force_x * k;
  flow.force_y = side.force_y * k;
  return flow;
}

std::string smoke_file_name(int k) {
  smoke_flow(k);  // throws for a k that is none
  return "raw_data_" + std::to_string(k) + "_" + std::to_string(side_of(k)) + ".npy";
}

std::size_t frame_size(const Grid& grid) {
  return 2 * static_cast<std::size_t>(grid.cells());
}

void write_frame(const State<float>& state, std::span<float> out) {
  check_sizes(state);
  const auto [width, height] = state.grid;
  if (out.size() != frame_size(state.grid)) {
    throw InputError({"a frame does not fit its place", std::to_string(out.size()) + " numbers",
                      std::to_string(frame_size(state.grid)), ""});
  }
  float* u = out.data();
  float* v = u + state.grid.cells();
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      *u++ = state.u[state.u_at(x, y)];
      *v++ = state.v[state.v_at(x, y)];
    }
  }
}

io::Array simulate_smoke(int k, int frames, const ProgressSink& progress) {
  const Flow flow = smoke_flow(k);
  if (frames < 1) {
    throw InputError({"wrong number of frames", std::to_string(frames), "at least 1", ""});
  }
  const double bytes = sizeof(float) * static_cast<double>(frame_size(flow.grid)) * frames;
  check_memory(bytes, "a SMOKE simulation", std::to_string(frames) + " frames");
  PublishedSolver solver(flow);
  State<float> state = resting_state<float>(flow.grid);
  const std::size_t size = frame_size(flow.grid);
  io::Array array{io::Dtype::float32, {frames, 2, flow.grid.height, flow.grid.width}, {}};
  array.bytes.resize(static_cast<std::size_t>(frames) * size * sizeof(float));
  const std::span<float> numbers = io::mutable_view<float>(array);
  for (std::int64_t step = 0; step <= frames; ++step) {
    throw_if_stopped();
    solver.step(state);
    if (step > 0)
      write_frame(state, numbers.subspan(static_cast<std::size_t>(step - 1) * size, size));
    if (progress)
      progress(static_cast<std::uint64_t>(step) + 1, static_cast<std::uint64_t>(frames) + 1);
  }
  return array;
}

}  // namespace algprior::fluid
