#include "algprior/base/file.hpp"
#include "algprior/sweep/plan.hpp"
#include "row_changes.hpp"
#include "table_reader.hpp"

#include <set>

namespace algprior::sweep {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargestFile = std::uint64_t{1} << 22;
constexpr std::size_t kMostRuns = 10'000;

// A value as --set takes it: texts without quotes, lists without brackets.
std::string override_text(const toml::node& node, const std::string& source) {
  if (const auto* value = node.as_string()) return value->get();
  if (const auto* value = node.as_boolean()) return value->get() ? "true" : "false";
  if (const auto* value = node.as_integer()) return fmt::format("{}", value->get());
  if (const auto* value = node.as_floating_point()) return fmt::format("{}", value->get());
  if (const auto* list = node.as_array()) {
    std::string text;
    for (const toml::node& item : *list) {
      text += (text.empty() ? "" : ",") + override_text(item, source);
    }
    return text;
  }
  reject_node(source, node, "a value", "a text, a number, true, false or a list of them");
}

using Changes = std::vector<std::string>;

// Keys may be written "a.b" or as tables.
void flatten_changes(const toml::table& table, const std::string& prefix, const std::string& source,
                     int depth, Changes& changes) {
  constexpr int kDeepest = 8;
  for (const auto& [key, node] : table) {
    const std::string name = prefix + std::string(key.str());
    if (const toml::table* inner = node.as_table(); inner != nullptr && depth < kDeepest) {
      flatten_changes(*inner, name + ".", source, depth + 1, changes);
    } else {
      changes.push_back(name + "=" + override_text(node, source));
    }
  }
}

// Each axis of the grid as its alternatives.
void flatten_grid(const toml::table& table, const std::string& prefix, const std::string& source,
                  int depth, std::vector<Changes>& axes) {
  constexpr int kDeepest = 8;
  for (const auto& [key, node] : table) {
    const std::string name = prefix + std::string(key.str());
    if (const toml::table* inner = node.as_table(); inner != nullptr && depth < kDeepest) {
      flatten_grid(*inner, name + ".", source, depth + 1, axes);
      continue;
    }
    const toml::array* list = node.as_array();
    if (list == nullptr || list->empty()) {
      reject_node(source, node, "grid." + name, "a list of the values to try, [0.1, 1.0]");
    }
    Changes axis;
    for (const toml::node& item : *list) axis.push_back(name + "=" + override_text(item, source));
    axes.push_back(std::move(axis));
  }
}

std::vector<Changes> combinations(const toml::table& root, const std::string& source) {
  std::vector<Changes> all{{}};
  if (const toml::node* runs = root.get("runs")) {
    const toml::array* list = runs->as_array();
    if (list == nullptr || list->empty()) reject_node(source, *runs, "runs", "[[runs]] tables");
    all.clear();
    for (const toml::node& run : *list) {
      const toml::table* table = run.as_table();
      if (table == nullptr) reject_node(source, run, "an entry of runs", "a table of settings");
      all.emplace_back();
      flatten_changes(*table, "", source, 0, all.back());
    }
  }
  std::vector<Changes> axes;
  if (const toml::node* grid = root.get("grid")) {
    const toml::table* table = grid->as_table();
    if (table == nullptr) reject_node(source, *grid, "grid", "a table of lists");
    flatten_grid(*table, "", source, 0, axes);
  }
  for (const Changes& axis : axes) {
    std::vector<Changes> longer;
    if (all.size() * axis.size() > kMostRuns) {
      throw LimitError({"a sweep is too large", source, fmt::format("at most {} runs", kMostRuns),
                        "make several sweeps of it"});
    }
    for (const Changes& before : all) {
      for (const std::string& value : axis) {
        longer.push_back(before);
        longer.back().push_back(value);
      }
    }
    all = std::move(longer);
  }
  return all;
}

std::vector<std::int64_t> read_seeds(const toml::node* node, const std::string& source) {
  if (node == nullptr) return {0};
  std::vector<std::int64_t> seeds;
  if (const auto* count = node->as_integer()) {
    for (std::int64_t seed = 0; seed < std::min<std::int64_t>(count->get(), kMostRuns); ++seed) {
      seeds.push_back(seed);
    }
  } else if (const auto* list = node->as_array()) {
    for (const toml::node& item : *list) {
      if (!item.is_integer() || item.as_integer()->get() < 0) {
        reject_node(source, item, "a seed", "a whole number of at least 0");
      }
      seeds.push_back(item.as_integer()->get());
    }
  }
  if (seeds.empty()) reject_node(source, *node, "sweep.seeds", "a count, 3, or a list, [0, 4]");
  return seeds;
}

std::vector<Source> read_sources(TableReader& reader, const fs::path& path) {
  const std::string file = reader.text("file");
  const std::vector<std::string> paper = reader.texts("paper"), rows = reader.texts("rows");
  if (file.empty() == paper.empty()) {
    throw InputError({"a sweep is over one experiment file or over rows of the paper",
                      path.string(), "sweep.file = \"my.toml\" or sweep.paper = [\"ddmnist-d4\"]",
                      "give just one of them"});
  }
  if (file.empty()) return paper_sources(paper, rows);
  const fs::path experiment = path.parent_path() / file;  // beside the sweep file
  return {{experiment.string(), read_file(experiment, kLargestFile)}};
}

SlurmSettings read_slurm(const toml::table& root, const std::string& source) {
  const toml::node* node = root.get("slurm");
  if (node != nullptr && !node->is_table()) reject_node(source, *node, "slurm", "a table");
  TableReader reader(node == nullptr ? nullptr : node->as_table(), "slurm", source);
  SlurmSettings slurm;
  slurm.partition = reader.text("partition");
  slurm.account = reader.text("account");
  slurm.time = reader.text("time");
  slurm.memory = reader.text("memory");
  slurm.warning = reader.integer("warning", slurm.warning, 0);
  slurm.requeue = reader.boolean("requeue", slurm.requeue);
  slurm.options = reader.texts("options");
  reader.finish();
  return slurm;
}

toml::table parse_toml(const std::string& text, const fs::path& path) {
  try {
    return toml::parse(text, path.string());
  } catch (const toml::parse_error& error) {
    const auto& place = error.source().begin;
    throw InputError({"the sweep file cannot be read",
                      fmt::format("{}:{}:{}", path.string(), place.line, place.column),
                      std::string(error.description()), "correct the TOML there"});
  }
}

}  // namespace

Manifest read_sweep(const fs::path& path) {
  return parse_sweep(read_file(path, kLargestFile), path);
}

Manifest parse_sweep(const std::string& toml, const fs::path& path) {
  const toml::table root = parse_toml(toml, path);
  const std::string source = path.string();
  TableReader top(&root, "", source);
  for (const char* key : {"sweep", "grid", "runs", "slurm"}) top.find(key);
  top.finish();
  const toml::node* sweep = root.get("sweep");
  if (sweep == nullptr || !sweep->is_table()) {
    throw InputError({"the sweep file has no [sweep]", source, "a table [sweep] with name and file",
                      "see docs/cluster.md for a whole one"});
  }
  TableReader reader(sweep->as_table(), "sweep", source);
  Manifest manifest;
  manifest.name = reader.text("name", path.stem().string());
  const std::vector<Source> sources = read_sources(reader, path);
  const std::vector<std::int64_t> seeds = read_seeds(reader.find("seeds"), source);
  const Changes common = reader.texts("set");
  Policy& policy = manifest.policy;
  policy.threads = static_cast<int>(reader.integer("threads", 1, 1));
  policy.kernels = reader.text("kernels", policy.kernels);
  policy.retries = static_cast<int>(reader.integer("retries", 0, 0));
  policy.fail_fast = reader.boolean("fail_fast", false);
  policy.max_parallel = static_cast<int>(reader.integer("max_parallel", 0, 0));
  reader.finish();
  policy.slurm = read_slurm(root, source);
  const std::vector<Changes> variants = combinations(root, source);
  if (variants.size() * seeds.size() * sources.size() > kMostRuns) {
    throw LimitError({"a sweep is too large", source, fmt::format("at most {} runs", kMostRuns),
                      "make several sweeps of it"});
  }
  std::set<std::string> names;
  for (const std::int64_t seed : seeds) {
    for (const Source& experiment : sources) {
      for (const Changes& variant : variants) {
        Changes changes = common;
        changes.insert(changes.end(), variant.begin(), variant.end());
        Task task = make_task(experiment, seed, changes);
        if (names.insert(task.name).second) manifest.tasks.push_back(std::move(task));
      }
    }
  }
  return manifest;
}

}  // namespace algprior::sweep
