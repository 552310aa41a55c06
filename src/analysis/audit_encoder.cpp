#include "algprior/analysis/audit_encoder.hpp"

#include "algprior/analysis/orbits.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/memory.hpp"
#include "algprior/kernel/detail/translate.hpp"
#include "algprior/kernel/shape_text.hpp"
#include "algprior/nn/arrays.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <torch/types.h>

namespace algprior {
namespace {

// Orbits of so many samples tell the floor; more would change its third digit.
constexpr std::int64_t kFloorSamples = 128;

at::Tensor every_nth_coordinate(const at::Tensor& z, std::int64_t most) {
  const auto flat = z.flatten(1);
  if (flat.size(1) <= most) return flat;
  const auto places = (at::arange(most, at::kLong) * flat.size(1)).div(most, "floor");
  return flat.index_select(1, places.to(flat.device()));
}

at::Tensor encode_checked(const EncoderView& view, const at::Tensor& x) {
  const char* refusal = "the encoder refuses its input";
  if (!view.encode) throw InputError({refusal, "no encoder", "a function of samples", ""});
  const std::string shape = "shape " + shape_text(x);
  at::Tensor z;
  try {
    z = translated(refusal, shape, [&] { return view.encode(x); });
  } catch (const std::runtime_error& error) {  // some of LibTorch's checks throw this one
    throw InputError({refusal, shape, "samples of the shape that it was made for",
                      std::string("LibTorch says: ") + error.what()});
  }
  if (!z.defined() || z.dim() < 2 || z.size(0) != x.size(0) || !z.is_floating_point()) {
    throw InputError({"the encoder does not return one vector a sample",
                      fmt::format("{} for {} samples", shape_text(z), x.size(0)),
                      "N x d, or a grid N x C x H x W", "return the latent, with the batch first"});
  }
  return z;
}

// But for the number of samples.
void check_same_shape(const at::Tensor& first, const at::Tensor& z) {
  if (z.sizes().slice(1) == first.sizes().slice(1) && z.scalar_type() == first.scalar_type()) {
    return;
  }
  throw InputError({"the encoder returns now this shape, now that",
                    fmt::format("{} and {}", shape_text(first), shape_text(z)),
                    "one shape and type", "return the latent, with the batch first"});
}

void check_samples(const at::Tensor& x) {
  if (x.defined() && x.dim() >= 2 && x.numel() > 0 && !x.is_complex()) return;
  throw InputError(
      {"samples cannot be audited",
       x.defined() ? fmt::format("shape {}, type {}", shape_text(x), std::string(x.dtype().name()))
                   : std::string("no tensor"),
       "N x ... of real numbers, at least one", ""});
}

// 1 within the disc or ball inscribed in the last dimensions.
at::Tensor inscribed(const at::Tensor& x) {
  auto squares = at::zeros(x.sizes().slice(2), at::kDouble);
  for (std::int64_t k = 2; k < x.dim(); ++k) {
    const auto size = x.size(k);
    std::vector<std::int64_t> shape(static_cast<std::size_t>(x.dim() - 2), 1);
    shape[static_cast<std::size_t>(k - 2)] = size;
    const auto half = static_cast<double>(size) / 2.0;
    const auto place = (at::arange(size, at::kDouble) + 0.5 - half) / half;
    squares = squares + place.square().reshape(shape);
  }
  return squares.le(1.0).to(at::kDouble);
}

double mean_square(const at::Tensor& difference) {
  return difference.square().flatten(1).sum(1).mean().item<double>();
}

}  // namespace

AuditFloor measure_floor(const Action& action, const at::Tensor& samples) {
  check_samples(samples);
  const torch::NoGradGuard no_gradient;
  const Group& group = action.group();
  const auto x = samples.slice(0, 0, kFloorSamples);
  const auto exact = x.to(at::kDouble);
  const double chance = 2 * mean_square(exact - exact.mean(0, true));
  const bool image = x.dim() > 3;
  const auto mask = image ? inscribed(x) : at::Tensor();
  const double chance_inside = image ? 2 * mean_square((exact - exact.mean(0, true)) * mask) : 0;
  AuditFloor floor;
  double sum = 0, inside = 0;
  for (Element g = 1; g < group.order(); ++g) {
    const auto back = action(group.inverse(g), action(g, x));
    if (at::equal(back, x)) ++floor.exact;
    const auto off = back.to(at::kDouble) - exact;
    const double square = mean_square(off);
    sum += square;
    if (image) inside += mean_square(off * mask);
    floor.per_element.push_back({g, to_string(group.word(g), group.generator_names()),
                                 chance > 0 ? std::sqrt(square / chance) : 0.0});
  }
  const auto moves = static_cast<double>(std::max<std::size_t>(group.order() - 1, 1));
  floor.value = chance > 0 ? std::sqrt(sum / moves / chance) : 0.0;
  if (image && chance_inside > 0) floor.inside = std::sqrt(inside / moves / chance_inside);
  return floor;
}

AuditInputs measure_inputs(const Action& action, const at::Tensor& samples) {
  check_samples(samples);
  const torch::NoGradGuard no_gradient;
  const auto x = samples.slice(0, 0, kFloorSamples).to(at::kDouble);
  const auto norm = x.flatten(1).norm(2, 1);
  const auto there = norm > 0;
  AuditInputs inputs;
  double drift = 0;
  const Group& group = action.group();
  for (Element g = 1; g < group.order(); ++g) {
    const auto moved = action(g, x);
    inputs.unmoved += (moved == x).flatten(1).all(1).to(at::kDouble).mean().item<double>();
    const auto off = (moved.flatten(1).norm(2, 1) / norm - 1).masked_select(there);
    if (off.numel() > 0) drift += off.square().mean().item<double>();
  }
  const auto moves = static_cast<double>(std::max<std::size_t>(group.order() - 1, 1));
  inputs.unmoved /= moves;
  inputs.norm_drift = std::sqrt(drift / moves);
  return inputs;
}

AuditSubject embed_orbits(const EncoderView& view, const at::Tensor& x, const at::Tensor& labels,
                          const EmbedOptions& options) {
  check_samples(x);
  if (options.batch < 1 || options.most_coordinates < 1) {
    throw InputError(
        {"orbits cannot be embedded so",
         fmt::format("batches of {}, {} coordinates", options.batch, options.most_coordinates),
         "at least 1 of each", ""});
  }
  const torch::NoGradGuard no_gradient;
  const Group& group = view.input.group();
  const auto first = x.slice(0, 0, std::min<std::int64_t>(options.batch, x.size(0)));
  const auto once = encode_checked(view, first);
  std::vector<std::string> remarks;
  const auto twice = encode_checked(view, first);
  check_same_shape(once, twice);
  if (!at::allclose(once, twice, 1e-4, 1e-6)) {
    remarks.emplace_back(
        "E(x) differs between two calls on one input: dropout, or batch norm in training mode? "
        "Switch the encoder to evaluation");
  }
  if (view.pull_back && once.sizes() != first.sizes()) {
    throw InputError({"an output that is no input cannot be pulled back",
                      fmt::format("{} for {}", shape_text(once), shape_text(first)),
                      "a map between images of one size", "audit a latent layer"});
  }
  if (view.pull_back) {
    remarks.emplace_back(
        "z is g^-1 f(g*x), the output turned back: invariant means that the output is equivariant");
  } else if (once.dim() > 2) {
    remarks.push_back(fmt::format("the latent is a grid of {}: averaged over its positions",
                                  shape_text(once.sizes().slice(1))));
  }
  const auto flatten = [&](const at::Tensor& z) {
    return every_nth_coordinate(view.pull_back ? z : average_positions(z),
                                options.most_coordinates);
  };
  const auto width = flatten(once).size(1);
  check_memory(
      4.0 * static_cast<double>(x.size(0)) * static_cast<double>(group.order()) *
          static_cast<double>(width),
      "the embedded orbits",
      fmt::format("{} samples, {} elements, {} coordinates", x.size(0), group.order(), width));
  const auto z =
      at::empty({x.size(0), static_cast<std::int64_t>(group.order()), width}, at::kFloat);
  const auto total = static_cast<std::uint64_t>(x.size(0)) * group.order();
  std::uint64_t done = 0;
  for (std::int64_t begin = 0; begin < x.size(0); begin += options.batch) {
    const auto part = x.slice(0, begin, begin + options.batch);
    for (Element g = 0; g < group.order(); ++g) {
      auto encoded = encode_checked(view, view.input(g, part));
      check_same_shape(once, encoded);
      if (view.pull_back) encoded = view.input(group.inverse(g), encoded);
      z.slice(0, begin, begin + options.batch).select(1, g).copy_(flatten(encoded));
      done += static_cast<std::uint64_t>(part.size(0));
      report_progress(options.progress, done, total);
    }
  }
  io::NamedArrays arrays;
  arrays["z"] = to_array(z);
  if (labels.defined()) arrays["labels"] = to_array(labels);
  AuditSubject subject{AuditFile::from_arrays(std::move(arrays), "embedded orbits")};
  subject.group = group;
  subject.floor = measure_floor(view.input, x.cpu());
  subject.inputs = measure_inputs(view.input, x.cpu());
  subject.remarks = std::move(remarks);
  return subject;
}

std::vector<Eigen::MatrixXd> matrices_of(const Action& action, std::int64_t dimension,
                                         std::int64_t positions) {
  constexpr std::int64_t kMostAxes = 8;
  if (dimension < 1 || positions < 0 || positions > kMostAxes) {
    throw InputError({"an action has no such matrices",
                      fmt::format("dimension {}, {} spatial dimensions", dimension, positions),
                      fmt::format("a dimension of at least 1 and 0 to {} spatial ones", kMostAxes),
                      ""});
  }
  check_memory(8.0 * static_cast<double>(dimension) * static_cast<double>(dimension) *
                   static_cast<double>(action.group().order() + 2),
               "the matrices of an action", fmt::format("dimension {}", dimension));
  const torch::NoGradGuard no_gradient;
  std::vector<std::int64_t> shape{dimension, dimension};
  shape.insert(shape.end(), static_cast<std::size_t>(positions), 1);
  const auto basis = at::eye(dimension, at::kFloat).reshape(shape);
  std::vector<Eigen::MatrixXd> matrices;
  for (Element g = 0; g < action.group().order(); ++g) {
    // Row k is ρ(g)e_k: the transpose of the matrix.
    const auto moved = action(g, basis);
    if (moved.numel() != dimension * dimension) {
      throw InputError({"an action does not keep the shape of latents", action.name(),
                        fmt::format("{} coordinates", dimension), ""});
    }
    const auto rows = moved.reshape({dimension, dimension}).to(at::kCPU, at::kDouble);
    const auto flat = rows.contiguous();
    matrices.push_back(
        Eigen::Map<const Eigen::MatrixXd>(flat.data_ptr<double>(), dimension, dimension));
  }
  return matrices;
}

}  // namespace algprior
