#include "winograd.hpp"

#include "algprior/base/parallel.hpp"
#include "plane.hpp"
#include "target_guard.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <torch/autograd.h>
#include <torch/types.h>
#include <torch/utils.h>

namespace algprior {
namespace {

struct Planar {
  int batch, in, out, height, width, padding, kernel = 3;
};

// Tiles of 4, 3 and 2; rows that fill no vector, rows longer than a block, samples interleaved or
// not, a last group and a last unit that are not full, channels that fill no block.
const std::vector<Planar> kShapes = {
    {1, 1, 1, 1, 1, 1},
    {2, 3, 2, 4, 4, 1},
    {3, 5, 7, 9, 50, 1},
    {2, 2, 3, 13, 61, 0},
    {2, 3, 4, 20, 64, 2},
    {20, 4, 5, 3, 3, 1},
    {37, 6, 13, 6, 5, 1},
    {9, 3, 3, 16, 16, 1},
    {1, 2, 3, 5, 600, 1},
    {3, 2, 2, 7, 530, 0},
    {17, 5, 4, 3, 3, 0},
    {5, 20, 33, 2, 2, 1},
    {2, 4, 4, 5, 520, 2},
    {3, 92, 92, 12, 64, 1},
    {70, 36, 36, 3, 3, 1},
    {2, 17, 40, 24, 48, 1},
    {33, 16, 24, 10, 7, 2},
    {2, 20, 92, 8, 64, 1},
    {2, 92, 20, 8, 64, 1},
    // 5×5: one tile, all paddings, small and interleaved images, rows longer than a block, and the
    // second layer of a steerable network.
    {1, 1, 1, 1, 1, 2, 5},
    {2, 3, 2, 5, 5, 0, 5},
    {3, 5, 7, 9, 50, 1, 5},
    {2, 2, 3, 13, 61, 3, 5},
    {2, 3, 4, 20, 64, 4, 5},
    {20, 4, 5, 3, 3, 2, 5},
    {37, 6, 13, 6, 5, 1, 5},
    {3, 2, 2, 7, 530, 0, 5},
    {2, 4, 4, 5, 520, 4, 5},
    {33, 16, 24, 10, 7, 4, 5},
    {3, 24, 84, 55, 55, 2, 5},
};

ConvShape shape_of(const Planar& p) {
  ConvShape shape;
  shape.batch = p.batch;
  shape.in_channels = p.in;
  shape.out_channels = p.out;
  shape.in = {1, p.height, p.width};
  shape.kernel = {1, p.kernel, p.kernel};
  shape.padding = {0, p.padding, p.padding};
  return shape;
}

std::string name_of(const Planar& p) {
  return std::to_string(p.batch) + "x" + std::to_string(p.in) + "->" + std::to_string(p.out) +
         " at " + std::to_string(p.height) + "x" + std::to_string(p.width) + " padding " +
         std::to_string(p.padding) + " kernel " + std::to_string(p.kernel);
}

struct Tensors {
  explicit Tensors(const Planar& p) {
    torch::manual_seed(11);
    x = torch::randn({p.batch, p.in, p.height, p.width});
    weight = torch::randn({p.out, p.in, p.kernel, p.kernel}) * 0.3;
    bias = torch::randn({p.out});
    const int grows = 2 * p.padding - p.kernel + 1;
    dy = torch::randn({p.batch, p.out, p.height + grows, p.width + grows});
  }
  at::Tensor x, weight, bias, dy;
};

using Named = std::vector<std::pair<std::string, at::Tensor>>;

// A result between two stretches that nothing may write.
struct Guarded {
  explicit Guarded(const at::Tensor& like)
      : size(like.numel()), all(torch::full({size + 2 * kGuard}, 7.0f)) {}
  float* data() { return all.data_ptr<float>() + kGuard; }
  at::Tensor value(const at::Tensor& like) {
    EXPECT_TRUE((all.narrow(0, 0, kGuard) == 7.0f).all().item<bool>());
    EXPECT_TRUE((all.narrow(0, kGuard + size, kGuard) == 7.0f).all().item<bool>());
    return all.narrow(0, kGuard, size).view(like.sizes()).clone();
  }
  static constexpr std::int64_t kGuard = 64;
  std::int64_t size;
  at::Tensor all;
};

Named by_winograd(const Planar& p, const Tensors& t) {
  const auto shape = shape_of(p);
  Guarded y(t.dy), dx(t.x), dweight(t.weight), dbias(t.bias);
  std::vector<Moments> moments(static_cast<std::size_t>(p.batch * p.out));
  kernel::winograd_forward(shape, t.x.data_ptr<float>(), t.weight.data_ptr<float>(),
                           t.bias.data_ptr<float>(), y.data(), moments.data());
  const std::int64_t size = shape.out_size();
  for (std::size_t plane = 0; plane < moments.size(); ++plane) {
    const auto expected =
        kernel::plane_moments(y.data() + static_cast<std::int64_t>(plane) * size, size);
    EXPECT_EQ(moments[plane].mean, expected.mean);
    EXPECT_EQ(moments[plane].squares, expected.squares);
  }
  const std::int64_t sample = p.out * size;
  kernel::winograd_backward(
      shape, t.x.data_ptr<float>(), t.weight.data_ptr<float>(),
      [&](std::int64_t n, float* to) {
        std::copy_n(t.dy.data_ptr<float>() + n * sample, sample, to);
      },
      dx.data(), dweight.data(), dbias.data());
  return {{"y", y.value(t.dy)},
          {"dx", dx.value(t.x)},
          {"dweight", dweight.value(t.weight)},
          {"dbias", dbias.value(t.bias)}};
}

Named in_double(const Planar& p, const Tensors& t) {
  const auto to_leaf = [](const at::Tensor& tensor) {
    return tensor.to(at::kDouble).requires_grad_();
  };
  const auto x = to_leaf(t.x), weight = to_leaf(t.weight), bias = to_leaf(t.bias);
  const auto y = at::conv2d(x, weight, bias, 1, p.padding);
  y.backward(t.dy.to(at::kDouble));
  return {{"y", y.detach()}, {"dx", x.grad()}, {"dweight", weight.grad()}, {"dbias", bias.grad()}};
}

TEST(Winograd, AgreesWithLibTorchInDoubleOnEveryInstructionSet) {
  for (const auto& p : kShapes) {
    const Tensors tensors(p);
    const auto reference = in_double(p, tensors);
    for (const auto target : hwy::SupportedAndGeneratedTargets()) {
      const TargetGuard guard(target);
      const auto ours = by_winograd(p, tensors);
      for (std::size_t i = 0; i < ours.size(); ++i) {
        const auto& expected = reference[i].second;
        const double error =
            (ours[i].second.to(at::kDouble) - expected).abs().max().item<double>() /
            expected.abs().max().item<double>();
        EXPECT_LT(error, i == 0 ? 1e-5 : 1e-4)
            << name_of(p) << " " << ours[i].first << " on " << hwy::TargetName(target);
      }
    }
  }
}

TEST(Winograd, SameBitsWhateverTheThreads) {
  const int before = thread_count();
  for (const auto& p : kShapes) {
    const Tensors tensors(p);
    set_thread_count(1);
    const auto one = by_winograd(p, tensors);
    for (const int threads : {2, 3}) {
      set_thread_count(threads);
      const auto many = by_winograd(p, tensors);
      for (std::size_t i = 0; i < one.size(); ++i)
        EXPECT_TRUE(at::equal(one[i].second, many[i].second)) << name_of(p) << " " << one[i].first;
    }
  }
  set_thread_count(before);
}

// Alone, interleaved with others or in another unit: a sample's own results are the same bits.
TEST(Winograd, ASampleDoesNotDependOnItsBatch) {
  for (Planar p :
       {Planar{21, 6, 9, 16, 16, 1}, Planar{21, 6, 9, 3, 3, 1}, Planar{5, 6, 9, 9, 70, 1},
        Planar{21, 6, 9, 16, 16, 2, 5}, Planar{5, 6, 9, 9, 70, 2, 5}}) {
    const Tensors tensors(p);
    const auto all = by_winograd(p, tensors);
    const int last = p.batch - 1;
    Tensors single = tensors;
    single.x = tensors.x.narrow(0, last, 1).clone();
    single.dy = tensors.dy.narrow(0, last, 1).clone();
    p.batch = 1;
    const auto one = by_winograd(p, single);
    for (const std::size_t i : {0, 1})
      EXPECT_TRUE(at::equal(one[i].second, all[i].second.narrow(0, last, 1)))
          << name_of(p) << " " << one[i].first;
  }
}

TEST(Winograd, EachGradientMayBeLeftOut) {
  const Planar p{5, 6, 9, 16, 20, 1};
  const Tensors t(p);
  const auto all = by_winograd(p, t);
  const std::int64_t sample = p.out * shape_of(p).out_size();
  const GradientSource source = [&](std::int64_t n, float* to) {
    std::copy_n(t.dy.data_ptr<float>() + n * sample, sample, to);
  };
  const auto only = [&](float* dx, float* dweight, float* dbias) {
    kernel::winograd_backward(shape_of(p), t.x.data_ptr<float>(), t.weight.data_ptr<float>(),
                              source, dx, dweight, dbias);
  };
  Guarded dx(t.x), dweight(t.weight), dbias(t.bias);
  only(dx.data(), nullptr, nullptr);
  only(nullptr, dweight.data(), nullptr);
  only(nullptr, nullptr, dbias.data());
  EXPECT_TRUE(at::equal(dx.value(t.x), all[1].second));
  EXPECT_TRUE(at::equal(dweight.value(t.weight), all[2].second));
  EXPECT_TRUE(at::allclose(dbias.value(t.bias), all[3].second, 1e-6, 1e-6));
}

TEST(Winograd, AnEmptyBatchHasZeroGradients) {
  const Planar p{0, 3, 4, 8, 8, 1};
  std::vector<float> weight(108, 1.0f), dweight(108, 7.0f), dbias(4, 7.0f);
  kernel::winograd_forward(shape_of(p), nullptr, weight.data(), nullptr, nullptr, nullptr);
  kernel::winograd_backward(shape_of(p), nullptr, weight.data(), {}, nullptr, dweight.data(),
                            dbias.data());
  EXPECT_EQ(dweight, std::vector<float>(108, 0.0f));
  EXPECT_EQ(dbias, std::vector<float>(4, 0.0f));
}

TEST(Winograd, AppliesToPlanarThreeByThreeAndFiveByFiveWithStrideOne) {
  const auto shape = shape_of({2, 20, 20, 8, 8, 1});
  EXPECT_TRUE(kernel::winograd_applies(shape));
  const auto applies_with = [&](auto&& change) {
    auto other = shape;
    change(other);
    return kernel::winograd_applies(other);
  };
  EXPECT_FALSE(applies_with([](ConvShape& s) { s.stride = {1, 2, 2}; }));
  EXPECT_TRUE(applies_with([](ConvShape& s) { s.kernel = {1, 5, 5}, s.padding = {0, 4, 4}; }));
  EXPECT_FALSE(applies_with([](ConvShape& s) { s.kernel = {1, 5, 5}, s.padding = {0, 5, 5}; }));
  EXPECT_FALSE(applies_with([](ConvShape& s) { s.kernel = {1, 5, 3}; }));
  EXPECT_FALSE(applies_with([](ConvShape& s) { s.kernel = {1, 7, 7}; }));
  EXPECT_FALSE(applies_with([](ConvShape& s) { s.kernel = {1, 3, 1}; }));
  EXPECT_FALSE(applies_with([](ConvShape& s) { s.replicate = {0, 1, 1}; }));
  EXPECT_FALSE(applies_with([](ConvShape& s) { s.padding = {0, 3, 3}; }));
  EXPECT_FALSE(applies_with([](ConvShape& s) { s.padding = {0, 1, 0}; }));
  EXPECT_FALSE(applies_with([](ConvShape& s) { s.in = {4, 8, 8}, s.kernel = {3, 3, 3}; }));
}

}  // namespace
}  // namespace algprior
