// What a run leaves for figures and for TensorBoard beside its numbers.
#include "algprior/analysis/equivariance.hpp"
#include "algprior/base/file.hpp"
#include "algprior/io/event_file.hpp"
#include "algprior/io/npy.hpp"
#include "algprior/nn/arrays.hpp"
#include "algprior/report/png.hpp"
#include "algprior/train/evaluate.hpp"
#include "measure.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <torch/nn/module.h>
#include <torch/types.h>

namespace algprior {
namespace {

// A picture of 16 elements is as wide as a page; more would be stamps.
constexpr std::int64_t kMostElements = 64;

// ρ_Z of layer 0: the prior's, the learned one, or none.
std::optional<Action> latent_action_of(const Assembled& all) {
  if (all.learned) return all.learned->representation()->action();
  for (const LatentTarget& target : all.latents) {
    if (target.layer == 0) return target.action;
  }
  return std::nullopt;
}

struct OrbitImages {
  at::Tensor input, reconstructed, decoded;  // one image for each element
};

// Of a network whose decoder makes images again, and a row that has a ρ_Z.
std::optional<OrbitImages> orbit_images(const Assembled& all) {
  const Parts& parts = all.parts;
  const Network& network = parts.network;
  const auto latent = latent_action_of(all);
  const auto order = static_cast<std::int64_t>(parts.data.group.order());
  if (!latent || !network.decode || !parts.task.of_input || order > kMostElements) {
    return std::nullopt;
  }
  const ModeScope evaluation(network, Mode::evaluation);
  const torch::NoGradGuard no_gradient;
  const Dataset& data = parts.data.input && parts.data.upright_test ? *parts.data.upright_test
                                                                    : parts.data.tests.at(0).data;
  const Batch batch = to_device(data.get(torch::arange(1), all.key("orbit")), device_of(network));
  if (batch.x.dim() != 4) return std::nullopt;
  const auto elements = torch::arange(order, torch::kLong).to(batch.x.device());
  OrbitImages images;
  if (parts.data.input) {
    const auto copies = batch.x.expand({order, -1, -1, -1}).contiguous();
    images.input = (*parts.data.input)(elements, copies);
  } else if (order == 2 && batch.paired()) {
    images.input = torch::cat({batch.x, batch.gx});
  } else {
    return std::nullopt;
  }
  const auto z = encode(network, images.input);
  images.reconstructed = network.decode(z, 0);
  // Element 0 is the identity: row 0 of z is E(x).
  const auto first = z.slice(0, 0, 1);
  std::vector<std::int64_t> shape(static_cast<std::size_t>(z.dim()), -1);
  shape[0] = order;
  images.decoded = network.decode((*latent)(elements, first.expand(shape).contiguous()), 0);
  const auto channels = images.input.size(1);
  const bool drawable = images.input.dim() == 4 && (channels == 1 || channels == 3) &&
                        images.decoded.sizes() == images.input.sizes();
  return drawable ? std::optional(images) : std::nullopt;
}

// Elements side by side, one row each for g·x, D(E(g·x)) and D(ρ(g)E(x)).
report::Picture to_sheet(const OrbitImages& images) {
  std::vector<at::Tensor> rows;
  for (const at::Tensor& stack : {images.input, images.reconstructed, images.decoded}) {
    rows.push_back(torch::cat(stack.unbind(0), 2));
  }
  const auto low = images.input.min(), high = images.input.max();
  auto sheet = torch::cat(rows, 1).sub(low).div((high - low).clamp_min(1e-6)).clamp(0, 1);
  if (sheet.size(0) == 1) sheet = sheet.expand({3, -1, -1});
  const auto bytes = sheet.mul(255).round().to(torch::kByte).permute({1, 2, 0}).contiguous().cpu();
  const auto* first = bytes.data_ptr<std::uint8_t>();
  return {static_cast<std::size_t>(bytes.size(1)), static_cast<std::size_t>(bytes.size(0)),
          std::vector<std::uint8_t>(first, first + bytes.numel())};
}

void write_weights(const Network& network, io::EventFile& events, std::int64_t step) {
  for (const auto& entry : network.module->named_parameters()) {
    const auto flat = entry.value().detach().to(torch::kCPU, torch::kFloat64).contiguous();
    const auto* first = flat.data_ptr<double>();
    const std::vector<double> values(first, first + flat.numel());
    const auto finite = [](double value) { return std::isfinite(value); };
    if (std::none_of(values.begin(), values.end(), finite)) continue;
    events.histogram("weights/" + entry.key(), io::make_histogram(values), step);
  }
}

}  // namespace

void write_element_errors(const Assembled& all, const at::Tensor& z, const at::Tensor& zg,
                          const at::Tensor& g, const std::filesystem::path& folder) {
  if (folder.empty()) return;
  const Group& group = all.parts.data.group;
  const auto own = latent_action_of(all);
  const Action action = own ? *own : all.regular ? *all.regular : trivial_action(group);
  std::string text = "element,word,error\n";
  const std::vector<double> errors = element_errors(action, z, zg, g.cpu());
  for (Element element = 0; element < group.order(); ++element) {
    if (!std::isfinite(errors[element])) continue;
    text += fmt::format("{},\"{}\",{}\n", element,
                        to_string(group.word(element), group.generator_names()), errors[element]);
  }
  write_file(folder / "element_error.csv", text);
}

void write_orbit(const Assembled& all, const std::filesystem::path& folder) {
  if (folder.empty()) return;
  const auto images = orbit_images(all);
  if (!images) return;
  io::write_npz(folder / "orbit.npz", {{"input", to_array(images->input)},
                                       {"reconstructed", to_array(images->reconstructed)},
                                       {"decoded", to_array(images->decoded)}});
}

std::function<void(std::int64_t)> observe_weights(const Shared& all, std::int64_t steps_per_epoch,
                                                  const std::filesystem::path& folder) {
  const auto events = std::make_shared<io::EventFile>(folder);
  return [all, events, steps_per_epoch](std::int64_t step) {
    const std::int64_t epoch = step / steps_per_epoch;
    const bool power_of_two = (epoch & (epoch - 1)) == 0;
    if (step % steps_per_epoch != 0 || !power_of_two) return;
    write_weights(all->parts.network, *events, step);
    const auto images = orbit_images(*all);
    if (!images) return;
    const report::Picture sheet = to_sheet(*images);
    const std::string png = report::to_png(sheet);
    events->image("orbit", static_cast<std::int64_t>(sheet.width),
                  static_cast<std::int64_t>(sheet.height), io::as_bytes(png), step);
  };
}

}  // namespace algprior
