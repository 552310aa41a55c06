#include "algprior/mesh/shrec11.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/base/parallel.hpp"
#include "algprior/base/paths.hpp"
#include "algprior/io/checksum.hpp"
#include "algprior/store/made.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace algprior::mesh {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSet = "shrec11";
constexpr const char* kHowToGetMaps =
    "the maps of the published experiments are in SHREC_11_CONF.zip, to which the READMEs of the "
    "repositories MobiusConv and Neural Isometries link: unpack it as SHREC_11_CONF into a folder "
    "of "
    "ALGPRIOR_DATA";

/// The manifest vouches for the files that the index names, and for nothing that lies beside them.
void write_manifest(const fs::path& output, const ShapeIndex& index) {
  store::Manifest manifest;
  manifest.set = kSet;
  manifest.complete = true;
  manifest.settings["shapes"] = fmt::format("{}", index.shapes.size());
  manifest.settings["refused"] = fmt::format("{}", index.refused.size());
  std::vector<std::string> names{"index.json"};
  for (const ShapeEntry& entry : index.shapes) {
    names.push_back("shapes/" + entry.file());
    for (const std::string& grid : index.grids) {
      names.push_back(fmt::format("rasters/{}/{}", grid, entry.file()));
    }
  }
  std::sort(names.begin(), names.end());
  manifest.files.resize(names.size());
  parallel_for(static_cast<std::int64_t>(names.size()), [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      const io::Bytes bytes = io::read_bytes(output / names[i]);
      manifest.files[i] = {names[i], bytes.size(), io::sha256(bytes)};
    }
  });
  write_file(output / "manifest.json", store::to_json(manifest));
}

}  // namespace

fs::path find_shrec11() {
  std::string places;
  for (const fs::path& folder : data_folders()) {
    for (const char* name : {"SHREC_11_CONF", "shrec11", "shrec_16"}) {
      const fs::path path = folder / name;
      if (fs::is_directory(path) && !fs::exists(path / "index.json") &&
          !fs::exists(path / "shapes")) {
        return path;
      }
    }
    places += (places.empty() ? "" : ", ") + folder.string();
  }
  throw FileError({"the meshes of SHREC'11 are in none of the data folders", places,
                   "SHREC_11_CONF, shrec11 or shrec_16 in one of them",
                   fmt::format("put MeshCNN's simplified meshes there as shrec_16; {}; see "
                               "docs/shapes.md for all layouts",
                               kHowToGetMaps)});
}

ShapeIndex prepare_shrec11(const fs::path& source, const fs::path& output,
                           const ProgressSink& progress) {
  const ShapeIndex index = prepare_shapes(source, output, PrepareOptions{}, progress);
  write_manifest(output, index);
  return index;
}

std::string shrec11_remark(const fs::path& output) {
  const ShapeIndex index = read_index(output);
  std::string text =
      fmt::format("{} shapes of {} categories", index.shapes.size(), index.categories.size());
  for (const RefusedMesh& mesh : index.refused) {
    text += fmt::format("\n  refused: {}: {}", mesh.source, mesh.reason);
  }
  const bool own = std::any_of(index.shapes.begin(), index.shapes.end(), [](const ShapeEntry& e) {
    const auto method = e.remarks.find("method");
    return method != e.remarks.end() && method->second == "given";
  });
  if (!own) {
    text += fmt::format("\n  {}, remove {} and get it again", kHowToGetMaps, output.string());
  }
  return text;
}

}  // namespace algprior::mesh
