#include "algprior/experiment/audit_run.hpp"

#include "algprior/analysis/audit_encoder.hpp"
#include "algprior/analysis/orbits.hpp"
#include "algprior/base/error.hpp"
#include "algprior/nn/arrays.hpp"
#include "algprior/train/evaluate.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <torch/types.h>

namespace algprior {
namespace {

constexpr const char* kOutputLayer = "output";

// The place of a latent; the output has none.
std::optional<std::size_t> latent_place(const std::string& word, std::size_t latents) {
  if (word == kOutputLayer) return std::nullopt;
  std::size_t place = 0;
  const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), place);
  if (fault == std::errc() && end == word.data() + word.size() && place < latents) return place;
  throw InputError({"the network has no such layer", word,
                    fmt::format("0 to {}, or \"{}\"", latents - 1, kOutputLayer), ""});
}

bool is_labels(const at::Tensor& y) {
  return y.defined() && y.dim() == 1 && y.scalar_type() == at::kLong;
}

// Data that know partners but no action: C2 that exchanges typefaces has whole orbits {x, s·x} all
// the same.
AuditSubject embed_pairs(const Group& group, const Batch& batch, const at::Tensor& z,
                         const at::Tensor& zg) {
  io::NamedArrays arrays;
  const bool whole = group.order() == 2 && batch.g.eq(1).all().item<bool>();
  if (whole) {
    arrays["z"] = to_array(torch::stack({z, zg}, 1));
  } else {
    arrays["z"] = to_array(z);
    arrays["zg"] = to_array(zg);
    arrays["g"] = to_array(batch.g.cpu());
  }
  if (is_labels(batch.y)) arrays["labels"] = to_array(batch.y);
  AuditSubject subject{AuditFile::from_arrays(std::move(arrays), "test pairs")};
  subject.group = group;
  if (!whole) subject.remarks.emplace_back("the data have pairs, no action on whole samples");
  return subject;
}

}  // namespace

AuditSubject embed_experiment(const Experiment& experiment, const RunAuditOptions& options) {
  if (!experiment.data) {
    throw InputError({"this experiment has no network and no data", "a null model",
                      "an experiment that trains", "its numbers are in its result"});
  }
  const ExperimentData& data = *experiment.data;
  const Network& network = experiment.network;
  const at::Device device = device_of(network);
  const ModeScope evaluation(network, Mode::evaluation);
  const torch::NoGradGuard no_gradient;
  const Dataset& test =
      data.input && data.upright_test ? *data.upright_test : data.tests.at(0).data;
  const std::int64_t count = std::min(test.size, std::max<std::int64_t>(2, options.samples));
  // Evenly spread: data sets are often sorted by class.
  const auto places = (torch::arange(count) * test.size).div(count, "floor");
  const Batch batch = test.get(places, RandomKey(0, "audit"));
  const Encoded one = network.forward(batch.x.slice(0, 0, 1).to(device));
  const auto place = latent_place(options.layer, one.latents.size());
  const auto encode = [&](const at::Tensor& x) {
    const Encoded encoded = network.forward(x.to(device));
    return (place ? encoded.latents.at(*place) : encoded.output).cpu();
  };
  const std::int64_t batch_size = experiment.training->options.batch_size;

  AuditSubject subject = [&] {
    if (data.input) {
      const at::Tensor& looked = place ? one.latents.at(*place) : one.output;
      const bool pull_back =
          !place && looked.dim() > 2 && looked.sizes().slice(1) == batch.x.sizes().slice(1);
      return embed_orbits({encode, *data.input, pull_back}, batch.x,
                          is_labels(batch.y) ? batch.y : at::Tensor(),
                          {.batch = batch_size, .progress = options.progress});
    }
    if (!batch.paired()) {
      throw InputError({"the test data have neither an action nor partners", test.name,
                        "pairs x and g*x", "train with train.task = \"pair\""});
    }
    const auto all = [&](const at::Tensor& x) {
      std::vector<at::Tensor> parts;
      for (const auto& part : x.split(batch_size)) {
        parts.push_back(average_positions(encode(part)).flatten(1));
        report_progress(options.progress, static_cast<std::uint64_t>(parts.size()), 0);
      }
      return torch::cat(parts);
    };
    return embed_pairs(data.group, batch, all(batch.x), all(batch.gx));
  }();
  if (!place) return subject;
  for (const LatentTarget& target : experiment.latents) {
    if (target.layer != *place) continue;
    const at::Tensor& latent = one.latents.at(*place);
    subject.matrices = matrices_of(target.action, latent.size(1), latent.dim() - 2);
  }
  return subject;
}

}  // namespace algprior
