#include "rollout_pictures.hpp"

#include "algprior/base/file.hpp"
#include "algprior/data/flows.hpp"
#include "algprior/io/npy.hpp"
#include "algprior/nn/arrays.hpp"
#include "algprior/report/png.hpp"

#include <algorithm>

#include <ATen/ATen.h>

namespace algprior {
namespace {

constexpr std::int64_t kColumns = 5, kPixels = 3, kGap = 4;  // kPixels: of each side of a cell

// A field H×W stretched over the colours, as a block of the picture.
void paint(report::Picture& picture, const at::Tensor& field, std::int64_t top, std::int64_t left,
           report::ColourScale scale, double low, double high) {
  const at::Tensor values = field.to(at::kDouble).contiguous();
  const std::int64_t height = values.size(0), width = values.size(1);
  for (std::int64_t y = 0; y < height * kPixels; ++y) {
    for (std::int64_t x = 0; x < width * kPixels; ++x) {
      const double value = values.data_ptr<double>()[y / kPixels * width + x / kPixels];
      const auto colour = report::colour_at(scale, (value - low) / (high - low));
      const std::size_t at =
          static_cast<std::size_t>(top + y) * picture.width + static_cast<std::size_t>(left + x);
      std::copy(colour.begin(), colour.end(),
                picture.rgb.begin() + static_cast<std::ptrdiff_t>(3 * at));
    }
  }
}

// Truth and prediction on one scale, the error on its own, blue below 0 and red above.
std::string draw(const at::Tensor& truth, const at::Tensor& prediction, report::ColourScale scale) {
  const std::int64_t frames = truth.size(0), columns = std::min(kColumns, frames);
  const std::int64_t height = truth.size(1) * kPixels, width = truth.size(2) * kPixels;
  const at::Tensor error = prediction - truth;
  const auto largest = [](const at::Tensor& t) {
    return std::max(t.abs().max().item<double>(), 1e-12);
  };
  const double high = largest(truth), low = scale == report::ColourScale::kSigned ? -high : 0.0;
  report::Picture picture;
  picture.width = static_cast<std::size_t>(columns * (width + kGap) - kGap);
  picture.height = static_cast<std::size_t>(3 * (height + kGap) - kGap);
  picture.rgb.assign(3 * picture.width * picture.height, 255);
  for (std::int64_t column = 0; column < columns; ++column) {
    const std::int64_t frame = columns == 1 ? 0 : column * (frames - 1) / (columns - 1);
    const std::int64_t left = column * (width + kGap);
    paint(picture, truth[frame], 0, left, scale, low, high);
    paint(picture, prediction[frame], height + kGap, left, scale, low, high);
    paint(picture, error[frame], 2 * (height + kGap), left, report::ColourScale::kSigned,
          -largest(error), largest(error));
  }
  return report::to_png(picture);
}

}  // namespace

at::Tensor flow_speed(const at::Tensor& velocity) {
  // The upper faces of the last cells are walls.
  const at::Tensor u = at::constant_pad_nd(velocity.select(1, 0), {0, 1});
  const at::Tensor v = at::constant_pad_nd(velocity.select(1, 1), {0, 0, 0, 1});
  const std::int64_t height = velocity.size(2), width = velocity.size(3);
  const at::Tensor along_x = 0.5 * (u.narrow(2, 0, width) + u.narrow(2, 1, width));
  const at::Tensor along_y = 0.5 * (v.narrow(1, 0, height) + v.narrow(1, 1, height));
  return (along_x.square() + along_y.square()).sqrt();
}

at::Tensor flow_vorticity(const at::Tensor& velocity) {
  const at::Tensor u = velocity.select(1, 0), v = velocity.select(1, 1);
  const std::int64_t height = velocity.size(2), width = velocity.size(3);
  const at::Tensor dv = v.narrow(2, 1, width - 1) - v.narrow(2, 0, width - 1);
  const at::Tensor du = u.narrow(1, 1, height - 1) - u.narrow(1, 0, height - 1);
  const at::Tensor inside = dv.narrow(1, 1, height - 1) - du.narrow(2, 1, width - 1);
  return at::constant_pad_nd(inside, {1, 0, 1, 0});
}

void write_rollout(const std::filesystem::path& folder, const Predict& predict, const Dataset& data,
                   const RandomKey& key, std::int64_t frames) {
  const at::NoGradGuard no_gradient;
  const Batch batch = data.get(at::zeros({1}, at::kLong), key);
  std::vector<at::Tensor> truths, predictions;
  at::Tensor x = batch.x;
  for (std::int64_t frame = 0; frame < frames; ++frame) {
    predictions.push_back(predict(x));
    truths.push_back(flow_frame(batch.y, frame));
    x = advance_frames(x, predictions.back());
  }
  // Pictures have their first row on top, the box has y = 0 below.
  const at::Tensor truth = at::cat(truths), prediction = at::cat(predictions);
  const auto upright = [](const at::Tensor& field) { return field.flip({1}).contiguous(); };
  const at::Tensor speed = upright(flow_speed(truth)), predicted = upright(flow_speed(prediction));
  io::write_npz(folder / "rollout.npz",
                {{"truth", to_array(speed)}, {"prediction", to_array(predicted)}});
  write_file(folder / "rollout_speed.png", draw(speed, predicted, report::ColourScale::kMagnitude));
  write_file(folder / "rollout_vorticity.png",
             draw(upright(flow_vorticity(truth)), upright(flow_vorticity(prediction)),
                  report::ColourScale::kSigned));
}

}  // namespace algprior
