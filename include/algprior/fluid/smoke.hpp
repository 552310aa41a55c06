#pragma once

#include "algprior/base/progress.hpp"
#include "algprior/fluid/flow.hpp"
#include "algprior/fluid/state.hpp"
#include "algprior/io/array.hpp"

#include <filesystem>
#include <span>
#include <string>

namespace algprior::fluid {

/// SMOKE (Wang, Walters and Yu 2022): plumes in a closed box of 64 × 64 cells, each driven from the
/// middle of one side. Simulation k = 1..36 enters from below, the right, above or the left (j = (k
/// − 1) mod 4) and is pushed to the other side by 0.01·k, but 0.011·k from above.
inline constexpr int kSmokeSimulations = 36;
/// 310 steps from rest, of which the first is dropped.
inline constexpr int kSmokeFrames = 309;

/// Throws InputError unless 1 ≤ k ≤ 36.
Flow smoke_flow(int k);

/// "raw_data_7_2.npy": the published name with another ending.
std::string smoke_file_name(int k);

/// The numbers of one frame: 2 · width · height.
std::size_t frame_size(const Grid& grid);

/// A frame [component, y, x] as published: component 0 is u at the lower x-face of each cell,
/// component 1 is v at its lower y-face; the upper walls are cut off.
void write_frame(const State<float>& state, std::span<float> out);

/// float32 [frames, 2, 64, 64], byte for byte what the published generator makes. Half a second for
/// all frames. `progress` counts steps. Throws Interrupted when a stop is asked for.
io::Array simulate_smoke(int k, int frames = kSmokeFrames, const ProgressSink& progress = {});

/// Writes simulations 1..last as NPY files with a manifest (store/made.hpp) on thread_count()
/// threads; goes on where an earlier call stopped. `progress` counts steps of all simulations and
/// may be called from any thread, one at a time.
void make_smoke(const std::filesystem::path& folder, const ProgressSink& progress = {},
                int last = kSmokeSimulations, int frames = kSmokeFrames);

/// One simulation from a file of make_smoke or a published .pt file. Throws FileError unless it is
/// finite float32 [frames, 2, 64, 64] with closed walls in row and column 0.
io::Array read_smoke(const std::filesystem::path& path, int frames = kSmokeFrames);

/// The file of simulation k in a folder: ours, else the published .pt. Throws FileError.
std::filesystem::path find_smoke_file(const std::filesystem::path& folder, int k);

}  // namespace algprior::fluid
