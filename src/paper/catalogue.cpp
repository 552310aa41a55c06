#include "algprior/paper/catalogue.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/suggest.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace algprior {
namespace {

// (path below configs/paper, text), made by cmake/EmbedConfigs.cmake.
constexpr std::pair<std::string_view, std::string_view> kFiles[] = {
#include "paper_configs.inc"
};

// Files of published numbers: published.json of a family's table, published-<variant>.json of
// others.
constexpr std::string_view kPublished = "published";

constexpr std::string_view kStudy = "study";

std::string_view folder_of(std::string_view path) {
  return path.substr(0, path.find('/'));
}

std::string_view stem_of(std::string_view path) {
  const std::size_t start = path.find('/') + 1;
  return path.substr(start, path.rfind('.') - start);
}

// "ddmnist" for ddmnist/published.json, "ddmnist-sensitivity" for published-sensitivity.json beside
// it.
std::optional<std::string> published_name(std::string_view path) {
  const std::string_view stem = stem_of(path);
  if (!stem.starts_with(kPublished)) return std::nullopt;
  return std::string(folder_of(path)).append(stem.substr(kPublished.size()));
}

// A variant may itself have dashes, so the file says which part of its name is the variant.
std::string_view variant_of(std::string_view toml) {
  constexpr std::string_view kKey = "\nvariant = \"";
  const std::size_t start = toml.find(kKey) + kKey.size();
  return toml.substr(start, toml.find('"', start) - start);
}

}  // namespace

const std::vector<PaperRow>& paper_rows() {
  static const std::vector<PaperRow> rows = [] {
    std::vector<PaperRow> result;
    for (const auto& [path, text] : kFiles) {
      const std::string_view stem = stem_of(path);
      if (stem.starts_with(kPublished) || stem == kStudy) continue;
      const std::string_view variant = variant_of(text);
      result.push_back({folder_of(path), variant, stem.substr(variant.size() + 1), text});
    }
    // The order of file names is another one: "lambda-0.5.toml" comes before "lambda-0.toml".
    std::sort(result.begin(), result.end(), [](const PaperRow& a, const PaperRow& b) {
      return std::tie(a.family, a.variant, a.row) < std::tie(b.family, b.variant, b.row);
    });
    return result;
  }();
  return rows;
}

std::vector<PaperRow> rows_of(std::string_view experiment) {
  std::vector<PaperRow> result;
  std::vector<std::string> names;
  for (const PaperRow& row : paper_rows()) {
    const std::string name = row.experiment();
    if (name == experiment || row.family == experiment) result.push_back(row);
    if (names.empty() || names.back() != name) names.push_back(name);
  }
  if (!result.empty()) return result;
  throw InputError({"there is no experiment of this name", std::string(experiment),
                    fmt::format("one of {}", fmt::join(names, ", ")),
                    did_you_mean(experiment, names)});
}

std::string_view published_table(std::string_view name) {
  for (const auto& [path, text] : kFiles) {
    if (published_name(path) == name) return text;
  }
  const std::vector<std::string> names = table_names();
  throw InputError({"there is no table of this name", std::string(name),
                    fmt::format("one of {}", fmt::join(names, ", ")), did_you_mean(name, names)});
}

std::vector<std::string> table_names() {
  std::vector<std::string> names;
  for (const auto& [path, text] : kFiles) {
    if (auto name = published_name(path)) names.push_back(*std::move(name));
  }
  for (std::string& study : study_names()) names.push_back(std::move(study));
  return names;
}

std::vector<std::string> study_names() {
  std::vector<std::string> names;
  for (const auto& [path, text] : kFiles) {
    if (stem_of(path) == kStudy) names.emplace_back(folder_of(path));
  }
  return names;
}

std::string_view study_text(std::string_view name) {
  for (const auto& [path, text] : kFiles) {
    if (stem_of(path) == kStudy && folder_of(path) == name) return text;
  }
  const std::vector<std::string> names = study_names();
  throw InputError({"there is no study of this name", std::string(name),
                    fmt::format("one of {}", fmt::join(names, ", ")), did_you_mean(name, names)});
}

std::string missing_runs(std::string_view experiment, std::string_view row,
                         const std::set<std::uint64_t>& seeds, std::uint64_t wanted) {
  std::vector<std::uint64_t> missing;
  for (std::uint64_t seed = 0; seed < wanted; ++seed) {
    if (!seeds.contains(seed)) missing.push_back(seed);
  }
  if (missing.empty()) return "";
  const std::string rows = row.empty() ? "" : fmt::format(" --rows {}", row);
  // A list of one ends in a comma: a number alone is a count.
  const std::string option = missing.size() == wanted ? fmt::format("{}", wanted)
                                                      : fmt::format("{}{}", fmt::join(missing, ","),
                                                                    missing.size() == 1 ? "," : "");
  return fmt::format("algprior paper run {}{} --seeds {}", experiment, rows, option);
}

}  // namespace algprior
