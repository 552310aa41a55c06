#include "own_action.hpp"

#include "algprior/action/axis.hpp"
#include "algprior/action/planar.hpp"
#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/group/permutation.hpp"
#include "algprior/rep/constructions.hpp"
#include "algprior/rep/make_representation.hpp"
#include "matrix_file.hpp"
#include "resampling_words.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace algprior {
namespace {

[[noreturn]] void refuse_generators(const Group& group, const std::string& key, std::size_t given,
                                    const std::string& expected) {
  throw InputError(
      {fmt::format("{} does not fit the generators of {}", key, group.name()),
       fmt::format("{} given, generators {}", given, fmt::join(group.generator_names(), ", ")),
       expected, "algprior group " + group.name() + " shows them"});
}

Representation by_permutations(const Group& group, const std::vector<std::string>& cycles) {
  if (cycles.size() != group.generators().size()) {
    refuse_generators(group, "data.permutations", cycles.size(),
                      "one permutation in cycles for each, such as \"(1,2,3)\"");
  }
  // Read together, so that all get the degree of the largest point.
  return permutation_representation(group,
                                    parse_permutations(fmt::format("{}", fmt::join(cycles, ";"))));
}

Representation by_matrices(const Group& group, const std::vector<double>& numbers) {
  const std::size_t count = group.generators().size();
  const auto side = static_cast<std::size_t>(std::llround(
      std::sqrt(static_cast<double>(numbers.size() / std::max<std::size_t>(count, 1)))));
  const bool finite =
      std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
  if (numbers.empty() || side * side * count != numbers.size() || !finite) {
    refuse_generators(group, "data.matrices", numbers.size(),
                      "d x d finite numbers for each, row by row");
  }
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto d = static_cast<Eigen::Index>(side);
  std::vector<Eigen::MatrixXd> generators;
  for (std::size_t k = 0; k < count; ++k) {
    generators.emplace_back(Eigen::Map<const RowMajor>(numbers.data() + k * side * side, d, d));
  }
  return matrix_representation(group, std::move(generators));
}

}  // namespace

void OwnActionSettings::bind(config::Fields& fields) {
  fields.text("data.group", group,
              "how the data is symmetric: D4, C4, D1, …; in space cube, Oh, …; on an axis any "
              "group that `algprior group` reads");
  fields
      .text(
          "data.action", kind,
          "how it acts; plane: images N×C×H×W turn and flip; space: volumes N×C×n×n×n turn; axis: "
          "one axis of samples of any shape")
      .one_of({"plane", "space", "axis"});
  fields.when("data.action", {"plane"}, [&] {
    fields.choice("data.resampling", resampling, kResamplings,
                  "for groups whose turns miss the pixel grid (C3, D3, C8, …)");
  });
  fields.when("data.action", {"axis"}, [&] {
    fields.integer("data.axis", axis, "the axis, counted without N: 0 for channels or coordinates")
        .at_least(0);
    fields.text(
        "data.representation", representation,
        "by what: permutations or matrices, those of data.permutations or data.matrices; or a "
        "text as prior.representation has them, defining being the group's own permutations");
    fields.when("data.representation", {"permutations"}, [&] {
      fields.texts("data.permutations", permutations,
                   "one for each generator, in cycles with points from 1: \"(1,2,3)(4,5)\"");
    });
    fields.when("data.representation", {"matrices"}, [&] {
      fields.reals("data.matrices", matrices,
                   "one for each generator, row by row, one after the other");
      fields.path("data.matrices_file", matrices_file,
                  "instead of data.matrices: an NPZ or safetensors file with an array d×d for each "
                  "generator under its name, or an NPY file generators×d×d; relative to the file "
                  "in which it stands");
    });
  });
}

Representation OwnActionSettings::own_matrices(const Group& own) const {
  if (matrices_file.empty()) return by_matrices(own, matrices);
  if (matrices.empty()) {
    return read_matrix_representation(own, matrices_file, "data.matrices_file");
  }
  throw InputError({"matrices are given twice", "data.matrices and data.matrices_file",
                    "one of them", "leave one out"});
}

Action OwnActionSettings::action() const {
  const Group own = make_group(group);
  if (kind == "plane") return planar_action(own, resampling);
  if (kind == "space") return volume_action(own);
  if (representation == "permutations") {
    return axis_action(by_permutations(own, permutations), axis);
  }
  if (representation == "matrices") return axis_action(own_matrices(own), axis);
  return axis_action(make_representation(own, representation), axis);
}

void OwnActionSettings::check_shape(at::IntArrayRef sample, const std::string& where) const {
  const bool fits = kind == "plane"   ? sample.size() == 3
                    : kind == "space" ? sample.size() == 4
                                      : !sample.empty();
  if (fits) return;
  throw InputError({kind == "plane"   ? "the inputs are no images"
                    : kind == "space" ? "the inputs are no volumes"
                                      : "the inputs have no axis to act on",
                    fmt::format("{}: N x {}", where, fmt::join(sample, " x ")),
                    kind == "plane"   ? "N x C x H x W"
                    : kind == "space" ? "N x C x n x n x n"
                                      : "at least one axis behind N",
                    "reshape the array, or choose another data.action"});
}

}  // namespace algprior
