// What a steerable network waits for before its first step: the bases of all kernels of the D4
// network for double digits, solved, and read from the cache. Answers are compared first.
#include "algprior/group/make_group.hpp"
#include "algprior/nn/steerable/basis.hpp"

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

  std::vector<Layer> layers;
  const double groups = fastest_ms(1, [&] {
    const auto d4 = make_steering(make_group("D4"));
    const FieldType scalar = field_of_irreps(d4, {0}), open = field_of_all_irreps(d4);
    const FieldType gated = with_gates(open);
    layers = {{7, scalar, gated}, {5, open, gated}, {3, open, gated}, {1, open, scalar}};
  });
  const auto for_layers = [&](const auto& body) {
    for (const Layer& layer : layers) {
      body(make_spatial_basis({.kernel = layer.kernel}), layer.out, layer.in);
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
  std::filesystem::remove_all(folder);
  fmt::print(
      "bases of the D4 network: agree {}, group {:.1f} ms, solved {:.1f} ms, from the cache "
      "{:.1f} ms, ratio {:.1f}\n",
      agree ? "yes" : "NO", groups, solve, read, solve / read);
  return agree ? 0 : 1;
}
