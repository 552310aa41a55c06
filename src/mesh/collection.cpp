#include "algprior/mesh/collection.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/mesh/mesh_file.hpp"
#include "text_lines.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

namespace algprior::mesh {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> sorted_children(const fs::path& folder) {
  std::vector<fs::path> children;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (it->path().filename().string().front() != '.') children.push_back(it->path());
  }
  if (error) throw make_file_error("cannot list the folder of meshes", folder, error.value());
  std::sort(children.begin(), children.end());
  return children;
}

/// Numbers by value, so that T9 stands before T10.
bool natural_less(const std::string& a, const std::string& b) {
  const auto split = [](const std::string& text) {
    const std::size_t digits = text.find_last_not_of("0123456789") + 1;
    const auto number = number_of<std::uint64_t>(std::string_view(text).substr(digits));
    return std::tuple(text.substr(0, digits), number.value_or(0), text);
  };
  return split(a) < split(b);
}

void add_mesh(std::vector<MeshEntry>& entries, const std::string& category, const fs::path& path) {
  entries.push_back({category, path.stem().string(), path, {}, {}});
}

/// Files of one stem in one category ("train/T5.obj", "test/T5.obj") get names of their own.
void make_unique(std::vector<MeshEntry>& entries) {
  std::set<std::pair<std::string, std::string>> seen;
  for (MeshEntry& entry : entries) {
    const std::string stem = entry.id;
    for (int i = 2; !seen.emplace(entry.category, entry.id).second; ++i) {
      entry.id = fmt::format("{}-{}", stem, i);
    }
  }
}

std::optional<fs::path> mesh_with_stem(const fs::path& folder, const std::string& stem) {
  for (const char* extension : {".ply", ".obj", ".off"}) {
    if (fs::path path = folder / (stem + extension); fs::exists(path)) return path;
  }
  return std::nullopt;
}

/// The copies 0, 1, … of a sphere mesh; one that is missing among them makes the others doubtful.
void add_copies(MeshEntry& entry, const fs::path& folder) {
  if (!fs::is_directory(folder)) return;
  const std::vector<fs::path> files = sorted_children(folder);
  const auto copies = std::count_if(files.begin(), files.end(), is_mesh_name);
  for (std::ptrdiff_t k = 0; k < copies; ++k) {
    const auto copy = mesh_with_stem(folder, std::to_string(k));
    if (!copy) {
      entry.refusal = fmt::format("copy {} of its sphere map is missing: {} files in {}", k, copies,
                                  folder.string());
      return;
    }
    entry.spheres.push_back(*copy);
  }
}

std::vector<MeshEntry> scan_conformal(const fs::path& root) {
  std::vector<MeshEntry> entries;
  for (const fs::path& category : sorted_children(root / "base")) {
    if (!fs::is_directory(category)) continue;
    const std::string name = category.filename().string();
    for (const fs::path& path : sorted_children(category)) {
      if (!is_mesh_name(path)) continue;
      add_mesh(entries, name, path);
      MeshEntry& entry = entries.back();
      // A mesh without its sphere stays in the list and is mapped like any other.
      const auto sphere = mesh_with_stem(root / "base_sphere" / name, entry.id);
      if (!sphere) continue;
      entry.spheres.push_back(*sphere);
      const fs::path copies = root / "mobius_sphere" / name / entry.id;
      add_copies(entry, copies);
    }
  }
  return entries;
}

std::vector<MeshEntry> scan_categories(const fs::path& root) {
  std::vector<MeshEntry> entries;
  for (const fs::path& category : sorted_children(root)) {
    if (!fs::is_directory(category)) continue;
    const std::string name = category.filename().string();
    for (const fs::path& child : sorted_children(category)) {
      if (is_mesh_name(child)) add_mesh(entries, name, child);
      if (!fs::is_directory(child)) continue;
      for (const fs::path& path : sorted_children(child)) {
        if (is_mesh_name(path)) add_mesh(entries, name, path);
      }
    }
  }
  return entries;
}

std::vector<MeshEntry> scan_labelled(const fs::path& root, const std::vector<fs::path>& children) {
  std::vector<MeshEntry> entries;
  for (const fs::path& path : children) {
    const std::string extension = path.extension().string();
    if (!fs::is_regular_file(path) || (extension != ".txt" && extension != ".cla")) continue;
    const std::string text = read_file(path, 1 << 20);
    if (text.substr(0, 3) != "PSB") continue;
    std::set<fs::path> labelled;
    for (const auto& [category, ids] : parse_psb_labels(text, path.string())) {
      for (const std::string& id : ids) {
        add_mesh(entries, category, root / ("T" + id + ".off"));
        labelled.insert(entries.back().mesh);
      }
    }
    for (const fs::path& child : children) {
      if (!is_mesh_name(child) || labelled.contains(child)) continue;
      add_mesh(entries, "", child);
      entries.back().refusal = "the label file " + path.filename().string() + " does not name it";
    }
    break;
  }
  return entries;
}

}  // namespace

std::vector<MeshEntry> scan_meshes(const fs::path& folder) {
  fs::path root = folder;
  for (const char* inner : {"SHREC_11_CONF", "shrec_16"}) {
    if (fs::is_directory(folder / inner)) {
      root = folder / inner;
      break;
    }
  }
  const std::vector<fs::path> children = sorted_children(root);
  std::vector<MeshEntry> entries;
  if (fs::is_directory(root / "base") && fs::is_directory(root / "base_sphere")) {
    entries = scan_conformal(root);
  } else if (std::any_of(children.begin(), children.end(), is_mesh_name)) {
    entries = scan_labelled(root, children);
  } else {
    entries = scan_categories(root);
  }
  if (entries.empty()) {
    throw InputError({"the folder holds no collection of meshes", folder.string(),
                      "CLASS/ID.off (or .obj, .ply), SHREC_11_CONF, shrec_16, or T<ID>.off with a "
                      "PSB label file",
                      "see docs/shapes.md for the layouts"});
  }
  std::sort(entries.begin(), entries.end(), [](const MeshEntry& a, const MeshEntry& b) {
    if (a.category != b.category) return a.category < b.category;
    return a.id != b.id ? natural_less(a.id, b.id) : a.mesh < b.mesh;
  });
  make_unique(entries);
  return entries;
}

std::map<std::string, std::vector<std::string>> parse_psb_labels(std::string_view text,
                                                                 const std::string& name) {
  Lines lines(text, name);
  std::string_view line;
  if (!lines.next_filled(line) || Words(line).next() != "PSB") {
    fail_mesh(name, "the label file does not begin with PSB", "PSB 1");
  }
  if (!lines.next_filled(line)) fail_mesh(lines.where(), "the label file has no counts");
  Words counts(line);
  const auto classes = number_of<std::uint64_t>(counts.next());
  const auto models = number_of<std::uint64_t>(counts.next());
  if (!classes || !models || *models > text.size()) {
    fail_mesh(lines.where(), "the label file has no usable counts",
              "the numbers of classes and models");
  }
  std::map<std::string, std::vector<std::string>> labels;
  std::uint64_t found = 0;
  while (lines.next_filled(line)) {
    Words words(line);
    std::string category(words.next());
    words.next();
    const auto count = number_of<std::uint64_t>(words.next());
    if (!count || *count > *models) {
      fail_mesh(lines.where(), "a class has no usable count", "NAME PARENT COUNT");
    }
    if (category.size() > 5 && category.ends_with("_test")) category.resize(category.size() - 5);
    std::vector<std::string>& ids = labels[category];
    for (std::uint64_t i = 0; i < *count; ++i, ++found) {
      if (!lines.next_filled(line)) {
        fail_mesh(lines.where(), fmt::format("the class {} ends early", category.substr(0, 40)),
                  fmt::format("{} ids", *count));
      }
      const std::string id(Words(line).next());
      // An id becomes part of a file's name.
      if (!number_of<std::uint64_t>(id)) {
        fail_mesh(lines.where(), fmt::format("\"{}\" is no id", id.substr(0, 40)), "a number");
      }
      ids.push_back(id);
    }
  }
  if (found != *models || labels.size() > *classes) {
    fail_mesh(name,
              fmt::format("the label file lists {} models of {} classes", found, labels.size()),
              fmt::format("{} of {}", *models, *classes));
  }
  return labels;
}

}  // namespace algprior::mesh
