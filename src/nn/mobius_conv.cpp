#include "algprior/base/error.hpp"
#include "algprior/kernel/shape_text.hpp"
#include "algprior/nn/mobius.hpp"
#include "mobius_tables.hpp"
#include "weight_count.hpp"

#include <cmath>
#include <numbers>

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace algprior::nn {
namespace {

constexpr std::int64_t kFilters = 9;
constexpr std::int64_t kMostNodes = 1000;
constexpr double kFlat = 1e-3;       // below it a jet counts as none
constexpr double kLargestLog = 3.0;  // of |a₂| and |a_n|
constexpr double kSmallestBend = 0.075;

int filter_u(std::int64_t filter) {
  return static_cast<int>(filter / 3) - 1;
}
int filter_v(std::int64_t filter) {
  return static_cast<int>(filter % 3) - 1;
}

at::Tensor complex_rows(const std::vector<Complex>& values, at::IntArrayRef shape) {
  auto copy = values;
  return at::from_blob(copy.data(), shape, at::kComplexDouble).clone();
}

at::Tensor real_rows(std::vector<double> values, at::IntArrayRef shape) {
  return at::from_blob(values.data(), shape, at::kDouble).clone();
}

/// Orders −(B−1) … B−1 of functions on the grid, and matrices a degree and parallel for each.
struct Harmonics {
  int bandwidth;
  std::vector<double> phi;

  explicit Harmonics(int b) : bandwidth(b) {
    for (int j = 0; j < 2 * b; ++j) phi.push_back(std::numbers::pi * (2 * j + 1) / (4.0 * b));
  }
  std::int64_t orders() const { return 2 * bandwidth - 1; }

  /// e^{sign·ikθ}, orders×columns.
  at::Tensor waves(double sign) const {
    std::vector<Complex> values;
    for (int k = 1 - bandwidth; k < bandwidth; ++k) {
      for (int n = 0; n < 2 * bandwidth; ++n) {
        values.push_back(std::polar(1.0, sign * k * std::numbers::pi * (n + 0.5) / bandwidth));
      }
    }
    return complex_rows(values, {orders(), 2 * bandwidth});
  }

  /// entry(k, d^s_{kn}(φ_j), s, φ_j, j) for all orders, degrees and parallels: orders×B×2B.
  template <class Entry>
  at::Tensor matrices(int n, Entry&& entry) const {
    std::vector<double> values;
    for (int k = 1 - bandwidth; k < bandwidth; ++k) {
      std::vector<std::vector<double>> columns;
      for (const double beta : phi) columns.push_back(wigner_column(bandwidth + 2, k, n, beta));
      for (int s = 0; s < bandwidth; ++s) {
        for (std::size_t j = 0; j < phi.size(); ++j) values.push_back(entry(k, columns[j], s, j));
      }
    }
    return real_rows(std::move(values), {orders(), bandwidth, 2 * bandwidth});
  }
};

double harmonic_norm(int s) {
  return std::sqrt((2.0 * s + 1.0) / (4.0 * std::numbers::pi));
}

// X Y_s^k with X = sin φ d/dφ, from the values of d^s_{k0}, as coefficients of degrees s+1 and s−1.
double raise(int s, int k) {
  return s * std::sqrt(((s + 1.0) * (s + 1.0) - k * k) / ((2.0 * s + 1.0) * (2.0 * s + 3.0)));
}
double lower(int s, int k) {
  if (s == 0) return 0.0;
  return (s + 1.0) *
         std::sqrt((static_cast<double>(s) * s - k * k) / ((2.0 * s + 1.0) * (2.0 * s - 1.0)));
}

double harmonic(const std::vector<double>& column, int s, int k) {
  if (s < std::abs(k) || s < 0) return 0.0;
  return harmonic_norm(s) * column[static_cast<std::size_t>(s)];
}

double slope(const std::vector<double>& column, int s, int k) {
  if (s < std::abs(k)) return 0.0;
  return raise(s, k) * harmonic(column, s + 1, k) - lower(s, k) * harmonic(column, s - 1, k);
}

double second_slope(const std::vector<double>& column, int s, int k) {
  if (s < std::abs(k)) return 0.0;
  double sum = raise(s, k) * slope(column, s + 1, k);
  if (s > std::abs(k)) sum -= lower(s, k) * slope(column, s - 1, k);
  return sum;
}

}  // namespace

struct MobiusConvImpl::Tables {
  at::Tensor into_orders, out_of_orders;         // 2B×orders, orders×2B
  at::Tensor analysis, synthesis;                // orders×B×2B, orders×2B×B
  at::Tensor first, second;                      // orders×2B×B: P₁, P₂ of the jets
  std::vector<at::Tensor> correlation;           // a slot: orders×B×2B
  std::vector<at::Tensor> powers, coefficients;  // a slot: Q×B, 9×Q
  std::vector<at::Tensor> nodes;                 // a slot: σ + is, Q
  at::Tensor sine, half_cosine;                  // 2B×1: sin φ, cos²(φ/2)
  at::Tensor degrees;                            // l(l+1), B

  explicit Tables(const MobiusConvOptions& options) {
    const int b = static_cast<int>(options.bandwidth), count = static_cast<int>(options.nodes);
    const Harmonics harmonics(b);
    const auto weights = parallel_weights(b);
    const double turn = 2.0 * std::numbers::pi;
    using Column = std::vector<double>;
    into_orders = (harmonics.waves(-1.0) / static_cast<double>(2 * b)).t().contiguous();
    out_of_orders = harmonics.waves(1.0);
    const auto complex = [](const at::Tensor& real) { return real.to(at::kComplexDouble); };
    const auto transposed = [&](const at::Tensor& real) {
      return complex(real.transpose(1, 2).contiguous());
    };
    analysis = complex(harmonics.matrices(0, [&](int k, const Column& c, int s, std::size_t j) {
      return turn * weights[j] * harmonic(c, s, k);
    }));
    synthesis = transposed(harmonics.matrices(
        0, [&](int k, const Column& c, int s, std::size_t) { return harmonic(c, s, k); }));
    // P₁ = (X + iT)ψ and P₂ = (X² + 2iXT − T² − 2X − 2iT)ψ with T = ik on order k.
    first = transposed(harmonics.matrices(0, [&](int k, const Column& c, int s, std::size_t) {
      return slope(c, s, k) - k * harmonic(c, s, k);
    }));
    second = transposed(harmonics.matrices(0, [&](int k, const Column& c, int s, std::size_t) {
      return second_slope(c, s, k) - 2.0 * (k + 1) * slope(c, s, k) +
             (k * k + 2.0 * k) * harmonic(c, s, k);
    }));
    for (const MellinSlot& slot : mellin_slots()) {
      correlation.push_back(
          complex(harmonics.matrices(-slot.m, [&](int, const Column& c, int s, std::size_t j) {
            return turn * weights[j] * c[static_cast<std::size_t>(s)];
          })));
      const MellinNodes points = mellin_nodes(slot.m, count);
      std::vector<Complex> filters, factors, exponents;
      for (const double s : points.s) {
        const auto row = power_coefficients(slot, s, b);
        filters.insert(filters.end(), row.begin(), row.end());
        exponents.emplace_back(slot.sigma, s);
      }
      for (std::int64_t f = 0; f < kFilters; ++f) {
        for (std::size_t q = 0; q < points.s.size(); ++q) {
          factors.push_back(points.weights[q] / turn *
                            mellin_coefficient(filter_u(f), filter_v(f), slot, points.s[q]));
        }
      }
      powers.push_back(complex_rows(filters, {count, b}));
      coefficients.push_back(complex_rows(factors, {kFilters, count}));
      nodes.push_back(complex_rows(exponents, {count}));
    }
    std::vector<double> sines, cosines, products;
    for (const double angle : harmonics.phi) {
      sines.push_back(std::sin(angle));
      cosines.push_back(std::cos(angle / 2) * std::cos(angle / 2));
    }
    for (int l = 0; l < b; ++l) products.push_back(l * (l + 1.0));
    sine = real_rows(std::move(sines), {2 * b, 1});
    half_cosine = real_rows(std::move(cosines), {2 * b, 1});
    degrees = real_rows(std::move(products), {b});
  }

  static at::ScalarType complex_type(const at::Tensor& x) {
    const bool twofold = x.scalar_type() == at::kDouble || x.scalar_type() == at::kComplexDouble;
    return twofold ? at::kComplexDouble : at::kComplexFloat;
  }

  /// Coefficients of functions M×2B×2B under the matrices of an analysis: orders×B×M.
  at::Tensor analyse(const at::Tensor& functions, const at::Tensor& matrices) const {
    const auto type = complex_type(functions);
    const auto orders = at::matmul(functions.to(type), into_orders.to(type));
    return at::bmm(matrices.to(type), orders.permute({2, 1, 0}));
  }
  /// The functions of coefficients orders×B×M under the matrices of a synthesis: M×2B×2B.
  at::Tensor synthesise(const at::Tensor& coefficients_, const at::Tensor& matrices) const {
    const auto type = coefficients_.scalar_type();
    const auto orders = at::bmm(matrices.to(type), coefficients_);
    return at::matmul(orders.permute({2, 1, 0}), out_of_orders.to(type));
  }
};

MobiusConvImpl::MobiusConvImpl(const MobiusConvOptions& options) : options_(options) {
  if (options.in < 1 || options.out < 1 || options.bandwidth < 3 || options.bandwidth > 64 ||
      options.nodes < 2 || options.nodes > kMostNodes) {
    throw InputError(
        {"a Möbius convolution cannot be built",
         fmt::format("{} to {} channels, bandwidth {}, {} nodes", options.in, options.out,
                     options.bandwidth, options.nodes),
         fmt::format("at least one channel, a bandwidth of 3 to 64, 2 to {} nodes", kMostNodes),
         ""});
  }
  WeightCount weights;
  weights.add(static_cast<double>(kFilters) * static_cast<double>(options.in) *
              static_cast<double>(options.out));
  weights.check(fmt::format("a Möbius convolution of {} to {} channels", options.in, options.out));
  tables_ = std::make_shared<const Tables>(options);
  const double deviation = 1.0 / std::sqrt(static_cast<double>(kFilters * options.in));
  weight = register_parameter("weight", at::randn({options.out, options.in, kFilters}) * deviation);
  offsets = register_parameter("offsets", at::zeros({options.in, 4}));
}

void MobiusConvImpl::check(const at::Tensor& x, std::int64_t channels) const {
  const auto side = 2 * options_.bandwidth;
  if (x.defined() && x.dim() == 4 && x.size(1) == channels && x.size(2) == side &&
      x.size(3) == side && x.is_floating_point()) {
    return;
  }
  throw InputError({"functions do not fit a Möbius convolution", shape_text(x),
                    fmt::format("real N x {} x {} x {}", channels, side, side),
                    "use a half-offset grid of twice the bandwidth"});
}

std::pair<at::Tensor, at::Tensor> MobiusConvImpl::jets(const at::Tensor& x) const {
  check(x, x.dim() < 2 ? options_.in : x.size(1));  // jets and energies are taken of any channels
  const auto coefficients = tables_->analyse(x.flatten(0, 1), tables_->analysis);
  const auto p1 = tables_->synthesise(coefficients, tables_->first);
  const auto p2 = tables_->synthesise(coefficients, tables_->second);
  const auto sine = tables_->sine.to(x.scalar_type());
  const auto cosine = tables_->half_cosine.to(x.scalar_type());
  return {(p1 / sine).view(x.sizes()), (p2 / sine.square() + p1 / cosine).view(x.sizes())};
}

at::Tensor MobiusConvImpl::energy(const at::Tensor& x) const {
  check(x, x.dim() < 2 ? options_.in : x.size(1));
  const auto coefficients = tables_->analyse(x.flatten(0, 1), tables_->analysis);
  const auto squares = at::view_as_real(coefficients).square().sum(-1);  // orders×B×M
  const auto weights = tables_->degrees.to(x.scalar_type()).view({1, -1, 1});
  return (squares * weights).sum(at::IntArrayRef({0, 1})).view({x.size(0), x.size(1)});
}

at::Tensor MobiusConvImpl::forward(const at::Tensor& x) {
  check(x, options_.in);
  const auto side = 2 * options_.bandwidth;
  const auto samples = x.size(0), in = options_.in, out = options_.out, cells = side * side;
  const auto [d1, d2] = jets(x);
  const auto real = x.scalar_type();
  const auto type = d1.scalar_type();
  const auto own = offsets.to(real).view({1, in, 4, 1, 1});
  const auto part = [&](std::int64_t i) { return own.select(2, i); };

  // Logarithms and arguments of a₂ = c₁/d₁ and a_n = ½(d₂ − c₂/a₂²)c₁/d₁².
  const auto parts1 = at::view_as_real(d1);
  const auto flat = (parts1.abs() < kFlat).all(-1);
  const auto safe = at::where(flat, at::ones_like(d1), d1);
  const auto zero = at::zeros_like(x);
  const auto log2 =
      at::where(flat, zero, (part(0) - safe.abs().log()).clamp(-kLargestLog, kLargestLog));
  const auto arg2 = at::where(flat, zero, part(1) - at::angle(safe));
  const auto c1 = at::exp(at::complex(part(0), part(1)).to(type));
  const auto c2 = at::complex(part(2), part(3)).to(type);
  const auto bend =
      0.5 * (d2 - c2 * at::exp(at::complex(-2.0 * log2, -2.0 * arg2))) * c1 / safe.square();
  const auto straight = flat.logical_or((at::view_as_real(bend).abs() < kFlat).all(-1));
  const auto safe_bend = at::where(straight, at::ones_like(bend), bend);
  const auto logn = at::where(straight, at::full_like(x, std::log(kFlat)),
                              safe_bend.abs().log().clamp(std::log(kSmallestBend), kLargestLog));
  const auto argn = at::where(straight, zero, at::angle(safe_bend));

  const auto flatten = [&](const at::Tensor& field) { return field.reshape({samples, in, cells}); };
  const auto density = flatten(parts1.square().sum(-1));
  const auto ln = flatten(logn), an = flatten(argn), l2 = flatten(log2), a2 = flatten(arg2);
  std::vector<at::Tensor> filters;
  for (std::int64_t f = 0; f < kFilters; ++f) {
    const double u = filter_u(f), v = filter_v(f);
    filters.push_back(density * at::exp(at::complex(kFilterDecay * ln, -u * ln - v * an)));
  }
  const auto moved = at::stack(filters, 2);  // N×in×9×cells

  // One real weight for f_00, four complex ones, each for f_uv and f_−u,−v.
  const auto w = weight.to(real);
  std::vector<at::Tensor> weights(kFilters);
  for (std::int64_t f = 0; f < kFilters / 2; ++f) {
    const auto shared = at::complex(w.select(2, 2 * f), w.select(2, 2 * f + 1));
    weights[static_cast<std::size_t>(f)] = weights[static_cast<std::size_t>(kFilters - 1 - f)] =
        shared;
  }
  weights[kFilters / 2] = at::complex(w.select(2, 8), at::zeros_like(w.select(2, 8)));
  const auto mix = at::stack(weights, 2);  // out×in×9

  at::Tensor coefficients;
  const auto& slots = mellin_slots();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const auto nodes = tables_->nodes[i].to(type).view({1, 1, -1, 1});
    const auto count = nodes.numel();
    const auto factors = tables_->coefficients[i].to(type);  // 9×Q
    // in×(out·Q)×9 times N×in×9×cells.
    const auto both = mix.unsqueeze(3) * factors.view({1, 1, kFilters, count});
    const auto matrix = both.permute({1, 0, 3, 2}).reshape({1, in, out * count, kFilters});
    const auto mixed = at::matmul(matrix, moved).view({samples, in, out, count, cells});
    const auto ratio = at::exp(nodes * (ln - l2).unsqueeze(2) +
                               at::complex(zero.flatten(2), slots[i].m * (an - a2)).unsqueeze(2));
    const auto g = (mixed * ratio.unsqueeze(2)).sum(1);  // N×out×Q×cells
    const auto analysed =
        tables_->analyse(g.reshape({-1, side, side}), tables_->correlation[i]);  // orders×B×M
    const auto powers = tables_->powers[i].to(type);                             // Q×B
    const auto shaped = analysed.view({analysed.size(0), analysed.size(1), samples * out, count});
    const auto term = (shaped * powers.t().view({1, -1, 1, count})).sum(-1);
    coefficients = coefficients.defined() ? coefficients + term : term;
  }
  const auto functions = tables_->synthesise(coefficients, tables_->synthesis);
  return at::real(functions).view({samples, out, side, side}).contiguous();
}

at::Tensor mobius_direct(const MobiusSamples& function, const at::Tensor& x, const at::Tensor& c1,
                         const at::Tensor& c2) {
  const auto a2 = c1 / function.first;
  const auto an = 0.5 * (function.second - c2 / a2.square()) * c1 / function.first.square();
  const auto z = function.points.unsqueeze(0), at_x = x.unsqueeze(1);
  const auto turn = at::conj(z) / z.abs();  // e^{iθ}
  const auto w = turn * (at_x - z) / (1.0 + at::conj(z) * at_x);
  const auto n = w / (a2 - an * w);
  const auto size = n.abs().log(), angle = at::angle(n);
  const auto density = function.first.abs().square() * function.area;
  std::vector<at::Tensor> values;
  for (std::int64_t f = 0; f < kFilters; ++f) {
    const double u = filter_u(f), v = filter_v(f);
    const double sign = filter_v(f) % 2 == 0 ? 1.0 : -1.0;
    const auto filter = sign * at::exp(at::complex(-kFilterDecay * size, u * size + v * angle));
    values.push_back((density * filter).sum(1));
  }
  return at::stack(values, 1);
}

}  // namespace algprior::nn
