#include "algprior/data/flows.hpp"

#include "algprior/action/latent.hpp"
#include "algprior/action/planar.hpp"
#include "algprior/action/sample.hpp"
#include "algprior/base/error.hpp"
#include "algprior/group/geometry.hpp"
#include "algprior/rep/constructions.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace algprior {
namespace {

constexpr std::int64_t kComponents = 2;

}  // namespace

Action velocity_action(const Group& c4, VectorSign sign) {
  const Action grid = planar_action(c4);
  const auto& matrices = orthogonal_matrices(c4);
  if (c4.generators().size() != 1 || c4.order() != 4) {
    throw InputError(
        {"velocities are turned by quarter turns", c4.name(), "C4", "take the group C4"});
  }
  const Eigen::MatrixXd turn = matrices->at(c4.generators()[0]);
  const auto plane =
      matrix_representation(c4, {sign == VectorSign::physical ? turn : Eigen::MatrixXd(-turn)});
  // One channel action for each number of frames that is met.
  struct Channels {
    std::mutex mutex;
    std::map<std::int64_t, Action> by_count;
  };
  const auto channels = std::make_shared<Channels>();
  return Action(
      c4, "action of C4 on velocities", 0.0,
      [grid, plane, channels](const at::Tensor& g, const at::Tensor& x) {
        if (x.dim() != 4 || x.size(1) % kComponents != 0) {
          throw InputError({"a tensor holds no velocities", fmt::format("{} axes", x.dim()),
                            "N x (2 frames) x H x W", ""});
        }
        const auto mix = [&] {
          const std::lock_guard lock(channels->mutex);
          const auto found = channels->by_count.find(x.size(1));
          if (found != channels->by_count.end()) return found->second;
          return channels->by_count.emplace(x.size(1), channel_action(plane, x.size(1)))
              .first->second;
        }();
        return mix(g, grid(g, x));
      });
}

Dataset make_flow_windows(std::string name, at::Tensor frames, const FlowWindows& windows,
                          const Action& action) {
  if (!frames.defined() || frames.dim() != 5 || frames.size(2) != kComponents ||
      windows.stride < 1 || windows.past < 1 || windows.future < 1) {
    throw InputError({"these are no frames of flows", name,
                      "simulations x frames x 2 x H x W, and windows of at least one frame", ""});
  }
  const std::int64_t length = frames.size(1);
  // Anything longer than a simulation leaves it, and sums of unchecked numbers could overflow.
  for (const std::int64_t part : {windows.last, windows.skip, windows.past, windows.future}) {
    if (part >= 0 && part <= length) continue;
    throw InputError({"a window leaves its simulation", fmt::format("{}: {} frames", name, part),
                      fmt::format("0 to {} frames", length), ""});
  }
  const std::int64_t last_frame = windows.last - 1 + windows.skip + windows.past + windows.future;
  if (windows.first < 0 || windows.last <= windows.first || last_frame > length) {
    throw InputError({"a window leaves its simulation",
                      fmt::format("{}: offsets {} to {} end at frame {}", name, windows.first,
                                  windows.last - 1, last_frame),
                      fmt::format("at most {} frames", length), ""});
  }
  for (const std::size_t simulation : windows.simulations) {
    if (static_cast<std::int64_t>(simulation) >= frames.size(0)) {
      throw InputError({"there is no such simulation", fmt::format("number {}", simulation),
                        fmt::format("0 to {}", frames.size(0) - 1), ""});
    }
  }
  const std::int64_t stride =
      std::min(windows.stride, length + 1);  // so that a sum cannot overflow
  std::vector<std::int64_t> starts;          // of each window among all frames
  for (const std::size_t simulation : windows.simulations) {
    for (std::int64_t t = windows.first; t < windows.last; t += stride) {
      starts.push_back(static_cast<std::int64_t>(simulation) * length + t + windows.skip);
    }
  }
  const auto all = frames.flatten(0, 1).contiguous();
  const auto first = at::tensor(starts, at::kLong);
  const std::int64_t span = windows.past + windows.future;
  return make_dataset(
      std::move(name), first.numel(),
      [all, first, span, past = windows.past, action](const at::Tensor& indices,
                                                      const RandomKey& key) {
        const auto which = first.index_select(0, indices).unsqueeze(1) + at::arange(span);
        const auto window =
            all.index_select(0, which.flatten())
                .view({indices.numel(), span * kComponents, all.size(2), all.size(3)});
        Batch batch;
        batch.x = window.narrow(1, 0, past * kComponents).contiguous();
        batch.y = window.narrow(1, past * kComponents, (span - past) * kComponents).contiguous();
        batch.g = sample_elements(action.group(), indices, key.purpose("pair"));
        batch.gx = action(batch.g, batch.x);
        batch.gy = action(batch.g, batch.y);
        return batch;
      });
}

at::Tensor advance_frames(const at::Tensor& x, const at::Tensor& output) {
  return at::cat({x.narrow(1, kComponents, x.size(1) - kComponents), output}, 1);
}

at::Tensor flow_frame(const at::Tensor& y, std::int64_t frame) {
  return y.narrow(1, frame * kComponents, kComponents);
}

}  // namespace algprior
