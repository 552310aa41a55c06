#include "algprior/analysis/orbits.hpp"

#include "algprior/audit/orbit_theorem.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/memory.hpp"
#include "algprior/base/parallel.hpp"
#include "algprior/base/random.hpp"
#include "algprior/io/csv.hpp"
#include "algprior/kernel/detail/translate.hpp"
#include "algprior/kernel/shape_text.hpp"
#include "algprior/prior/learned_representation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>
#include <torch/types.h>

namespace algprior {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void require_shape(const char* name, const at::Tensor& tensor, const std::string& expected,
                   bool fits) {
  if (fits) return;
  throw InputError({fmt::format("{} do not fit the representation", name), shape_text(tensor),
                    "shape " + expected + ", of finite real numbers", ""});
}

bool is_real_array(const at::Tensor& tensor, std::int64_t dimensions) {
  return tensor.defined() && tensor.dim() == dimensions && !tensor.is_complex();
}

bool is_finite(const at::Tensor& tensor) {
  return at::isfinite(tensor).all().item<bool>();
}

// Whether the latest latents have the width and type of the first ones.
bool fits_first(const std::vector<at::Tensor>& orbits, const std::vector<at::Tensor>& parts) {
  const at::Tensor& first = orbits.empty() ? parts.front() : orbits.front();
  return parts.back().size(1) == first.size(1) && parts.back().scalar_type() == first.scalar_type();
}

void check_count(const OrbitCountOptions& options, std::size_t rows, std::size_t columns) {
  if (options.combinations < 1 || !(options.tolerance >= 0) || !std::isfinite(options.tolerance)) {
    throw InputError(
        {"combinations of orbits cannot be tried so",
         fmt::format("{} of them, tolerance {}", options.combinations, options.tolerance),
         "at least 1, and a tolerance of at least 0", ""});
  }
  check_memory(3 * 8.0 * static_cast<double>(options.combinations) * static_cast<double>(rows) *
                   static_cast<double>(columns),
               "the number of independent orbits",
               fmt::format("{} combinations of {} x {}", options.combinations, rows, columns));
}

// `count` distinct numbers below n: the first steps of Fisher–Yates on a virtual list.
std::vector<std::int64_t> draw_distinct(RandomStream& random, std::int64_t n, std::size_t count) {
  std::vector<std::int64_t> chosen;
  while (chosen.size() < count) {
    const auto next = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(n)));
    if (std::find(chosen.begin(), chosen.end(), next) == chosen.end()) chosen.push_back(next);
  }
  return chosen;
}

// The largest σ_min/σ_max among the rows×d matrices of random combinations of m orbits.
double best_ratio(const at::Tensor& moved, std::size_t m, const OrbitCountOptions& options) {
  const RandomKey key(options.seed, "independent orbits");
  std::vector<std::int64_t> places;
  for (std::int64_t i = 0; i < options.combinations; ++i) {
    RandomStream random(key.at(static_cast<std::uint32_t>(m), static_cast<std::uint64_t>(i)));
    const auto chosen = draw_distinct(random, moved.size(0), m);
    places.insert(places.end(), chosen.begin(), chosen.end());
  }
  const auto rows = static_cast<std::int64_t>(m) * moved.size(1);
  const auto stacked = moved.index_select(0, at::tensor(places, at::kLong))
                           .reshape({options.combinations, rows, moved.size(2)});
  const auto singular = at::linalg_svdvals(stacked);
  const auto largest = singular.select(1, 0);
  const auto ratio =
      at::where(largest > 0, singular.select(1, rows - 1) / largest, at::zeros_like(largest));
  return ratio.max().item<double>();
}

}  // namespace

at::Tensor element_matrices(const ApproximateRepresentation& representation) {
  std::vector<Element> elements(representation.group().order());
  std::iota(elements.begin(), elements.end(), 0);
  const torch::NoGradGuard no_gradient;
  std::vector<at::Tensor> stack;
  for (const auto& [g, matrix] : to_learned(representation)->matrices(elements)) {
    stack.push_back(matrix.detach());
  }
  return at::stack(stack);
}

at::Tensor average_positions(const at::Tensor& latents) {
  if (!latents.defined() || (latents.dim() > 2 && !latents.is_floating_point())) {
    throw InputError({"latents cannot be averaged over positions",
                      latents.defined() ? "whole numbers" : "no tensor", "real numbers", ""});
  }
  return latents.dim() <= 2 ? latents : latents.flatten(2).mean(2);
}

at::Tensor encode_orbits(const std::function<at::Tensor(const at::Tensor&)>& encoder,
                         const Action& action, const at::Tensor& x, std::int64_t batch) {
  if (!encoder || batch < 1 || !x.defined() || x.dim() < 1 || x.size(0) < 1) {
    throw InputError({"there is nothing to encode", fmt::format("batch size {}", batch),
                      "an encoder, samples and a batch size of at least 1", ""});
  }
  const torch::NoGradGuard no_gradient;
  std::vector<at::Tensor> orbits;
  for (Element h = 0; h < action.group().order(); ++h) {
    std::vector<at::Tensor> parts;
    for (const auto& part : x.split(batch)) {
      const auto z = translated("the encoder refuses its input", "shape " + shape_text(part),
                                [&] { return encoder(action(h, part)); });
      require_shape("latents", z,
                    fmt::format("{} x d or {} x C x H x W", part.size(0), part.size(0)),
                    z.defined() && z.dim() >= 2 && z.size(0) == part.size(0));
      parts.push_back(average_positions(z).detach().cpu());
      require_shape("latents", z, "of the first sample's", fits_first(orbits, parts));
    }
    orbits.push_back(at::cat(parts));
  }
  return at::stack(orbits, 1);
}

double orbit_tolerance(double algebra_loss) {
  return std::clamp(3.0 * std::sqrt(algebra_loss), 1e-4, 3e-2);
}

OrbitCount count_independent_orbits(const ApproximateRepresentation& representation,
                                    const at::Tensor& z, const OrbitCountOptions& options) {
  const auto d = static_cast<std::int64_t>(representation.dimension());
  OrbitCount count;
  count.possible = representation.dimension() / representation.group().order();
  const auto least = std::max<std::int64_t>(1, static_cast<std::int64_t>(count.possible));
  require_shape("embedded samples", z, fmt::format("N x {} with at least {} samples", d, least),
                is_real_array(z, 2) && z.size(1) == d && z.size(0) >= least && is_finite(z));
  check_count(options, representation.dimension(), representation.dimension());
  double algebra_loss = 0;
  for (const auto& defect : relator_defects(representation)) algebra_loss += defect.mean_square;
  count.tolerance = options.tolerance > 0 ? options.tolerance : orbit_tolerance(algebra_loss);
  count.ratios.assign(count.possible, std::nan(""));
  // N×|G|×d: the orbit of every sample, generated by ρ̂.
  const auto samples = z.detach().to(at::kCPU, at::kDouble);
  const auto moved = at::einsum("gij,nj->ngi", {element_matrices(representation), samples});
  for (std::size_t m = count.possible; m > 0; --m) {
    count.ratios[m - 1] = best_ratio(moved, m, options);
    if (!(count.ratios[m - 1] > count.tolerance)) continue;
    count.independent = m;
    break;
  }
  return count;
}

std::size_t copies_of_regular(const CharacterTable& table,
                              const std::vector<double>& multiplicities) {
  if (multiplicities.size() != table.count()) {
    throw InputError({"multiplicities do not fit the character table",
                      fmt::format("{} numbers", multiplicities.size()),
                      fmt::format("{} characters of {}", table.count(), table.group().name()), ""});
  }
  double fewest = kInfinity;
  for (std::size_t i = 0; i < table.count(); ++i) {
    fewest = std::min(fewest, std::floor(std::round(multiplicities[i]) / table.degree(i)));
  }
  return static_cast<std::size_t>(std::max(0.0, fewest));
}

std::vector<TheoremOneSample> theorem_one(const ApproximateRepresentation& representation,
                                          const at::Tensor& orbits) {
  const Group& group = representation.group();
  const auto order = static_cast<std::int64_t>(group.order());
  const auto d = static_cast<std::int64_t>(representation.dimension());
  require_shape("embedded orbits", orbits, fmt::format("N x {} x {}", order, d),
                is_real_array(orbits, 3) && orbits.size(1) == order && orbits.size(2) == d &&
                    is_finite(orbits));
  const auto embedded = orbits.detach().to(at::kCPU, at::kDouble).contiguous();
  const auto matrices = element_matrices(representation).to(at::kCPU).contiguous();
  const auto matrix_of = [&](Element g) {
    return Eigen::Map<const OrbitMatrix>(matrices.data_ptr<double>() + g * d * d, d, d);
  };
  const ApplyElement apply = [&](Element g, const OrbitMatrix& rows, OrbitMatrix& moved) {
    moved.noalias() = rows * matrix_of(g).transpose();
  };
  const double rounding =
      static_cast<double>(std::max(d, order)) * std::numeric_limits<double>::epsilon();
  std::vector<TheoremOneSample> samples(static_cast<std::size_t>(embedded.size(0)));
  parallel_for(embedded.size(0), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const OrbitMatrix orbit =
          Eigen::Map<const OrbitMatrix>(embedded.data_ptr<double>() + i * order * d, order, d);
      const OrbitTheorem one = theorem_one_on(group, orbit, apply, rounding * orbit.norm());
      samples[static_cast<std::size_t>(i)] = {
          one.epsilon, one.full_rank ? one.singular[order - 1] : 0.0, one.distance, one.bound};
    }
  });
  return samples;
}

std::string to_csv(const std::vector<TheoremOneSample>& samples) {
  std::vector<double> values;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto& sample = samples[i];
    values.insert(values.end(), {static_cast<double>(i), sample.epsilon, sample.sigma_min,
                                 sample.distance, sample.bound});
  }
  return io::to_csv({"sample", "epsilon", "sigma_min", "distance", "bound"},
                    io::make_array({static_cast<std::int64_t>(samples.size()), 5}, values));
}

}  // namespace algprior
