#include "algprior/base/error.hpp"
#include "algprior/base/parallel.hpp"
#include "algprior/base/suggest.hpp"
#include "algprior/data/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace algprior {
namespace {

std::vector<std::string> skipped_of(const std::vector<std::string>& known,
                                    const ShapeSplitOptions& options) {
  if (options.categories.empty()) return options.skipped;
  for (const std::string& name : options.categories) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    throw InputError({"there is no category of this name", name,
                      fmt::format("one of {}", fmt::join(known, ", ")), did_you_mean(name, known)});
  }
  std::vector<std::string> skipped;
  for (const std::string& name : known) {
    const auto& wanted = options.categories;
    if (std::find(wanted.begin(), wanted.end(), name) == wanted.end()) skipped.push_back(name);
  }
  return skipped;
}

/// Loads shape i of an index.
using LoadShape = std::function<mesh::SphereShape(std::size_t i)>;

ShapeSplits split_and_load(const mesh::ShapeIndex& index, const ShapeSplitOptions& options,
                           const LoadShape& load) {
  if (options.train < 1 || options.validation < 1 || options.test < 1) {
    throw InputError({"a split of shapes has an empty part",
                      fmt::format("{} to train, {} to validate, {} to test", options.train,
                                  options.validation, options.test),
                      "at least 1 of each", ""});
  }
  const auto skipped = skipped_of(index.categories, options);
  const auto held_out = static_cast<std::size_t>(options.validation + options.test);
  const mesh::ShapeSplit split =
      mesh::split_shapes(index, {.train = static_cast<std::size_t>(options.train),
                                 .test = held_out,
                                 .seed = options.seed,
                                 .skipped = skipped});
  // The first shapes that a category holds out validate, as long as one is left to test.
  std::vector<std::size_t> counts(index.categories.size(), 0), seen(counts);
  for (const std::size_t i : split.test) ++counts[index.shapes[i].label];
  std::vector<std::size_t> validation, test;
  for (const std::size_t i : split.test) {
    const std::uint32_t label = index.shapes[i].label;
    const auto most = static_cast<std::size_t>(options.validation);
    const bool validates = seen[label]++ < std::min(most, counts[label] - 1);
    (validates ? validation : test).push_back(i);
  }

  ShapeSplits result;
  std::vector<std::int64_t> labels(index.categories.size(), -1);
  for (std::size_t i = 0; i < index.categories.size(); ++i) {
    const std::string& name = index.categories[i];
    if (std::find(skipped.begin(), skipped.end(), name) != skipped.end()) continue;
    labels[i] = static_cast<std::int64_t>(result.categories.size());
    result.categories.push_back(name);
  }
  const auto list = [&](const std::vector<std::size_t>& which) {
    auto shapes = std::make_shared<std::vector<LabelledShape>>(which.size());
    parallel_for(static_cast<std::int64_t>(which.size()),
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t k = begin; k < end; ++k) {
                     const auto place = static_cast<std::size_t>(k);
                     LabelledShape& one = (*shapes)[place];
                     one.shape = load(which[place]);
                     one.label = labels[index.shapes[which[place]].label];
                     one.neighbours = mesh::face_neighbours(one.shape.faces);
                   }
                 });
    return shapes;
  };
  result.train = list(split.train);
  result.validation = list(validation);
  result.test = list(test);

  Eigen::VectorXd mean, square;
  double count = 0.0;
  const auto add = [&](const ShapeList& shapes) {
    for (const LabelledShape& one : *shapes) {
      if (count == 0.0) mean = square = Eigen::VectorXd::Zero(one.shape.mean.size());
      if (one.shape.mean.size() != mean.size()) {
        throw InputError({"shapes have different numbers of channels",
                          fmt::format("{}", one.shape.mean.size()), fmt::format("{}", mean.size()),
                          "prepare them again"});
      }
      mean += one.shape.mean;
      square += one.shape.mean_square;
      count += 1.0;
    }
  };
  add(result.train);
  if (!options.training_statistics) {
    add(result.validation);
    add(result.test);
  }
  mean /= count;
  square /= count;
  result.normalisation = {mean, (square - mean.cwiseAbs2()).cwiseMax(0.0).cwiseSqrt()};
  return result;
}

}  // namespace

ShapeSplits read_shapes(const std::filesystem::path& folder, const ShapeSplitOptions& options) {
  const mesh::ShapeIndex index = mesh::read_index(folder);
  return split_and_load(index, options, [&](std::size_t i) {
    return mesh::read_shape(folder / "shapes" / index.shapes[i].file());
  });
}

ShapeSplits make_procedural_shapes(mesh::ProceduralOptions shapes, std::int64_t copies,
                                   const ShapeSplitOptions& options) {
  shapes.instances = static_cast<int>(options.train + options.validation + options.test);
  mesh::ShapeIndex index;
  for (int category = 0; category < shapes.categories; ++category) {
    index.categories.push_back(mesh::procedural_category(category));
    for (int instance = 0; instance < shapes.instances; ++instance) {
      mesh::ShapeEntry entry;
      entry.category = index.categories.back();
      entry.id = std::to_string(instance);
      entry.label = static_cast<std::uint32_t>(category);
      index.shapes.push_back(std::move(entry));
    }
  }
  mesh::ShapeOptions shape_options;
  shape_options.copies = static_cast<int>(copies);
  shape_options.seed = shapes.seed;
  // A coarse icosphere is asked for where time counts more than the map.
  constexpr int kFine = 3;
  if (shapes.level < kFine) shape_options.fewest_vertices = 0;
  return split_and_load(index, options, [&](std::size_t i) {
    const mesh::ShapeEntry& entry = index.shapes[i];
    const auto body =
        mesh::procedural_shape(static_cast<int>(entry.label), std::stoi(entry.id), shapes);
    return mesh::make_shape(body, shape_options, entry.category + "/" + entry.id);
  });
}

}  // namespace algprior
