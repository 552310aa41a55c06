#include "algprior/mesh/shape_index.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/base/random.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace algprior::mesh {
namespace {

using Json = nlohmann::ordered_json;
constexpr const char* kFormat = "algprior shapes 1";

Json numbers_to_json(const Eigen::VectorXd& values) {
  return Json(std::vector<double>(values.data(), values.data() + values.size()));
}

Eigen::VectorXd numbers_of(const Json& json) {
  const auto values = json.get<std::vector<double>>();
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

}  // namespace

void write_index(const std::filesystem::path& folder, const ShapeIndex& index) {
  Json document{{"format", kFormat}, {"categories", index.categories}, {"grids", index.grids}};
  document["shapes"] = Json::array();
  for (const ShapeEntry& entry : index.shapes) {
    document["shapes"].push_back({{"category", entry.category},
                                  {"id", entry.id},
                                  {"label", entry.label},
                                  {"source", entry.source},
                                  {"source_sha256", entry.source_sha256},
                                  {"sha256", entry.sha256},
                                  {"mean", numbers_to_json(entry.mean)},
                                  {"mean_square", numbers_to_json(entry.mean_square)},
                                  {"remarks", entry.remarks}});
  }
  document["refused"] = Json::array();
  for (const RefusedMesh& mesh : index.refused) {
    document["refused"].push_back({{"category", mesh.category},
                                   {"id", mesh.id},
                                   {"source", mesh.source},
                                   {"reason", mesh.reason}});
  }
  // Names of files need not be UTF-8.
  write_file(folder / "index.json",
             document.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

ShapeIndex read_index(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / "index.json";
  const std::string text = read_file(path, std::uint64_t{1} << 30);
  try {
    const Json document = Json::parse(text);
    if (document.at("format") != kFormat) throw std::runtime_error("another format");
    ShapeIndex index;
    document.at("categories").get_to(index.categories);
    document.at("grids").get_to(index.grids);
    for (const Json& json : document.at("shapes")) {
      ShapeEntry entry;
      json.at("category").get_to(entry.category);
      json.at("id").get_to(entry.id);
      json.at("label").get_to(entry.label);
      json.at("source").get_to(entry.source);
      json.at("source_sha256").get_to(entry.source_sha256);
      json.at("sha256").get_to(entry.sha256);
      entry.mean = numbers_of(json.at("mean"));
      entry.mean_square = numbers_of(json.at("mean_square"));
      json.at("remarks").get_to(entry.remarks);
      if (entry.label >= index.categories.size() || entry.mean.size() != entry.mean_square.size()) {
        throw std::runtime_error("an entry contradicts itself");
      }
      index.shapes.push_back(std::move(entry));
    }
    for (const Json& json : document.at("refused")) {
      index.refused.push_back(
          {json.at("category"), json.at("id"), json.at("source"), json.at("reason")});
    }
    return index;
  } catch (const std::exception& error) {
    throw FileError({"the index of shapes is damaged", path.string(), error.what(),
                     "remove it and prepare the shapes again"});
  }
}

float Normalisation::operator()(float value, Eigen::Index channel) const {
  const double sd = deviation[channel];
  if (!(sd > 0.0)) return 0.0F;
  const double y = std::clamp((value - (mean[channel] - 2.5 * sd)) / (5.0 * sd), 0.0, 1.0);
  return static_cast<float>(2.0 * y - 1.0);
}

Normalisation normalisation(const ShapeIndex& index, const std::vector<std::size_t>& which) {
  if (which.empty() || std::any_of(which.begin(), which.end(),
                                   [&](std::size_t i) { return i >= index.shapes.size(); })) {
    throw InputError({"statistics are taken over shapes of the index",
                      fmt::format("{} of {}", which.size(), index.shapes.size()), "one or more",
                      ""});
  }
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(index.shapes[which[0]].mean.size());
  Eigen::VectorXd square = mean;
  for (const std::size_t i : which) {
    if (index.shapes[i].mean.size() != mean.size()) {
      throw InputError({"shapes have different numbers of channels", index.shapes[i].file(),
                        fmt::format("{}", mean.size()), "prepare them again"});
    }
    mean += index.shapes[i].mean / static_cast<double>(which.size());
    square += index.shapes[i].mean_square / static_cast<double>(which.size());
  }
  return {mean, (square - mean.cwiseAbs2()).cwiseMax(0.0).cwiseSqrt()};
}

ShapeSplit split_shapes(const ShapeIndex& index, const SplitOptions& options) {
  ShapeSplit split;
  for (std::uint32_t label = 0; label < index.categories.size(); ++label) {
    const std::string& category = index.categories[label];
    if (std::count(options.skipped.begin(), options.skipped.end(), category) > 0) continue;
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < index.shapes.size(); ++i) {
      if (index.shapes[i].label == label) members.push_back(i);
    }
    const bool enough =
        options.test > 0 ? members.size() > options.train : members.size() >= options.train;
    if (!enough) {
      throw InputError({"a category has too few shapes",
                        fmt::format("{}: {}", category, members.size()),
                        fmt::format("more than {}", options.train), "skip it, or train on fewer"});
    }
    RandomStream random(RandomKey(options.seed, "shape split").purpose(category));
    const auto order = random.permutation(static_cast<std::uint32_t>(members.size()));
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i < options.train) {
        split.train.push_back(members[order[i]]);
      } else if (i - options.train < options.test) {
        split.test.push_back(members[order[i]]);
      }
    }
  }
  return split;
}

const std::vector<std::string>& shrec11_skipped() {
  static const std::vector<std::string> skipped{"glasses", "lamp", "myScissor", "snake",
                                                "two_balls"};
  return skipped;
}

}  // namespace algprior::mesh
