#include "algprior/base/error.hpp"
#include "algprior/data/check.hpp"
#include "algprior/data/tensor_data.hpp"
#include "algprior/experiment/predictor.hpp"
#include "algprior/io/npy.hpp"
#include "algprior/io/safetensors.hpp"
#include "algprior/kernel/detail/translate.hpp"
#include "algprior/kernel/kernels.hpp"
#include "algprior/kernel/shape_text.hpp"
#include "algprior/nn/arrays.hpp"
#include "algprior/train/evaluate.hpp"
#include "device.hpp"
#include "entries.hpp"
#include "progress_bar.hpp"

#include <filesystem>

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <torch/nn/module.h>

namespace algprior {
namespace {

using PredictJson = nlohmann::ordered_json;

// Said before the work, not after it.
void check_ending(const std::string& path) {
  const auto ending = std::filesystem::path(path).extension();
  if (ending == ".npz" || ending == ".safetensors") return;
  throw InputError({"predictions cannot be written to such a file", path,
                    "a name that ends in .npz or .safetensors", "-o predictions.npz"});
}

// The name under which the run's own data has its inputs, where its recipe says so.
std::string inputs_name(const PredictRequest& request) {
  if (!request.inputs.empty()) return request.inputs;
  const config::Config config = read_run_config(request.folder);
  return config.has("data.inputs") ? config.get<std::string>("data.inputs") : "x";
}

std::map<std::string, std::vector<at::Tensor>> predict_all(const Predictor& predictor,
                                                           const at::Tensor& x, ProgressBar& bar) {
  const Network& network = predictor.network;
  const ModeScope evaluation(network, Mode::evaluation);
  const at::NoGradGuard no_gradient;
  const auto device = device_of(network);
  const auto total = static_cast<std::uint64_t>(x.size(0));
  std::map<std::string, std::vector<at::Tensor>> parts;
  std::uint64_t done = 0;
  bar.update(done, total);
  for (const at::Tensor& rows : x.split(predictor.batch_size)) {
    const Encoded encoded = network.forward(rows.to(device));
    parts["output"].push_back(encoded.output.cpu());
    for (std::size_t layer = 0; layer < encoded.latents.size(); ++layer) {
      parts[layer == 0 ? "z" : fmt::format("z{}", layer)].push_back(encoded.latents[layer].cpu());
    }
    bar.update(done += static_cast<std::uint64_t>(rows.size(0)), total);
  }
  return parts;
}

void write_arrays(const std::string& path, const io::NamedArrays& arrays) {
  if (std::filesystem::path(path).extension() == ".npz") {
    io::write_npz(path, arrays);
  } else {
    io::write_safetensors(path, {arrays, {}});
  }
}

}  // namespace

int run_predict(const PredictRequest& request, Context& context) {
  set_kernels(to_kernels(request.kernels));
  check_ending(request.output);
  const Predictor predictor = load_predictor(request.folder, to_device(request.device));
  const std::string name = inputs_name(request);
  const at::Tensor x = read_tensor_inputs(request.data, name);
  check_finite(x, fmt::format("{}: {}", request.data, name));
  io::NamedArrays arrays;
  {
    ProgressBar bar(context.terminal, "predict", "samples");
    const auto parts = translated("the network does not take these samples",
                                  fmt::format("{}: {}", request.data, shape_text(x)),
                                  [&] { return predict_all(predictor, x, bar); });
    for (const auto& [key, rows] : parts) arrays[key] = to_array(at::cat(rows));
  }
  if (predictor.classifies) {
    arrays["label"] = to_array(to_tensor(arrays.at("output")).argmax(1));
  }
  write_arrays(request.output, arrays);
  if (context.terminal.json()) {
    PredictJson shapes = PredictJson::object();
    for (const auto& [key, array] : arrays) shapes[key] = array.shape;
    context.terminal.print_json(
        PredictJson{{"run", request.folder}, {"file", request.output}, {"arrays", shapes}});
    return 0;
  }
  std::string text = request.output + "\n";
  for (const auto& [key, array] : arrays) {
    text += fmt::format("  {:<8} {}\n", key, fmt::join(array.shape, " x "));
  }
  context.terminal.print(text);
  return 0;
}

}  // namespace algprior
