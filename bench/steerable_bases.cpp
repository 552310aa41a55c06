// What a steerable network waits for before its first step: the bases of all its kernels, solved,
// and read from the cache. Answers are compared first.
#include "algprior/group/make_group.hpp"
#include "algprior/nn/steerable/continuous.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include <fmt/format.h>

using namespace algprior;
using namespace algprior::steerable;

namespace {

double fastest_ms(int repetitions, const std::function<void()>& work) {
  double best = 1e300;
  for (int i = 0; i < repetitions; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
  }
  return best;
}

struct Layer {
  int kernel;
  FieldType in, out;
};

}  // namespace

int main() {
  const auto folder = std::filesystem::temp_directory_path() / "algprior-bench-bases";
  std::filesystem::remove_all(folder);
  setenv("XDG_CACHE_HOME", folder.c_str(), 1);
  constexpr int kRepetitions = 5;
  bool all_agree = true;
  const auto race = [&](const char* name, int axes,
                        const std::function<std::vector<Layer>()>& make) {
    std::vector<Layer> layers;
    const double fields = fastest_ms(1, [&] { layers = make(); });
    const auto for_layers = [&](const auto& body) {
      for (const Layer& layer : layers) {
        body(make_spatial_basis({.axes = axes, .kernel = layer.kernel}), layer.out, layer.in);
      }
    };
    bool agree = true;
    for_layers([&](const SpatialBasis& space, const FieldType& out, const FieldType& in) {
      const PairBasis solved = solve_equivariant_basis(space, out, in);
      agree = agree && *read_or_solve_basis(space, out, in) == solved;  // solves, and writes
      agree = agree && *read_or_solve_basis(space, out, in) == solved;  // reads
    });
    const double solve = fastest_ms(kRepetitions, [&] { for_layers(solve_equivariant_basis); });
    const double read = fastest_ms(kRepetitions, [&] { for_layers(read_or_solve_basis); });
    fmt::print(
        "{}: agree {}, group and fields {:.1f} ms, solved {:.1f} ms, from the cache {:.1f} ms, "
        "ratio {:.1f}\n",
        name, agree ? "yes" : "NO", fields, solve, read, solve / read);
    all_agree = all_agree && agree;
  };
  race("D4 network for digits", 2, [] {
    const auto d4 = make_steering(make_group("D4"));
    const FieldType scalar = field_of_irreps(d4, {0}), open = field_of_all_irreps(d4);
    const FieldType gated = with_gates(open);
    return std::vector<Layer>{
        {7, scalar, gated}, {5, open, gated}, {3, open, gated}, {1, open, scalar}};
  });
  race("SO(3) network for volumes", 3, [] {
    const auto rotations = make_rotation_steering(false);
    const FieldType scalar = field_of_irreps(rotations, {0});
    const FieldType low = field_of_irreps(rotations, {0, 1, 2});
    const FieldType high = field_of_irreps(rotations, {0, 1, 2, 3});
    const FieldType low_gates = with_gates(low), high_gates = with_gates(high);
    return std::vector<Layer>{{7, scalar, low_gates}, {5, low, high_gates}, {7, scalar, high_gates},
                              {3, high, high_gates},  {3, high, low_gates}, {1, low, scalar},
                              {3, high, scalar}};
  });
  std::filesystem::remove_all(folder);
  return all_agree ? 0 : 1;
}
