// Encoders that an audit has to run: networks of runs, and TorchScript files.
#include "algprior/action/latent.hpp"
#include "algprior/action/parts.hpp"
#include "algprior/action/planar.hpp"
#include "algprior/analysis/audit_encoder.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/base/suggest.hpp"
#include "algprior/experiment/audit_run.hpp"
#include "algprior/experiment/run.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/io/npy.hpp"
#include "algprior/io/safetensors.hpp"
#include "algprior/kernel/shape_text.hpp"
#include "algprior/nn/arrays.hpp"
#include "algprior/rep/constructions.hpp"
#include "entries.hpp"
#include "progress_bar.hpp"

#include <fstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/script.h>

namespace algprior {
namespace {

Action planar_or_resampled(const Group& group) {
  try {
    return planar_action(group);
  } catch (const InputError&) {
    return planar_action(group, Resampling::bilinear);
  }
}

// How a group named on the command line acts on samples of this shape.
Action make_input_action(const std::string& word, const Group& group, const at::Tensor& x) {
  if (word == "planar") return planar_or_resampled(group);
  if (word == "volume") return volume_action(group);
  if (word == "stack") return stacked_action(group, planar_parts(group, Resampling::bilinear));
  const std::int64_t width = x.dim() == 2 ? x.size(1) : 0;
  if ((word == "defining" || word == "regular") && width == 0) {
    throw InputError(
        {"this action moves vectors",
         fmt::format("{} on samples of shape {}", word, shape_text(x.sizes().slice(1))),
         "x of shape N x d", "use planar for images, volume for volumes"});
  }
  if (word == "defining") return latent_action(defining_representation(group), width);
  if (word == "regular") return latent_action(regular_representation(group), width);
  const std::vector<std::string> words{"planar", "volume", "stack", "defining", "regular"};
  throw InputError({"there is no action of this name", word,
                    fmt::format("{}", fmt::join(words, ", ")), did_you_mean(word, words)});
}

struct ScriptData {
  at::Tensor x, labels;
};

ScriptData read_script_data(const std::string& path, std::int64_t most) {
  const bool npz = path.ends_with(".npz");
  if (!npz && !path.ends_with(".safetensors")) {
    throw InputError({"samples in a file of unknown kind", path,
                      "a name that ends in .npz or .safetensors",
                      "in Python: numpy.savez(\"data.npz\", x=images, labels=classes)"});
  }
  const io::NamedArrays arrays = npz ? io::read_npz(path) : io::read_safetensors(path).tensors;
  const auto find = [&](const char* name) {
    const auto found = arrays.find(name);
    return found == arrays.end() ? at::Tensor() : to_tensor(found->second);
  };
  ScriptData data{find("x"), find("labels")};
  if (!data.x.defined() || data.x.dim() < 2 || data.x.size(0) < 2) {
    throw InputError({"there are no samples x", path,
                      "an array x of shape N x C x H x W, N x C x D x H x W or N x d, N at least 2",
                      "numpy.savez(\"data.npz\", x=images)"});
  }
  const bool pixels = data.x.scalar_type() == at::kByte;
  const auto count = std::min(data.x.size(0), std::max<std::int64_t>(2, most));
  const auto places = (at::arange(count, at::kLong) * data.x.size(0)).div(count, "floor");
  if (data.labels.defined()) {
    if (data.labels.dim() != 1 || data.labels.size(0) != data.x.size(0)) {
      throw InputError({"labels do not fit the samples", path, "one for each sample", ""});
    }
    data.labels = data.labels.to(at::kLong).index_select(0, places);
  }
  data.x = data.x.index_select(0, places).to(at::kFloat);
  if (pixels) data.x.div_(255.0);
  return data;
}

std::string what_torch_said(const std::exception& error) {
  std::string text = error.what();
  return text.substr(0, std::min<std::size_t>(text.find('\n'), 200));
}

torch::jit::Module load_script(const std::string& path) {
  // A TorchScript file is a ZIP archive; anything else need not reach LibTorch's reader.
  std::ifstream file(path, std::ios::binary);
  char magic[4] = {};
  const bool opened = static_cast<bool>(file);
  file.read(magic, sizeof magic);
  const Failure failure{"this is no TorchScript file", path,
                        "what torch.jit.save or torch.jit.trace(...).save wrote",
                        "in Python: torch.jit.trace(model.eval(), example).save(\"model.pt\")"};
  if (!opened) throw FileError({"cannot open a TorchScript file", path, "a file", ""});
  if (std::string_view(magic, 4) != std::string_view("PK\x03\x04", 4)) throw FileError(failure);
  try {
    torch::jit::Module module = torch::jit::load(path, at::kCPU);
    module.eval();
    return module;
  } catch (const std::exception& error) {
    throw FileError({failure.what, fmt::format("{}: {}", path, what_torch_said(error)),
                     failure.expected, failure.next});
  }
}

// The tensor that a module returned: itself, or one of several.
at::Tensor returned_tensor(const c10::IValue& value, const std::string& layer) {
  if (value.isTensor()) return value.toTensor();
  if (value.isTuple()) {
    const auto& parts = value.toTupleRef().elements();
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (std::to_string(i) == layer && parts[i].isTensor()) return parts[i].toTensor();
    }
    throw InputError({"the module does not return such a tensor", "--layer " + layer,
                      fmt::format("a number below {}, at which a tensor stands", parts.size()),
                      ""});
  }
  throw InputError({"the module does not return tensors", value.tagKind(),
                    "a tensor or a tuple of tensors", "trace a forward that returns the latent"});
}

AuditSubject embed_script(const EncoderRequest& request, Context& context) {
  const std::string warning =
      "A TorchScript file can run code of its author's choice: audit only files you trust.";
  if (context.terminal.json()) {
    context.terminal.note(warning);
  } else {
    context.terminal.print(warning + "\n\n");
    context.terminal.flush();
  }
  const Group group = make_group(request.group);
  const ScriptData data = read_script_data(request.data, request.samples);
  const Action action = make_input_action(request.action, group, data.x);
  torch::jit::Module module = load_script(request.torchscript);
  const auto encode = [&](const at::Tensor& x) {
    c10::IValue value;
    try {
      value = module.forward({x});
    } catch (const c10::Error&) {
      throw;
    } catch (const std::exception& error) {
      // TorchScript wraps what its operators throw; the last lines say what it was.
      const std::string text = error.what();
      const std::size_t end = text.find_last_not_of('\n');
      const std::size_t begin = text.rfind('\n', end);
      throw InputError(
          {"the TorchScript module refuses its input",
           fmt::format("shape {}: {}", shape_text(x),
                       text.substr(begin == std::string::npos ? 0 : begin + 1, end - begin)),
           "samples of the shape that the module was made for",
           "check size, channels and type of x in " + request.data});
    }
    return returned_tensor(value, request.layer);
  };
  const auto first = encode(data.x.slice(0, 0, 2));
  const bool pull_back = first.dim() > 2 && first.sizes() == data.x.slice(0, 0, 2).sizes();
  ProgressBar bar(context.terminal, "encode", "samples");
  AuditSubject subject =
      embed_orbits({encode, action, pull_back}, data.x, data.labels, {.progress = bar.sink()});
  subject.name = request.torchscript;
  return subject;
}

}  // namespace

AuditSubject embed_encoder(const EncoderRequest& request, Context& context) {
  if (!request.torchscript.empty()) return embed_script(request, context);
  const Experiment experiment = load_experiment(request.run);
  ProgressBar bar(context.terminal, "encode", "samples");
  AuditSubject subject = embed_experiment(experiment, {request.layer, request.samples, bar.sink()});
  subject.name = fmt::format("{}, {}", request.run,
                             request.layer == "output" ? "output" : "layer " + request.layer);
  return subject;
}

}  // namespace algprior
