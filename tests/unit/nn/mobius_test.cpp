// Möbius convolution: its frames move with the function, and its two computations agree.
#include "algprior/nn/mobius.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/random.hpp"

#include <complex>
#include <functional>
#include <numbers>

#include <gtest/gtest.h>
#include <torch/types.h>

namespace algprior::nn {
namespace {

using Complex = std::complex<double>;
using Function = std::function<double(Complex z)>;
constexpr double kPi = std::numbers::pi;

// Linear and quadratic in the point of the sphere, so that every degree of interest is below 3; the
// second derivatives are large enough for the layer's clamps to be rare.
double smooth(Complex z) {
  const double size = std::norm(z), x = 2 * z.real() / (1 + size), y = -2 * z.imag() / (1 + size),
               up = (1 - size) / (1 + size);
  return 0.6 * up + 0.5 * x + 1.2 * x * y - 0.9 * y * up;
}

Complex turned(Complex y, Complex w) {  // r_y(w)
  const Complex turn = std::conj(std::conj(y) / std::abs(y));
  return (turn * w + y) / (1.0 - std::conj(y) * turn * w);
}

// Wirtinger derivatives of f∘r_y at 0 by differences.
std::pair<Complex, Complex> jet(const Function& f, Complex y) {
  constexpr double h = 1e-3;
  const auto at = [&](double a, double b) { return f(turned(y, Complex(a, b))); };
  const double dx = (at(h, 0) - at(-h, 0)) / (2 * h), dy = (at(0, h) - at(0, -h)) / (2 * h);
  const double xx = (at(h, 0) - 2 * at(0, 0) + at(-h, 0)) / (h * h);
  const double yy = (at(0, h) - 2 * at(0, 0) + at(0, -h)) / (h * h);
  const double xy = (at(h, h) - at(h, -h) - at(-h, h) + at(-h, -h)) / (4 * h * h);
  return {Complex(dx, -dy) / 2.0, Complex(xx - yy, -2 * xy) / 4.0};
}

at::Tensor complex_vector(const std::vector<Complex>& values) {
  auto copy = values;
  return at::from_blob(copy.data(), {static_cast<std::int64_t>(copy.size())}, at::kComplexDouble)
      .clone();
}

MobiusSamples sample(const Function& f, int rows, int columns) {
  std::vector<Complex> points, first, second;
  std::vector<double> area;
  for (int i = 0; i < rows; ++i) {
    const double phi = kPi * (i + 0.5) / rows;
    for (int j = 0; j < columns; ++j) {
      points.push_back(std::polar(std::tan(phi / 2), -2 * kPi * (j + 0.5) / columns));
      area.push_back(std::sin(phi) * (kPi / rows) * (2 * kPi / columns));
      const auto [d1, d2] = jet(f, points.back());
      first.push_back(d1);
      second.push_back(d2);
    }
  }
  const auto size = static_cast<std::int64_t>(area.size());
  return {complex_vector(points), at::from_blob(area.data(), {size}, at::kDouble).clone(),
          complex_vector(first), complex_vector(second)};
}

const auto kOne = at::ones({}, at::kComplexDouble);
const auto kZero = at::zeros({}, at::kComplexDouble);

/// z ↦ (az + b)/(cz + d) with ad − bc = 1: half way between the identity and a random one.
struct PlaneMobius {
  Complex a, b, c, d;

  explicit PlaneMobius(RandomStream& random) {
    const auto draw = [&](double size) { return size * Complex(random.normal(), random.normal()); };
    a = 1.0 + draw(0.15), b = draw(0.2), c = draw(0.2);
    d = (1.0 + b * c) / a;
  }
  Complex operator()(Complex z) const { return (a * z + b) / (c * z + d); }
  Complex back(Complex z) const { return (d * z - b) / (a - c * z); }
};

// The quadrature's error falls with the square of its step; 160×320 leave 10⁻⁴.
TEST(MobiusConvolution, CommutesWithMobiusMaps) {
  const std::vector<Complex> at{{0.3, 0.2}, {-0.7, 0.4}, {1.5, -0.8}};
  constexpr int kRows = 160, kColumns = 320;
  const auto samples = sample(smooth, kRows, kColumns);
  RandomStream random(RandomKey(7, "Möbius maps"));
  const auto c1 = at::exp(complex_vector({{0.2, -0.4}})[0]), c2 = complex_vector({{0.3, 0.5}})[0];
  for (int draw = 0; draw < 3; ++draw) {
    const PlaneMobius map(random);
    std::vector<Complex> moved;
    for (const Complex z : at) moved.push_back(map(z));
    const auto moved_samples =
        sample([&](Complex z) { return smooth(map.back(z)); }, kRows, kColumns);
    for (const auto& [first, second] : {std::pair{kOne, kZero}, std::pair{c1, c2}}) {
      const auto still = mobius_direct(samples, complex_vector(at), first, second);
      const auto after = mobius_direct(moved_samples, complex_vector(moved), first, second);
      const double size = still.abs().max().item<double>();
      EXPECT_LT((still - after).abs().max().item<double>(), 1e-3 * size) << draw;
      // Where the points do not move with the function it is another number.
      const auto unmoved = mobius_direct(moved_samples, complex_vector(at), first, second);
      EXPECT_GT((still - unmoved).abs().max().item<double>(), 0.02 * size) << draw;
    }
  }
}

constexpr std::int64_t kBandwidth = 16;

at::Tensor on_grid(const Function& f) {
  const auto side = 2 * kBandwidth;
  const auto x = at::empty({1, 1, side, side}, at::kDouble);
  for (std::int64_t i = 0; i < side; ++i) {
    for (std::int64_t j = 0; j < side; ++j) {
      const double phi = kPi * (static_cast<double>(i) + 0.5) / static_cast<double>(side);
      const double theta = 2 * kPi * (static_cast<double>(j) + 0.5) / static_cast<double>(side);
      x.data_ptr<double>()[i * side + j] = f(std::polar(std::tan(phi / 2), -theta));
    }
  }
  return x;
}

TEST(MobiusConvolution, JetsOnTheGridAreDerivatives) {
  MobiusConv layer(MobiusConvOptions{1, 1, kBandwidth, 30});
  const auto [d1, d2] = layer->jets(on_grid(smooth));
  const auto truth = sample(smooth, 2 * kBandwidth, 2 * kBandwidth);
  EXPECT_LT((d1.flatten() - truth.first).abs().max().item<double>(), 1e-4);
  EXPECT_LT((d2.flatten() - truth.second).abs().max().item<double>(), 1e-3);
  const double energy = (truth.first.abs().square() * truth.area).sum().item<double>();
  EXPECT_NEAR(layer->energy(on_grid(smooth)).item<double>(), energy, 0.01 * energy);
}

TEST(MobiusConvolution, SpectralAndDirectAgree) {
  const at::NoGradGuard no_gradient;
  MobiusConv layer(MobiusConvOptions{1, 1, kBandwidth, 60});
  layer->to(at::kDouble);
  const auto fine = sample(smooth, 96, 192);
  const std::int64_t side = 2 * kBandwidth;
  for (const int which : {4, 1, 3}) {  // f_00, f_−1,0 with f_1,0, f_0,−1 with f_0,1
    layer->weight.zero_();
    layer->weight.view({-1})[which == 4 ? 8 : 2 * which] = 1.0;
    const auto spectral = layer->forward(on_grid(smooth)).view({side, side});
    std::vector<Complex> places;
    std::vector<double> values;
    for (const auto& [i, j] :
         {std::pair{8, 5}, std::pair{15, 20}, std::pair{20, 9}, std::pair{11, 28}}) {
      const double phi = kPi * (i + 0.5) / static_cast<double>(side);
      places.push_back(
          std::polar(std::tan(phi / 2), -2 * kPi * (j + 0.5) / static_cast<double>(side)));
      values.push_back(spectral[i][j].item<double>());
    }
    const auto nine = mobius_direct(fine, complex_vector(places), kOne, kZero);
    const auto direct = which == 4 ? at::real(nine.select(1, 4))
                                   : at::real(nine.select(1, which) + nine.select(1, 8 - which));
    const auto found = at::tensor(values, at::kDouble);
    const double size = direct.abs().max().item<double>();
    EXPECT_LT((found - direct).abs().max().item<double>(), 0.06 * size) << "filter " << which;
  }
}

TEST(MobiusNetwork, CountsAndTrains) {
  MobiusNetworkOptions options{
      .channels = 2, .bandwidth = 4, .width = 16, .blocks = 1, .nodes = 6, .classes = 3};
  const Network network = make_mobius_network(0, options);
  EXPECT_EQ(parameter_count(network), 2 * 16 + 16 + 4864 + 16 * 3 + 3);
  // Row mc of shrec-full: two blocks of 16 channels; the bandwidth changes no count.
  EXPECT_EQ(
      parameter_count(make_mobius_network(
          0,
          {.channels = 16, .bandwidth = 4, .width = 16, .blocks = 2, .nodes = 6, .classes = 25})),
      10'425);
  const auto x = at::sin(at::arange(2 * 2 * 64, at::kFloat).mul(0.7)).view({2, 2, 8, 8});
  const auto y = network.forward(x).output;
  EXPECT_EQ(y.sizes(), (at::IntArrayRef{2, 3}));
  y.square().sum().backward();
  for (const auto& parameter : network.module->parameters()) {
    ASSERT_TRUE(parameter.grad().defined());
    EXPECT_TRUE(at::isfinite(parameter.grad()).all().item<bool>());
  }
  EXPECT_THROW(network.forward(at::zeros({1, 2, 8, 6})), InputError);
  EXPECT_THROW(make_mobius_network(0, {.bandwidth = 2}), InputError);
}

}  // namespace
}  // namespace algprior::nn
