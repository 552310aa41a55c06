#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/base/paths.hpp"
#include "algprior/io/checksum.hpp"
#include "algprior/io/safetensors.hpp"
#include "algprior/nn/steerable/basis.hpp"
#include "checks.hpp"

#include <cmath>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>

namespace algprior::steerable {
namespace {

// Raised whenever solve_equivariant_basis would answer differently.
constexpr std::int64_t kSolver = 1;
constexpr const char* kElements = "elements";
constexpr const char* kPlaces = "out_place";
constexpr const char* kIrreps = "in_irrep";
constexpr const char* kChecksum = "sha256";

void feed(io::Sha256& hash, const Eigen::MatrixXd& matrix) {
  const std::int64_t shape[] = {matrix.rows(), matrix.cols()};
  hash.update(std::as_bytes(std::span(shape)));
  hash.update(std::as_bytes(std::span(matrix.data(), static_cast<std::size_t>(matrix.size()))));
}

void feed(io::Sha256& hash, const std::vector<std::int64_t>& numbers) {
  hash.update(std::as_bytes(std::span(numbers)));
}

void feed(io::Sha256& hash, const FieldType& field) {
  const Steering& steering = *field.steering;
  feed(hash, std::vector<std::int64_t>(field.irreps.begin(), field.irreps.end()));
  for (const std::size_t i : field.irreps) {
    for (const std::size_t g : steering.generators) feed(hash, steering.irreps[i].matrices[g]);
  }
  feed(hash, field.basis);
}

std::string key_of(const SpatialBasis& space, const FieldType& out, const FieldType& in) {
  io::Sha256 hash;
  const SpatialOptions& options = space.options;
  feed(hash, std::vector<std::int64_t>{kSolver, options.axes, options.kernel,
                                       static_cast<std::int64_t>(options.kind), options.highest});
  for (const std::size_t g : out.steering->generators) feed(hash, out.steering->space[g]);
  feed(hash, out);
  feed(hash, in);
  return hash.finish();
}

std::string checksum(const io::SafeTensors& file) {
  io::Sha256 hash;
  for (const auto& [name, array] : file.tensors) hash.update(array.bytes);
  return hash.finish();
}

// Whatever is wrong with a file of the cache, the basis is solved anew and the file replaced.
std::optional<PairBasis> read_basis(const std::filesystem::path& path, std::int64_t width) try {
  if (!std::filesystem::exists(path)) return std::nullopt;
  const io::SafeTensors file = io::read_safetensors(path);
  const auto found = file.metadata.find(kChecksum);
  if (found == file.metadata.end() || found->second != checksum(file)) return std::nullopt;
  const io::Array& elements = file.at(kElements);
  const auto places = io::view<std::int64_t>(file.at(kPlaces));
  const auto irreps = io::view<std::int64_t>(file.at(kIrreps));
  if (elements.shape.size() != 2 || elements.shape[1] != width) return std::nullopt;
  const auto count = static_cast<std::size_t>(elements.shape[0]);
  if (places.size() != count || irreps.size() != count) return std::nullopt;
  const auto values = io::view<double>(elements);
  PairBasis basis;
  basis.elements = Eigen::Map<const RowMatrix>(values.data(), elements.shape[0], width);
  basis.out_place.assign(places.begin(), places.end());
  basis.in_irrep.assign(irreps.begin(), irreps.end());
  return basis;
} catch (const Error&) {
  return std::nullopt;
}

void write_basis(const std::filesystem::path& path, const PairBasis& basis) {
  const auto count = basis.size();
  const std::span values(basis.elements.data(), static_cast<std::size_t>(basis.elements.size()));
  io::SafeTensors file;
  file.tensors[kElements] = io::make_array<double>({count, basis.elements.cols()}, values);
  file.tensors[kPlaces] = io::make_array({count}, basis.out_place);
  file.tensors[kIrreps] = io::make_array({count}, basis.in_irrep);
  file.metadata[kChecksum] = checksum(file);
  make_folder(path.parent_path());
  io::write_safetensors(path, file);
}

// Multiplications of the eigenvalue problems, roughly.
double solving_work(const SpatialBasis& space, const FieldType& out, const FieldType& in) {
  std::set<std::pair<std::size_t, std::size_t>> pairs;
  for (const std::size_t a : out.irreps) {
    for (const std::size_t b : in.irreps) pairs.emplace(a, b);
  }
  double work = 0;
  for (const auto& [a, b] : pairs) {
    for (const SpatialBlock& block : space.blocks) {
      const auto size = block.functions * out.steering->irreps[a].dimension() *
                        in.steering->irreps[b].dimension();
      work += 10 * std::pow(static_cast<double>(size), 3);
    }
  }
  return work;
}

}  // namespace

PairBasisPtr read_or_solve_basis(const SpatialBasis& space, const FieldType& out,
                                 const FieldType& in) {
  check_pair(space, out, in);
  const auto width = out.dimension() * in.dimension() * space.points();
  std::filesystem::path path;
  try {
    path = cache_folder() / "bases" / (key_of(space, out, in) + ".safetensors");
  } catch (const InputError&) {  // no home: nothing is kept
  }
  if (!path.empty()) {
    if (auto basis = read_basis(path, width)) {
      return std::make_shared<const PairBasis>(std::move(*basis));
    }
  }
  auto basis = std::make_shared<const PairBasis>(solve_equivariant_basis(space, out, in));
  try {
    if (!path.empty()) write_basis(path, *basis);
  } catch (const FileError&) {  // a cache that cannot be written costs time, no more
  }
  return basis;
}

PairBasisPtr equivariant_basis(const SpatialBasis& space, const FieldType& out,
                               const FieldType& in) {
  check_pair(space, out, in);
  static std::mutex mutex;
  static std::map<std::string, PairBasisPtr> known;
  const std::string key = key_of(space, out, in);
  {
    const std::lock_guard lock(mutex);
    if (const auto found = known.find(key); found != known.end()) return found->second;
  }
  // Milliseconds of work are done before a file is read and checked.
  constexpr double kWorthAFile = 3e7;
  PairBasisPtr basis =
      solving_work(space, out, in) < kWorthAFile
          ? std::make_shared<const PairBasis>(solve_equivariant_basis(space, out, in))
          : read_or_solve_basis(space, out, in);
  const std::lock_guard lock(mutex);
  return known.emplace(key, std::move(basis)).first->second;
}

}  // namespace algprior::steerable
