#include "algprior/mesh/prepare.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/base/interrupt.hpp"
#include "algprior/base/lock.hpp"
#include "algprior/base/parallel.hpp"
#include "algprior/io/checksum.hpp"
#include "algprior/mesh/collection.hpp"
#include "checked_tensors.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>
#include <optional>
#include <variant>

#include <fmt/format.h>

namespace algprior::mesh {
namespace {

namespace fs = std::filesystem;

// Raised when the same options would give other numbers than before.
constexpr int kPreparation = 1;

/// Everything in the options that changes a shape, as text.
std::string fingerprint(const ShapeOptions& o) {
  return fmt::format("{} area {} heat {} {} {} {} sphere {} {} {} {} {} fewest {} copies {} {} {}",
                     kPreparation, o.area, o.heat.eigenpairs, o.heat.times, o.heat.first,
                     o.heat.last, o.sphere.step, o.sphere.iterations, o.sphere.steady,
                     o.sphere.repairs, o.sphere.most_folded, o.fewest_vertices, o.copies,
                     o.largest_centre, o.seed);
}

struct Sources {
  Mesh mesh;
  std::vector<std::vector<Point>> spheres;
};

/// The files of an entry: their bytes are read once, for the checksum and for the mesh.
class Reader {
 public:
  Reader(const MeshEntry& entry, const MeshLimits& limits) : entry_(entry), limits_(limits) {
    io::Sha256 sum;
    bytes_.push_back(read_regular(entry.mesh));
    for (const fs::path& path : entry.spheres) bytes_.push_back(read_regular(path));
    for (const io::Bytes& bytes : bytes_) sum.update(bytes);
    checksum_ = sum.finish();
  }
  const std::string& checksum() const { return checksum_; }

  Sources parse() const {
    Sources sources{parse_mesh(bytes_[0], entry_.mesh.string(), limits_), {}};
    for (std::size_t k = 0; k < entry_.spheres.size(); ++k) {
      sources.spheres.push_back(
          parse_mesh(bytes_[k + 1], entry_.spheres[k].string(), limits_).vertices);
    }
    return sources;
  }

 private:
  // A pipe would be waited for without end.
  io::Bytes read_regular(const fs::path& path) const {
    if (fs::exists(path) && !fs::is_regular_file(path)) {
      throw FileError({"the mesh is no regular file", path.string(), "a file", ""});
    }
    return io::read_bytes(path, limits_.bytes);
  }

  const MeshEntry& entry_;
  const MeshLimits& limits_;
  std::vector<io::Bytes> bytes_;
  std::string checksum_;
};

/// What stands at a path when it is sound and made as wanted; else nothing.
std::optional<SphereShape> kept_shape(const fs::path& path, const std::string& source_sha256,
                                      const std::string& made) {
  if (!fs::exists(path)) return std::nullopt;
  try {
    SphereShape shape = read_shape(path);
    if (shape.remarks["source_sha256"] == source_sha256 && shape.remarks["made"] == made) {
      return shape;
    }
  } catch (const FileError&) {
    // Damaged: it is made again.
  }
  return std::nullopt;
}

bool has_rasters(const fs::path& path, const std::string& shape_sha256) {
  if (!fs::exists(path)) return false;
  try {
    const io::SafeTensors content = read_checked(path);
    const auto stated = content.metadata.find("shape_sha256");
    return stated != content.metadata.end() && stated->second == shape_sha256;
  } catch (const FileError&) {
    return false;
  }
}

void write_rasters(const fs::path& path, const SphereShape& shape, const SphereGrid& grid,
                   const std::string& shape_sha256) {
  const std::vector<float> values = rasters(shape, grid);
  io::Array array{io::Dtype::float16,
                  {static_cast<std::int64_t>(shape.maps()), shape.signal.cols()},
                  io::Bytes(2 * values.size())};
  const auto cells = grid.shape();
  array.shape.insert(array.shape.end(), cells.begin(), cells.end());
  auto* halves = reinterpret_cast<std::uint16_t*>(array.bytes.data());
  // Beyond the largest half (65504) infinity would come out; the networks clip far below it.
  for (std::size_t i = 0; i < values.size(); ++i) {
    halves[i] = Eigen::half_impl::float_to_half_rtne(std::clamp(values[i], -65504.0F, 65504.0F)).x;
  }
  io::SafeTensors content;
  content.tensors["maps"] = std::move(array);
  content.metadata["grid"] = grid.name();
  content.metadata["shape_sha256"] = shape_sha256;
  make_folder(path.parent_path());
  write_checked(path, std::move(content));
}

class Preparation {
 public:
  Preparation(const fs::path& output, const PrepareOptions& options)
      : output_(output), options_(options), made_(fingerprint(options.shape)) {}

  std::variant<ShapeEntry, RefusedMesh> run(const MeshEntry& mesh) const {
    const auto refused = [&](const std::string& reason) {
      return RefusedMesh{mesh.category, mesh.id, mesh.mesh.string(), reason};
    };
    if (!mesh.refusal.empty()) return refused(mesh.refusal);
    ShapeEntry entry;
    entry.category = mesh.category;
    entry.id = mesh.id;
    entry.source = mesh.mesh.string();
    const fs::path path = output_ / "shapes" / entry.file();
    std::optional<SphereShape> shape;
    bool fresh = false;
    // Only what concerns this mesh is caught: a full disk ends the whole.
    try {
      const Reader reader(mesh, options_.limits);
      entry.source_sha256 = reader.checksum();
      shape = kept_shape(path, entry.source_sha256, made_);
      if (!shape) {
        const Sources sources = reader.parse();
        shape = sources.spheres.empty()
                    ? make_shape(sources.mesh, options_.shape, mesh.category + "/" + mesh.id)
                    : make_shape(sources.mesh, sources.spheres, options_.shape);
        fresh = true;
      }
    } catch (const Interrupted&) {
      throw;
    } catch (const Error& error) {
      const Failure& failure = error.failure();
      return refused(failure.where.empty() ? failure.what : failure.what + ": " + failure.where);
    } catch (const std::bad_alloc&) {
      return refused("it takes more memory than there is");
    }
    if (fresh) {
      shape->remarks["source_sha256"] = entry.source_sha256;
      shape->remarks["made"] = made_;
      make_folder(path.parent_path());
      write_shape(path, *shape);
    }
    entry.sha256 = shape_checksum(path);
    for (const SphereGrid& grid : options_.grids) {
      const fs::path raster = output_ / "rasters" / grid.name() / entry.file();
      if (!has_rasters(raster, entry.sha256)) write_rasters(raster, *shape, grid, entry.sha256);
    }
    entry.mean = shape->mean;
    entry.mean_square = shape->mean_square;
    entry.remarks = shape->remarks;
    entry.remarks.erase("source_sha256");
    entry.remarks.erase("made");
    return entry;
  }

 private:
  static std::string shape_checksum(const fs::path& path) {
    return read_checked(path).metadata.at("sha256");
  }

  const fs::path& output_;
  const PrepareOptions& options_;
  std::string made_;
};

}  // namespace

ShapeIndex prepare_shapes(const fs::path& source, const fs::path& output,
                          const PrepareOptions& options, const ProgressSink& progress) {
  const std::vector<MeshEntry> meshes = scan_meshes(source);
  make_folder(output);
  const FolderLock lock(output, "preparing shapes of " + source.string());
  const Preparation preparation(output, options);
  std::vector<std::optional<std::variant<ShapeEntry, RefusedMesh>>> results(meshes.size());
  // Meshes differ in cost, so each thread takes the next one instead of a fixed share.
  std::atomic<std::size_t> next{0};
  std::mutex reporting;
  std::uint64_t done = 0;
  parallel_for(thread_count(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t worker = begin; worker < end; ++worker) {
      for (std::size_t i = next++; i < meshes.size(); i = next++) {
        try {
          throw_if_stopped();
          results[i] = preparation.run(meshes[i]);
          const std::lock_guard guard(reporting);
          ++done;
          if (progress) progress(done, meshes.size());
        } catch (...) {
          next = meshes.size();  // the other threads end after the mesh in hand
          throw;
        }
      }
    }
  });
  ShapeIndex index;
  for (const MeshEntry& mesh : meshes) {
    if (mesh.refusal.empty()) index.categories.push_back(mesh.category);
  }
  index.categories.erase(std::unique(index.categories.begin(), index.categories.end()),
                         index.categories.end());
  for (const SphereGrid& grid : options.grids) index.grids.push_back(grid.name());
  for (auto& result : results) {
    if (auto* refused = std::get_if<RefusedMesh>(&*result)) {
      index.refused.push_back(std::move(*refused));
      continue;
    }
    index.shapes.push_back(std::move(std::get<ShapeEntry>(*result)));
    const auto place = std::lower_bound(index.categories.begin(), index.categories.end(),
                                        index.shapes.back().category);
    index.shapes.back().label = static_cast<std::uint32_t>(place - index.categories.begin());
  }
  if (index.shapes.empty()) {
    throw InputError(
        {"no mesh of the folder can be mapped to the sphere", source.string(),
         fmt::format("closed surfaces of genus 0; of the first: {}", index.refused.front().reason),
         "see docs/shapes.md for what a mesh must be"});
  }
  write_index(output, index);
  return index;
}

io::Array read_rasters(const fs::path& output, const ShapeEntry& entry, const SphereGrid& grid) {
  const fs::path path = output / "rasters" / grid.name() / entry.file();
  io::SafeTensors content = read_checked(path);
  const auto maps = content.tensors.find("maps");
  const auto stated = content.metadata.find("shape_sha256");
  const std::vector<std::int64_t> cells = grid.shape();
  const bool fits = maps != content.tensors.end() && stated != content.metadata.end() &&
                    stated->second == entry.sha256 && maps->second.dtype == io::Dtype::float16 &&
                    maps->second.shape.size() == 2 + cells.size() &&
                    std::equal(cells.begin(), cells.end(), maps->second.shape.begin() + 2);
  if (!fits) {
    throw FileError({"the rasters are not those of the shape", path.string(),
                     "maps on the grid " + grid.name(), "prepare the shapes again"});
  }
  return std::move(maps->second);
}

}  // namespace algprior::mesh
