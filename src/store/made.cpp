#include "algprior/store/made.hpp"

#include "algprior/base/file.hpp"
#include "algprior/io/checksum.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <nlohmann/json.hpp>

namespace algprior::store {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kManifestName = "manifest.json";
constexpr std::uint64_t kLargestManifest = std::uint64_t{16} << 20;

bool stays_inside(const std::string& name) {
  const fs::path path = fs::path(name).lexically_normal();
  return !name.empty() && path.is_relative() && path.has_filename() && *path.begin() != "..";
}

std::optional<Manifest> read_manifest(const fs::path& folder) {
  const fs::path path = folder / kManifestName;
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  return parse_manifest(read_file(path, kLargestManifest), path.string());
}

bool has_size(const fs::path& path, std::uint64_t size) {
  std::error_code error;
  return fs::is_regular_file(path, error) && fs::file_size(path, error) == size && !error;
}

const fs::path& made_here(const fs::path& folder) {
  make_folder(folder);
  return folder;
}

auto position_of(std::vector<Content>& files, std::string_view name) {
  return std::lower_bound(files.begin(), files.end(), name,
                          [](const Content& file, std::string_view n) { return file.file < n; });
}

}  // namespace

std::uint64_t Manifest::size() const {
  return std::accumulate(files.begin(), files.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const Content& file) { return sum + file.size; });
}

std::string to_json(const Manifest& manifest) {
  Json document{{"set", manifest.set},
                {"settings", manifest.settings},
                {"complete", manifest.complete},
                {"files", Json::array()}};
  for (const Content& file : manifest.files) {
    document["files"].push_back(
        {{"name", file.file}, {"size", file.size}, {"sha256", file.sha256}});
  }
  return document.dump(2) + "\n";
}

Manifest parse_manifest(const std::string& text, const std::string& source) {
  const auto refuse = [&](const std::string& expected) {
    return FileError({"cannot read a manifest", source, expected,
                      "delete the file and make the data again with `algprior data get NAME`"});
  };
  const Json document = Json::parse(text, nullptr, false);
  Manifest manifest;
  try {
    document.at("set").get_to(manifest.set);
    document.at("settings").get_to(manifest.settings);
    document.at("complete").get_to(manifest.complete);
    for (const Json& file : document.at("files")) {
      manifest.files.push_back({file.at("name").get<std::string>(),
                                file.at("size").get<std::uint64_t>(),
                                file.at("sha256").get<std::string>()});
    }
  } catch (const Json::exception&) {
    throw refuse("an object of set, settings, complete and files {name, size, sha256}");
  }
  for (std::size_t i = 0; i < manifest.files.size(); ++i) {
    const std::string& name = manifest.files[i].file;
    if (!stays_inside(name)) throw refuse("names inside the folder, found \"" + name + "\"");
    if (i > 0 && name <= manifest.files[i - 1].file) throw refuse("every name once, in order");
  }
  return manifest;
}

std::optional<MadeFolder> find_made_if_present(const Store& store, const std::string& set) {
  for (const fs::path& place : store.folders) {
    const fs::path folder = place / set;
    const auto manifest = read_manifest(folder);
    if (!manifest || !manifest->complete || manifest->set != set) continue;
    const bool whole =
        std::all_of(manifest->files.begin(), manifest->files.end(),
                    [&](const Content& file) { return has_size(folder / file.file, file.size); });
    if (whole) return MadeFolder{folder, *manifest};
  }
  return std::nullopt;
}

MadeFolder find_made(const Store& store, const std::string& set) {
  if (auto made = find_made_if_present(store, set)) return std::move(*made);
  std::string places;
  for (const fs::path& folder : store.folders) {
    places += (places.empty() ? "" : ", ") + (folder / set).string();
  }
  throw FileError({"a data set is missing, or not whole", set,
                   "a folder with a complete manifest.json and its files: " + places,
                   "run `algprior data get " + set + "`"});
}

MadeFolder find_made(const std::string& set) {
  return find_made(default_store(), set);
}

std::string verify_made(const MadeFolder& made, const Content& file, const ProgressSink& progress) {
  const fs::path path = made.folder / file.file;
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return "missing";
  return verify(path, DataFile{{file}, {}}, progress);
}

Making::Making(fs::path folder, std::string set, std::map<std::string, std::string> settings)
    : folder_(std::move(folder)), lock_(made_here(folder_), "algprior data get " + set) {
  manifest_ = {std::move(set), std::move(settings), false, {}};
  try {
    const auto earlier = read_manifest(folder_);
    if (!earlier || earlier->set != manifest_.set || earlier->settings != manifest_.settings) {
      return;
    }
    for (const Content& file : earlier->files) {
      if (verify_made({folder_, *earlier}, file).empty()) manifest_.files.push_back(file);
    }
  } catch (const FileError&) {
    // A damaged manifest vouches for nothing: all files are made again.
    manifest_.files.clear();
  }
}

bool Making::has(std::string_view name) const {
  const std::lock_guard guard(mutex_);
  return std::any_of(manifest_.files.begin(), manifest_.files.end(),
                     [&](const Content& file) { return file.file == name; });
}

void Making::put(const std::string& name, io::ByteView bytes) {
  if (!stays_inside(name)) {
    throw InputError({"a data file cannot have this name", name, "a name inside the folder", ""});
  }
  make_folder((folder_ / name).parent_path());
  io::write_bytes(folder_ / name, bytes);
  Content content{name, bytes.size(), io::sha256(bytes)};
  const std::lock_guard guard(mutex_);
  const auto place = position_of(manifest_.files, name);
  if (place != manifest_.files.end() && place->file == name) {
    *place = std::move(content);
  } else {
    manifest_.files.insert(place, std::move(content));
  }
  write();
}

void Making::finish() {
  const std::lock_guard guard(mutex_);
  manifest_.complete = true;
  write();
}

void Making::write() const {
  write_file(folder_ / kManifestName, to_json(manifest_));
}

}  // namespace algprior::store
