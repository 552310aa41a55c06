#include "algprior/audit/audit_file.hpp"

#include "algprior/base/error.hpp"
#include "algprior/io/npy.hpp"
#include "algprior/io/safetensors.hpp"

#include <cmath>

#include <fmt/format.h>

namespace algprior {
namespace {

constexpr const char* kWanted =
    "z of shape [samples, elements, coordinates], or z and zg of shape [samples, coordinates] with "
    "the elements g";

[[noreturn]] void refuse_array(const std::string& file, const std::string& name,
                               const io::Array& array, const std::string& expected,
                               const std::string& next = "") {
  throw InputError({"array " + name + " has another shape or type",
                    file + ": " + io::to_text(array), expected, next});
}

/// float32 and float64 stay where they are; other numbers become float64.
void make_floating(io::Array& array) {
  io::check(array);
  if (array.dtype == io::Dtype::float32 || array.dtype == io::Dtype::float64) return;
  const std::vector<double> values = io::to_doubles(array);
  array = io::make_array(array.shape, values);
}

EmbeddingSpan span_of(const io::Array& array) {
  if (array.dtype == io::Dtype::float32) return io::view<float>(array);
  return io::view<double>(array);
}

std::vector<std::int64_t> whole_numbers(const std::string& file, const std::string& name,
                                        const io::Array& array, std::int64_t samples) {
  const bool vector = array.shape.size() == 1 || (array.shape.size() == 2 && array.shape[1] == 1);
  if (!vector || array.shape[0] != samples) {
    refuse_array(file, name, array,
                 fmt::format("one whole number for each of {} samples", samples));
  }
  std::vector<std::int64_t> result;
  for (const double value : io::to_doubles(array)) {
    if (!(std::abs(value) < 9e15) || value != std::floor(value)) {
      throw InputError({"array " + name + " holds a number that is not whole",
                        fmt::format("{}: {}", file, value), "whole numbers", ""});
    }
    result.push_back(static_cast<std::int64_t>(value));
  }
  return result;
}

}  // namespace

AuditFile AuditFile::read(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  if (extension == ".npy") {
    io::NamedArrays arrays;
    arrays.emplace("z", io::read_npy(path));
    return from_arrays(std::move(arrays), path.string());
  }
  if (extension == ".npz") return from_arrays(io::read_npz(path), path.string());
  if (extension == ".safetensors") {
    return from_arrays(io::read_safetensors(path).tensors, path.string());
  }
  throw InputError({"embeddings in a file of unknown kind", path.string(),
                    "a name that ends in .npz, .npy or .safetensors",
                    "save them with numpy.savez or safetensors"});
}

AuditFile AuditFile::from_arrays(io::NamedArrays arrays, std::string name) {
  AuditFile file;
  const auto z = arrays.find("z");
  if (z == arrays.end()) {
    std::string found;
    for (const auto& [key, array] : arrays) found += (found.empty() ? "" : ", ") + key;
    throw InputError(
        {"there is no array z", name,
         fmt::format("{}; the file has {}", kWanted, found.empty() ? "nothing" : found),
         "numpy.savez(file, z=embeddings)"});
  }
  for (const auto& [key, array] : arrays) io::check(array);
  const auto zg = arrays.find("zg"), g = arrays.find("g");
  const std::vector<std::int64_t> shape = z->second.shape;
  file.pairs_ = shape.size() == 2 && zg != arrays.end() && g != arrays.end();
  if (!file.pairs_ && shape.size() != 3) {
    refuse_array(name, "z", z->second, kWanted,
                 shape.size() > 3 ? "flatten the coordinates, or average a grid over its positions"
                                  : "reshape z, or save zg and g beside it");
  }
  if (z->second.size() == 0) refuse_array(name, "z", z->second, "at least one number");
  file.samples_ = static_cast<std::size_t>(shape[0]);
  file.order_ = file.pairs_ ? 0 : static_cast<std::size_t>(shape[1]);
  file.dimension_ = static_cast<std::size_t>(shape.back());
  if (file.pairs_) {
    if (zg->second.shape != shape) {
      refuse_array(name, "zg", zg->second,
                   fmt::format("the shape of z, {}", io::to_text(z->second)));
    }
    file.elements_ = whole_numbers(name, "g", g->second, shape[0]);
    make_floating(zg->second);
  }
  make_floating(z->second);
  if (file.pairs_ && zg->second.dtype != z->second.dtype) {
    // One of them is float32: both become float64.
    for (io::Array* array : {&z->second, &zg->second}) {
      const std::vector<double> values = io::to_doubles(*array);
      *array = io::make_array(array->shape, values);
    }
  }
  if (const auto labels = arrays.find("labels"); labels != arrays.end()) {
    file.labels_ = whole_numbers(name, "labels", labels->second, shape[0]);
  }
  if (const auto inputs = arrays.find("inputs"); inputs != arrays.end()) {
    const auto& inner = inputs->second.shape;
    if (file.pairs_ || inner.size() < 2 || inner[0] != shape[0] || inner[1] != shape[1] ||
        inputs->second.size() == 0) {
      refuse_array(name, "inputs", inputs->second,
                   "[samples, elements, ...] beside z of whole orbits", "leave inputs out");
    }
    make_floating(inputs->second);
    file.input_size_ = static_cast<std::size_t>(inputs->second.size() / (shape[0] * shape[1]));
  }
  file.arrays_ = std::move(arrays);
  return file;
}

OrbitEmbeddings AuditFile::orbits() const {
  return {span_of(arrays_.find("z")->second), samples_, order_, dimension_};
}

PairEmbeddings AuditFile::pairs() const {
  return {span_of(arrays_.find("z")->second), span_of(arrays_.find("zg")->second), elements_,
          samples_, dimension_};
}

AuditContext AuditFile::context() const {
  AuditContext context;
  context.labels = labels_;
  if (input_size_ > 0) context.inputs = span_of(arrays_.find("inputs")->second);
  context.input_size = input_size_;
  return context;
}

AuditReport AuditFile::audit(const Group& group, const AuditOptions& options) const {
  return pairs_ ? algprior::audit(pairs(), group, options, context())
                : algprior::audit(orbits(), group, options, context());
}

}  // namespace algprior
