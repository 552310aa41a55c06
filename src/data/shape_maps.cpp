#include "algprior/action/sample.hpp"
#include "algprior/base/error.hpp"
#include "algprior/data/shapes.hpp"
#include "algprior/mesh/raster.hpp"

#include <algorithm>
#include <span>

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace algprior {
namespace {

constexpr double kOwnMap = 0.2;  // the probability that the first of a pair is the shape's own map

/// What every batch of a data set needs.
struct MapMaker {
  ShapeList shapes;
  std::vector<mesh::Point> directions;
  std::vector<std::int64_t> sample_shape;  // C×grid
  std::vector<float> low, scale;           // of each channel: x ↦ clip((x − low)·scale, 0, 1)

  void write(std::int64_t shape, std::int64_t map, float* out) const {
    const LabelledShape& one = (*shapes)[static_cast<std::size_t>(shape)];
    const std::size_t cells = directions.size();
    const std::span values(out, low.size() * cells);
    mesh::sample_on_sphere(one.shape.map(static_cast<std::size_t>(map)), one.shape.faces,
                           one.neighbours, one.shape.signal, directions, values);
    for (std::size_t channel = 0; channel < low.size(); ++channel) {
      float* value = out + channel * cells;
      for (std::size_t i = 0; i < cells; ++i) {
        value[i] = 2.0F * std::clamp((value[i] - low[channel]) * scale[channel], 0.0F, 1.0F) - 1.0F;
      }
    }
  }

  at::Tensor maps(const std::vector<std::int64_t>& which,
                  const std::vector<std::int64_t>& map) const {
    std::vector<std::int64_t> shape{static_cast<std::int64_t>(which.size())};
    shape.insert(shape.end(), sample_shape.begin(), sample_shape.end());
    const auto x = at::empty(shape, at::kFloat);
    const std::int64_t one = which.empty() ? 0 : x.numel() / x.size(0);
    for (std::size_t n = 0; n < which.size(); ++n) {
      write(which[n], map[n], x.data_ptr<float>() + static_cast<std::int64_t>(n) * one);
    }
    return x;
  }
};

std::int64_t draw_map(RandomStream& random, std::int64_t maps) {
  if (maps == 1 || random.coin(kOwnMap)) return 0;
  return 1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(maps - 1)));
}

void check_maps(const std::string& name, const ShapeList& shapes, const ShapeMapOptions& options) {
  if (!shapes || shapes->empty() || options.maps < 1 || options.stride < 1) {
    throw InputError(
        {"a data set of maps is empty", name, "at least one shape, one map and a stride of 1", ""});
  }
  for (const LabelledShape& one : *shapes) {
    if (static_cast<std::int64_t>(one.shape.maps()) >= options.maps) continue;
    throw InputError({"a shape has fewer maps than asked for",
                      fmt::format("{}: {} maps", name, one.shape.maps()),
                      fmt::format("{} of each shape", options.maps),
                      "ask for fewer, or prepare the shapes with more copies"});
  }
}

}  // namespace

Dataset make_shape_maps(std::string name, const ShapeSplits& splits, const ShapeList& shapes,
                        const mesh::SphereGrid& grid, const Action& action,
                        const ShapeMapOptions& options) {
  check_maps(name, shapes, options);
  MapMaker maker{shapes, mesh::grid_directions(grid), grid.shape(), {}, {}};
  const auto& statistics = splits.normalisation;
  maker.sample_shape.insert(maker.sample_shape.begin(), statistics.mean.size());
  for (Eigen::Index channel = 0; channel < statistics.mean.size(); ++channel) {
    const double deviation = statistics.deviation[channel];
    maker.low.push_back(static_cast<float>(statistics.mean[channel] - 2.5 * deviation));
    maker.scale.push_back(deviation > 0.0 ? static_cast<float>(1.0 / (5.0 * deviation)) : 0.0F);
  }
  const auto count = static_cast<std::int64_t>(shapes->size());
  const std::int64_t each = options.drawn ? options.maps : (options.maps - 1) / options.stride + 1;
  return make_dataset(
      std::move(name), count * each,
      [maker = std::move(maker), action, options, count, each](const at::Tensor& indices,
                                                               const RandomKey& key) {
        std::vector<std::int64_t> which, first, second;
        const auto batch_indices = indices.contiguous();
        const auto* index = batch_indices.data_ptr<std::int64_t>();
        Batch batch;
        batch.y = at::empty({indices.numel()}, at::kLong);
        for (std::int64_t n = 0; n < indices.numel(); ++n) {
          RandomStream random(key.purpose("maps").sample(static_cast<std::uint64_t>(index[n])));
          which.push_back(options.drawn ? index[n] % count : index[n] / each);
          first.push_back(options.drawn ? draw_map(random, options.maps)
                                        : index[n] % each * options.stride);
          second.push_back(
              static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(options.maps))));
          batch.y.data_ptr<std::int64_t>()[n] =
              (*maker.shapes)[static_cast<std::size_t>(which.back())].label;
        }
        batch.x = maker.maps(which, first);
        if (options.partner_maps) {
          batch.g = at::full({indices.numel()}, std::int64_t{Group::identity()}, at::kLong);
          batch.gx = maker.maps(which, second);
        } else {
          batch.g = sample_elements(action.group(), indices, key.purpose("pair"));
          batch.gx = action(batch.g, batch.x);
        }
        batch.gy = batch.y;
        return batch;
      });
}

}  // namespace algprior
