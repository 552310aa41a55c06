#include "algprior/base/error.hpp"
#include "pair_errors.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>

namespace algprior::auditing {
namespace {

constexpr std::size_t kSamplesEach = 64;

[[noreturn]] void refuse_number(const Source& source, std::size_t n, std::size_t i, std::size_t k,
                                double value) {
  const std::string where = source.is_pairs() ? fmt::format("{}[{}, {}]", i == 0 ? "z" : "zg", n, k)
                                              : fmt::format("z[{}, {}, {}]", n, i, k);
  throw InputError({"an embedding is not finite", fmt::format("{} = {}", where, value),
                    "finite numbers",
                    "leave that sample out, or find what the encoder divides by"});
}

struct FirstPass {
  Eigen::VectorXd sum;
  double smallest = std::numeric_limits<double>::infinity();
  bool equal = true;
};

}  // namespace

Moments find_moments(const Source& source, Meter& meter) {
  const auto d = static_cast<Eigen::Index>(source.dimension());
  const std::size_t samples = source.samples(), rows = source.rows_per_sample();
  const std::size_t items = (samples + kSamplesEach - 1) / kSamplesEach;
  const Eigen::VectorXd origin = Eigen::VectorXd::Zero(d);
  const auto first = run_pass<FirstPass>(
      items, [&] { return FirstPass{Eigen::VectorXd::Zero(d)}; },
      [&](FirstPass& local, std::size_t item) {
        Eigen::VectorXd z(d), begin(d);
        for (std::size_t n = item * kSamplesEach; n < std::min(samples, (item + 1) * kSamplesEach);
             ++n) {
          for (std::size_t i = 0; i < rows; ++i) {
            source.copy(source.row(n, i), origin, z.data());
            if (!z.allFinite()) {
              Eigen::Index k = 0;
              while (std::isfinite(z[k])) ++k;
              refuse_number(source, n, i, static_cast<std::size_t>(k), z[k]);
            }
            if (i == 0) begin = z;
            local.equal = local.equal && z == begin;
            local.sum += z;
            local.smallest = std::min(local.smallest, z.minCoeff());
          }
        }
      },
      meter);
  Moments moments;
  moments.mean = origin;
  moments.smallest = first.front().smallest;
  moments.orbits_equal = true;
  for (const FirstPass& local : first) {
    moments.mean += local.sum;
    moments.smallest = std::min(moments.smallest, local.smallest);
    moments.orbits_equal = moments.orbits_equal && local.equal;
  }
  moments.mean /= static_cast<double>(samples * rows);

  moments.spread.resize(static_cast<Eigen::Index>(samples));
  Eigen::VectorXd between(static_cast<Eigen::Index>(samples));
  struct Nothing {};
  run_pass<Nothing>(
      items, [] { return Nothing{}; },
      [&](Nothing&, std::size_t item) {
        Eigen::VectorXd z(d), center(d);
        for (std::size_t n = item * kSamplesEach; n < std::min(samples, (item + 1) * kSamplesEach);
             ++n) {
          double square = 0;
          center.setZero();
          for (std::size_t i = 0; i < rows; ++i) {
            source.copy(source.row(n, i), moments.mean, z.data());
            square += z.squaredNorm();
            center += z;
          }
          const auto place = static_cast<Eigen::Index>(n);
          moments.spread[place] = square / static_cast<double>(rows);
          between[place] = (center / static_cast<double>(rows)).squaredNorm();
        }
      },
      meter);
  const double plain = moments.spread.mean();
  if (!std::isfinite(plain)) {
    throw InputError({"the embeddings are too large to square",
                      fmt::format("a variance of {}", plain), "numbers below 1e150",
                      "scale the embeddings"});
  }
  // The mean was estimated from the same samples and takes its share of the variance between them.
  moments.variance = plain + between.mean() / static_cast<double>(samples - 1);
  moments.correction = plain > 0 ? moments.variance / plain : 1;
  return moments;
}

}  // namespace algprior::auditing
