#include "algprior/data/tensor_data.hpp"

#include "algprior/action/sample.hpp"
#include "algprior/base/error.hpp"
#include "algprior/io/npy.hpp"
#include "algprior/io/safetensors.hpp"
#include "algprior/nn/arrays.hpp"

#include <algorithm>
#include <optional>

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace algprior {
namespace {

using Names = std::vector<std::string>;

template <class Map>
Names keys_of(const Map& map) {
  Names names;
  for (const auto& [name, value] : map) names.push_back(name);
  return names;
}

[[noreturn]] void refuse_missing(const std::filesystem::path& path, const std::string& name,
                                 const Names& there) {
  throw FileError(
      {"the file has no such array", fmt::format("{}: \"{}\"", path.string(), name),
       fmt::format("one of {}", fmt::join(there, ", ")),
       "name the arrays of inputs and labels (data.inputs, data.labels in a configuration)"});
}

[[noreturn]] void refuse_rows(const std::string& name) {
  throw InputError(
      {"inputs and labels differ in number", name, "arrays with one row for each sample", ""});
}

// These arrays of an archive alone, and only if they have as many rows as each other: what is too
// long for its labels is not unpacked.
io::NamedArrays read_npz_arrays(const std::filesystem::path& path, const Names& names) {
  std::optional<std::int64_t> rows;
  const auto wanted = [&](const std::string& name, const io::ArrayHead& head) {
    if (std::find(names.begin(), names.end(), name) == names.end()) return false;
    const std::int64_t own = head.shape.empty() ? 0 : head.shape[0];
    if (rows.value_or(own) != own) refuse_rows(path.string());
    rows = own;
    return true;
  };
  return io::read_npz(path, io::default_byte_limit(), wanted);
}

// The arrays of these names, in their order.
std::vector<at::Tensor> read_arrays(const std::filesystem::path& path, const Names& names) {
  const auto ending = path.extension();
  if (ending != ".npz" && ending != ".safetensors") {
    throw InputError({"this kind of data file is not known", path.string(),
                      ".npz or .safetensors, or .npy for inputs and labels apart",
                      "in Python: numpy.savez(\"data.npz\", x=..., y=...)"});
  }
  const bool archive = ending == ".npz";
  const io::NamedArrays arrays =
      archive ? read_npz_arrays(path, names) : io::read_safetensors(path).tensors;
  std::vector<at::Tensor> tensors;
  for (const std::string& name : names) {
    if (const auto found = arrays.find(name); found != arrays.end()) {
      tensors.push_back(to_tensor(found->second));
      continue;
    }
    refuse_missing(path, name, archive ? keys_of(io::read_npz_heads(path)) : keys_of(arrays));
  }
  return tensors;
}

void check_rows(const std::string& name, const TensorData& data) {
  const bool both = data.x.defined() && data.y.defined() && data.x.dim() > 0 && data.y.dim() > 0;
  if (!both || data.x.size(0) != data.y.size(0)) refuse_rows(name);
}

at::Tensor to_inputs(const at::Tensor& x) {
  const at::Tensor inputs = x.to(at::kFloat);
  return x.scalar_type() == at::kByte ? inputs.div(255.0) : inputs;
}

TensorData prepare(const std::string& name, const at::Tensor& x, const at::Tensor& y) {
  TensorData data{to_inputs(x), y};
  if (at::isIntegralType(y.scalar_type(), /*includeBool=*/true)) {
    data.y = y.to(at::kLong);
    if (y.dim() == 2 && y.size(1) == 1) data.y = data.y.squeeze(1);
  } else {
    data.y = y.to(at::kFloat);
  }
  check_rows(name, data);
  return data;
}

}  // namespace

TensorData read_tensor_data(const std::filesystem::path& path, const std::string& x_name,
                            const std::string& y_name) {
  const auto arrays = read_arrays(path, {x_name, y_name});
  return prepare(path.string(), arrays[0], arrays[1]);
}

at::Tensor read_tensor_inputs(const std::filesystem::path& path, const std::string& x_name) {
  const at::Tensor x =
      path.extension() == ".npy" ? to_tensor(io::read_npy(path)) : read_arrays(path, {x_name})[0];
  if (x.dim() < 2 || x.size(0) == 0) {
    throw InputError({"the inputs are no samples",
                      fmt::format("{}: an array of {} axes", path.string(), x.dim()),
                      "one row a sample, at least one", "reshape the array"});
  }
  return to_inputs(x);
}

TensorData read_tensor_files(const std::filesystem::path& x, const std::filesystem::path& y) {
  return prepare(x.string() + " and " + y.string(), to_tensor(io::read_npy(x)),
                 to_tensor(io::read_npy(y)));
}

Dataset make_tensor_dataset(std::string name, TensorData data) {
  check_rows(name, data);
  const auto size = data.x.size(0);
  return make_dataset(std::move(name), size, [data](const at::Tensor& indices, const RandomKey&) {
    Batch batch;
    batch.x = data.x.index_select(0, indices);
    batch.y = data.y.index_select(0, indices);
    return batch;
  });
}

Dataset make_tensor_dataset(std::string name, TensorData data, const Action& input,
                            const Action& output, bool augmented) {
  check_rows(name, data);
  if (!(input.group() == output.group())) {
    throw InputError({"inputs and labels are moved by different groups",
                      input.group().name() + " and " + output.group().name(), "one group value",
                      ""});
  }
  const auto size = data.x.size(0);
  return make_dataset(
      std::move(name), size,
      [data, input, output, augmented](const at::Tensor& indices, const RandomKey& key) {
        Batch batch;
        batch.x = data.x.index_select(0, indices);
        batch.y = data.y.index_select(0, indices);
        if (augmented) {
          const auto h = sample_elements(input.group(), indices, key.purpose("augment"));
          batch.x = input(h, batch.x);
          batch.y = output(h, batch.y);
        }
        batch.g = sample_elements(input.group(), indices, key.purpose("pair"));
        batch.gx = input(batch.g, batch.x);
        batch.gy = output(batch.g, batch.y);
        return batch;
      });
}

}  // namespace algprior
