#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/io/npy.hpp"
#include "algprior/report/markup.hpp"
#include "figure_kinds.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace algprior::report {
namespace {

using Offers = std::vector<std::pair<std::string, std::string>>;

constexpr const char* kOrbitFile = "orbit.npz";
constexpr const char* kRolloutFile = "rollout.npz";
constexpr std::uint64_t kLargestImages = std::uint64_t{64} << 20;
constexpr std::int64_t kLargestSide = 512, kMostImages = 4096;

// A stack of images N×H×W (grey) or N×C×H×W with one or three channels, as numbers.
struct Stack {
  std::size_t count = 0, channels = 1, height = 0, width = 0;
  std::vector<double> values;
  double at(std::size_t n, std::size_t c, std::size_t y, std::size_t x) const {
    return values[((n * channels + c) * height + y) * width + x];
  }
};

Stack to_stack(const io::NamedArrays& arrays, const std::string& name, const std::string& file) {
  const auto refuse = [&](const std::string& found) {
    return FileError({"cannot read the images of a run", file + ": " + name + " " + found,
                      "an array N×H×W or N×C×H×W with one or three channels, sides up to 512",
                      "measure the run again"});
  };
  const auto entry = arrays.find(name);
  if (entry == arrays.end()) throw refuse("is missing");
  const auto& shape = entry->second.shape;
  if (shape.size() != 3 && shape.size() != 4) throw refuse("is " + io::to_text(entry->second));
  Stack stack;
  const std::int64_t channels = shape.size() == 4 ? shape[1] : 1;
  const std::int64_t height = shape[shape.size() - 2], width = shape[shape.size() - 1];
  if (shape[0] < 1 || shape[0] > kMostImages || (channels != 1 && channels != 3) || height < 1 ||
      width < 1 || height > kLargestSide || width > kLargestSide) {
    throw refuse("is " + io::to_text(entry->second));
  }
  stack.count = static_cast<std::size_t>(shape[0]);
  stack.channels = static_cast<std::size_t>(channels);
  stack.height = static_cast<std::size_t>(height);
  stack.width = static_cast<std::size_t>(width);
  stack.values = io::to_doubles(entry->second);
  return stack;
}

std::pair<double, double> range_of(const Stack& stack) {
  double low = INFINITY, high = -INFINITY;
  for (const double value : stack.values) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (!(low < high)) return {std::isfinite(low) ? low : 0, (std::isfinite(low) ? low : 0) + 1};
  return {low, high};
}

Picture to_picture(const Stack& stack, std::size_t n, ColourScale scale, double low, double high) {
  Picture picture{stack.width, stack.height, {}};
  picture.rgb.reserve(3 * stack.width * stack.height);
  for (std::size_t y = 0; y < stack.height; ++y) {
    for (std::size_t x = 0; x < stack.width; ++x) {
      std::array<std::uint8_t, 3> colour{};
      for (std::size_t c = 0; c < stack.channels; ++c) {
        const double share = (stack.at(n, c, y, x) - low) / (high - low);
        const auto shade = colour_at(scale, share);
        if (stack.channels == 1) {
          colour = shade;
        } else {
          colour[c] = shade[0];
        }
      }
      picture.rgb.insert(picture.rgb.end(), colour.begin(), colour.end());
    }
  }
  return picture;
}

Offers offer_orbit(const RunSet& set) {
  return offer_file(set, kOrbitFile, kOrbitFigure);
}

// orbit.npz: "input" g·x for each element g in the group's order, "decoded" D(ρ(g)E(x)), and, if it
// is there, "reconstructed" D(E(g·x)).
Figure make_orbit(std::string_view, const RunSet& set) {
  const Run& run = *first_with(set, kOrbitFile);
  const std::string file = (run.folder / kOrbitFile).string();
  const io::NamedArrays arrays = io::read_npz(run.folder / kOrbitFile, kLargestImages);
  const Stack input = to_stack(arrays, "input", file);
  const auto [low, high] = range_of(input);
  const std::size_t count = std::min<std::size_t>(input.count, 16);
  ImageGrid grid;
  grid.title = "Orbit of a sample, " + run.name();
  Figure figure;
  figure.title = "The orbit of a sample";
  figure.numbers.columns = {"element"};
  std::vector<Stack> stacks{input};
  grid.rows = {"g·x"};
  for (const auto& [name, label] :
       {std::pair{"reconstructed", "D(E(g·x))"}, std::pair{"decoded", "D(ρ(g)E(x))"}}) {
    if (std::string_view(name) == "reconstructed" && !arrays.contains(name)) continue;
    stacks.push_back(to_stack(arrays, name, file));
    const Stack& other = stacks.back();
    if (other.count != input.count || other.height != input.height || other.width != input.width ||
        other.channels != input.channels) {
      throw FileError({"cannot read the images of a run", file + ": " + name,
                       "the same shape as input", "measure the run again"});
    }
    grid.rows.push_back(label);
    figure.numbers.columns.push_back(fmt::format("mean square of {} − g·x", label));
  }
  std::vector<std::string> names;
  try {
    const Group group = make_group(run.setting("data.group"));
    for (Element g = 0; g < group.order() && g < input.count; ++g) {
      names.push_back(element_name(group, g));
    }
  } catch (const Error&) {  // elements by number
  }
  for (std::size_t n = names.size(); n < input.count; ++n) names.push_back(fmt::format("g{}", n));
  for (std::size_t n = 0; n < count; ++n) {
    grid.columns.push_back(names[n]);
    std::vector<std::string> row{names[n]};
    for (std::size_t s = 1; s < stacks.size(); ++s) {
      const std::size_t size = input.channels * input.height * input.width;
      double sum = 0;
      for (std::size_t i = n * size; i < (n + 1) * size; ++i) {
        sum += (stacks[s].values[i] - input.values[i]) * (stacks[s].values[i] - input.values[i]);
      }
      row.push_back(number_text(sum / static_cast<double>(size)));
    }
    figure.numbers.rows.push_back(std::move(row));
  }
  for (const Stack& stack : stacks) {
    auto& pictures = grid.pictures.emplace_back();
    for (std::size_t n = 0; n < count; ++n) {
      pictures.push_back(to_picture(stack, n, ColourScale::kGrey, low, high));
    }
  }
  figure.description = fmt::format(
      "Run {}: a sample moved by {} group elements (top), and what the decoder makes of the latent "
      "vector moved by ρ(g) (bottom). Equal rows mean an equivariant latent space.",
      run.name(), count);
  Svg svg;
  const double width = 96.0 * static_cast<double>(count) + 110 < kFigureWidth
                           ? 96.0 * static_cast<double>(count) + 110
                           : kFigureWidth;
  const double height = image_grid_height(grid, width - 16);
  draw_image_grid(svg, {8, 6, width - 16, height}, grid);
  return finish(std::move(figure), svg, std::max(width, 420.0), height + 10);
}

Offers offer_rollout(const RunSet& set) {
  return offer_file(set, kRolloutFile, kRolloutFigure);
}

// rollout.npz: "truth" and "prediction" T×H×W, time by time.
Figure make_rollout(std::string_view, const RunSet& set) {
  const Run& run = *first_with(set, kRolloutFile);
  const std::string file = (run.folder / kRolloutFile).string();
  const io::NamedArrays arrays = io::read_npz(run.folder / kRolloutFile, kLargestImages);
  const Stack truth = to_stack(arrays, "truth", file),
              prediction = to_stack(arrays, "prediction", file);
  if (truth.channels != 1 || prediction.values.size() != truth.values.size() ||
      prediction.height != truth.height || prediction.width != truth.width) {
    throw FileError({"cannot read a rollout", file, "truth and prediction of one shape T×H×W",
                     "measure the run again"});
  }
  const auto [low, high] = range_of(truth);
  Stack difference = truth;
  double largest = 0;
  Chart chart;
  chart.title = "Error over time";
  chart.x_label = "time step";
  chart.y_label = "root mean square";
  chart.logarithmic_y = false;
  ChartSeries error;
  error.name = "prediction";
  const std::size_t size = truth.height * truth.width;
  Figure figure;
  figure.numbers.columns = {"time step", "root mean square error"};
  for (std::size_t t = 0; t < truth.count; ++t) {
    double sum = 0;
    for (std::size_t i = t * size; i < (t + 1) * size; ++i) {
      difference.values[i] = prediction.values[i] - truth.values[i];
      sum += difference.values[i] * difference.values[i];
      if (std::isfinite(difference.values[i]))
        largest = std::max(largest, std::abs(difference.values[i]));
    }
    const double value = std::sqrt(sum / static_cast<double>(size));
    error.line.push_back({static_cast<double>(t + 1), value});
    if (figure.numbers.rows.size() < 200) {
      figure.numbers.rows.push_back({std::to_string(t + 1), number_text(value)});
    }
  }
  chart.series = {error};
  ImageGrid grid;
  grid.title = "Rollout, " + run.name();
  grid.rows = {"truth", "prediction", "difference"};
  grid.pictures.resize(3);
  const std::size_t shown = std::min<std::size_t>(6, truth.count);
  for (std::size_t k = 0; k < shown; ++k) {
    const std::size_t t = shown == 1 ? 0 : k * (truth.count - 1) / (shown - 1);
    grid.columns.push_back(fmt::format("t = {}", t + 1));
    grid.pictures[0].push_back(to_picture(truth, t, ColourScale::kMagnitude, low, high));
    grid.pictures[1].push_back(to_picture(prediction, t, ColourScale::kMagnitude, low, high));
    const double scale = largest > 0 ? largest : 1;
    grid.pictures[2].push_back(to_picture(difference, t, ColourScale::kSigned, -scale, scale));
  }
  figure.title = "A rollout beside the truth";
  figure.description = fmt::format(
      "Run {}: {} steps predicted from the network's own output. Top: the simulation; middle: the "
      "prediction on the same colours; bottom: their difference, red where the prediction is "
      "larger; "
      "below: the error at each step.",
      run.name(), truth.count);
  Svg svg;
  const double height = image_grid_height(grid, kFigureWidth - 16);
  draw_image_grid(svg, {8, 6, kFigureWidth - 16, height}, grid);
  draw_chart(svg, {8, height + 16, kFigureWidth - 16, 200}, chart);
  return finish(std::move(figure), svg, kFigureWidth, height + 222);
}

}  // namespace

const FigureKind kOrbitFigure = {"orbit", "The orbit of a sample", "orbit.npz in a run folder",
                                 offer_orbit, make_orbit};
const FigureKind kRolloutFigure = {"rollout", "A rollout beside the truth",
                                   "rollout.npz in a run folder", offer_rollout, make_rollout};

}  // namespace algprior::report
