#include "algprior/io/generators.hpp"

#include "algprior/base/error.hpp"
#include "algprior/io/npy.hpp"
#include "algprior/io/safetensors.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace algprior::io {
namespace {

void check_square(const std::string& name, const ArrayHead& head, const std::string& path) {
  if (head.shape.size() == 2 && head.shape[0] == head.shape[1] && head.shape[0] >= 1) return;
  throw InputError({"generator " + name + " is no square matrix", path + ": " + to_text(head),
                    "an array of shape [d, d]", ""});
}

Eigen::MatrixXcd to_matrix(const std::complex<double>* values, Eigen::Index d) {
  using RowMajor =
      Eigen::Matrix<std::complex<double>, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const RowMajor>(values, d, d);
}

NamedArrays read_named(const Group& group, const std::string& path, const std::string& ending) {
  if (ending == ".safetensors") return read_safetensors(path).tensors;
  const std::vector<std::string>& names = group.generator_names();
  return read_npz(path, default_byte_limit(), [&](const std::string& name, const ArrayHead& head) {
    if (std::find(names.begin(), names.end(), name) == names.end()) return false;
    check_square(name, head, path);
    return true;
  });
}

std::string names_in(const std::string& path, const std::string& ending) {
  std::string found;
  const auto add = [&](const std::string& key) { found += (found.empty() ? "" : ", ") + key; };
  if (ending == ".safetensors") {
    for (const auto& [key, array] : read_safetensors(path).tensors) add(key);
  } else {
    for (const auto& [key, head] : read_npz_heads(path)) add(key);
  }
  return found.empty() ? "none" : found;
}

std::vector<Eigen::MatrixXcd> read_by_name(const Group& group, const std::string& path,
                                           const std::string& ending) {
  const NamedArrays arrays = read_named(group, path, ending);
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
    const std::vector<std::complex<double>> values = to_complex(it->second);
    matrices.push_back(to_matrix(values.data(), it->second.shape[0]));
  }
  return matrices;
}

std::vector<Eigen::MatrixXcd> read_stack(const Group& group, const std::string& path) {
  const Array array = read_npy(path);
  std::vector<std::int64_t> shape = array.shape;
  const auto count = static_cast<std::int64_t>(group.generators().size());
  if (shape.size() == 2 && count == 1) shape.insert(shape.begin(), 1);
  if (shape.size() != 3 || shape[0] != count || shape[1] != shape[2] || shape[1] < 1) {
    throw InputError({"the array does not hold one square matrix a generator",
                      path + ": " + to_text(array),
                      fmt::format("shape [{}, d, d]: the matrices of {}", count,
                                  fmt::join(group.generator_names(), ", ")),
                      "or save them by name with numpy.savez"});
  }
  const std::vector<std::complex<double>> values = to_complex(array);
  std::vector<Eigen::MatrixXcd> matrices;
  for (std::int64_t k = 0; k < count; ++k) {
    matrices.push_back(to_matrix(values.data() + k * shape[1] * shape[1], shape[1]));
  }
  return matrices;
}

[[noreturn]] void refuse_ending(const std::string& path) {
  throw InputError({"no such representation", "\"" + path + "\"",
                    "regular, defining, or a file that ends in .npz, .npy or .safetensors",
                    "see algprior group --help"});
}

// One size, and finite numbers.
void check_matrices(const Group& group, const std::vector<Eigen::MatrixXcd>& matrices,
                    const std::string& path) {
  for (std::size_t k = 0; k < matrices.size(); ++k) {
    const Eigen::MatrixXcd& matrix = matrices[k];
    const std::string where = path + ": " + group.generator_names()[k];
    if (matrix.rows() != matrices[0].rows()) {
      throw InputError(
          {"matrices of one representation have different sizes",
           fmt::format("{0} is {1} x {1}", where, matrix.rows()),
           fmt::format("{0} x {0}, as of {1}", matrices[0].rows(), group.generator_names()[0]),
           ""});
    }
    for (Eigen::Index row = 0; row < matrix.rows(); ++row) {
      for (Eigen::Index column = 0; column < matrix.cols(); ++column) {
        const std::complex<double> entry = matrix(row, column);
        if (std::isfinite(entry.real()) && std::isfinite(entry.imag())) continue;
        throw InputError({"a matrix holds what is no finite number",
                          fmt::format("{}[{}, {}]", where, row, column), "finite numbers",
                          "save the array again"});
      }
    }
  }
}

}  // namespace

std::vector<Eigen::MatrixXcd> read_generators(const Group& group, const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  std::vector<Eigen::MatrixXcd> matrices;
  if (ending == ".npy") {
    matrices = read_stack(group, path);
  } else if (ending == ".npz" || ending == ".safetensors") {
    matrices = read_by_name(group, path, ending);
  } else {
    refuse_ending(path);
  }
  check_matrices(group, matrices, path);
  return matrices;
}

}  // namespace algprior::io
