#include "group_matrices.hpp"

#include "algprior/base/error.hpp"
#include "algprior/io/npy.hpp"
#include "algprior/io/safetensors.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace algprior {
namespace {

void check_square(const std::string& name, const io::ArrayHead& head, const std::string& path) {
  if (head.shape.size() == 2 && head.shape[0] == head.shape[1] && head.shape[0] >= 1) return;
  throw InputError({"generator " + name + " is no square matrix", path + ": " + io::to_text(head),
                    "an array of shape [d, d]", ""});
}

Eigen::MatrixXcd to_matrix(const std::complex<double>* values, Eigen::Index d) {
  using RowMajor =
      Eigen::Matrix<std::complex<double>, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const RowMajor>(values, d, d);
}

io::NamedArrays read_named(const Group& group, const std::string& path, const std::string& ending) {
  if (ending == ".safetensors") return io::read_safetensors(path).tensors;
  const std::vector<std::string>& names = group.generator_names();
  return io::read_npz(path, io::default_byte_limit(),
                      [&](const std::string& name, const io::ArrayHead& head) {
                        if (std::find(names.begin(), names.end(), name) == names.end())
                          return false;
                        check_square(name, head, path);
                        return true;
                      });
}

std::string names_in(const std::string& path, const std::string& ending) {
  std::string found;
  const auto add = [&](const std::string& key) { found += (found.empty() ? "" : ", ") + key; };
  if (ending == ".safetensors") {
    for (const auto& [key, array] : io::read_safetensors(path).tensors) add(key);
  } else {
    for (const auto& [key, head] : io::read_npz_heads(path)) add(key);
  }
  return found.empty() ? "none" : found;
}

std::vector<Eigen::MatrixXcd> read_by_name(const Group& group, const std::string& path,
                                           const std::string& ending) {
  const io::NamedArrays arrays = read_named(group, path, ending);
  std::vector<Eigen::MatrixXcd> matrices;
  for (const std::string& name : group.generator_names()) {
    const auto it = arrays.find(name);
    if (it == arrays.end()) {
      throw InputError(
          {"no matrix for generator " + name, path,
           fmt::format("one array for each of {}; the file has {}",
                       fmt::join(group.generator_names(), ", "), names_in(path, ending)),
           "name the arrays like the generators"});
    }
    check_square(name, {it->second.dtype, it->second.shape}, path);
    const std::vector<std::complex<double>> values = io::to_complex(it->second);
    matrices.push_back(to_matrix(values.data(), it->second.shape[0]));
  }
  return matrices;
}

std::vector<Eigen::MatrixXcd> read_stack(const Group& group, const std::string& path) {
  const io::Array array = io::read_npy(path);
  std::vector<std::int64_t> shape = array.shape;
  const auto count = static_cast<std::int64_t>(group.generators().size());
  if (shape.size() == 2 && count == 1) shape.insert(shape.begin(), 1);
  if (shape.size() != 3 || shape[0] != count || shape[1] != shape[2] || shape[1] < 1) {
    throw InputError({"the array does not hold one square matrix a generator",
                      path + ": " + io::to_text(array),
                      fmt::format("shape [{}, d, d]: the matrices of {}", count,
                                  fmt::join(group.generator_names(), ", ")),
                      "or save them by name with numpy.savez"});
  }
  const std::vector<std::complex<double>> values = io::to_complex(array);
  std::vector<Eigen::MatrixXcd> matrices;
  for (std::int64_t k = 0; k < count; ++k) {
    matrices.push_back(to_matrix(values.data() + k * shape[1] * shape[1], shape[1]));
  }
  return matrices;
}

}  // namespace

std::vector<Eigen::MatrixXcd> read_generators(const Group& group, const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".npy") return read_stack(group, path);
  if (ending == ".npz" || ending == ".safetensors") return read_by_name(group, path, ending);
  throw InputError({"no such representation", "\"" + path + "\"",
                    "regular, defining, or a file that ends in .npz, .npy or .safetensors",
                    "see algprior group --help"});
}

}  // namespace algprior
