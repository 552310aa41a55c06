// foreach_target includes this file once for each instruction set, before anything of Highway.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gate_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "gate_simd.hpp"

#include "activation-inl.h"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace algprior::kernel {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Gates of so many pixels are kept while the planes that they open pass by.
constexpr std::int64_t kStretchOfGates = 1024;

// body(tag, place) for whole vectors, then float by float.
template <class Body>
HWY_INLINE void for_floats(std::int64_t count, const Body& body) {
  const hn::ScalableTag<float> d;
  const hn::CappedTag<float, 1> one;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  std::int64_t i = 0;
  for (; i + lanes <= count; i += lanes) body(d, i);
  for (; i < count; ++i) body(one, i);
}

HWY_INLINE void open_gates(const float* x, float scale, float shift, std::int64_t count,
                           float* open) {
  for_floats(count, [&](auto d, std::int64_t i) HWY_ATTR {
    const auto u = hn::MulAdd(hn::LoadU(d, x + i), hn::Set(d, scale), hn::Set(d, shift));
    hn::StoreU(sigmoid(d, u), d, open + i);
  });
}

void forward_field(const GateField& field, const float* x, const float* scale, const float* shift,
                   float* y) {
  HWY_ALIGN float open[kStretchOfGates];
  for (std::int64_t at = 0; at < field.size; at += kStretchOfGates) {
    const std::int64_t count = std::min(kStretchOfGates, field.size - at);
    std::int64_t plane = field.gates;
    for (std::int64_t gate = 0; gate < field.gates; ++gate) {
      open_gates(x + gate * field.size + at, scale[gate], shift[gate], count, open);
      for (std::int64_t part = 0; part < field.parts[gate]; ++part, ++plane) {
        const float* in = x + plane * field.size + at;
        float* out = y + (plane - field.gates) * field.size + at;
        const float a = scale[plane], b = shift[plane];
        for_floats(count, [&](auto d, std::int64_t i) HWY_ATTR {
          const auto u = hn::MulAdd(hn::LoadU(d, in + i), hn::Set(d, a), hn::Set(d, b));
          hn::StoreU(hn::Mul(u, hn::LoadU(d, open + i)), d, out + i);
        });
      }
    }
  }
}

// Σ du·x and Σ du of a stretch.
HWY_INLINE void add_sums(const float* x, const float* du, std::int64_t count, double* dscale,
                         double* dshift) {
  const hn::ScalableTag<float> d;
  auto product = hn::Zero(d), sum = hn::Zero(d);
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  std::int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto u = hn::LoadU(d, du + i);
    product = hn::MulAdd(u, hn::LoadU(d, x + i), product);
    sum = hn::Add(sum, u);
  }
  double products = double(hn::GetLane(hn::SumOfLanes(d, product)));
  double sums = double(hn::GetLane(hn::SumOfLanes(d, sum)));
  for (; i < count; ++i) {
    products += double(du[i]) * double(x[i]);
    sums += double(du[i]);
  }
  *dscale += products;
  *dshift += sums;
}

void backward_field(const GateField& field, const float* x, const float* scale, const float* shift,
                    const float* dy, float* dx, double* dscale, double* dshift) {
  HWY_ALIGN float open[kStretchOfGates];
  HWY_ALIGN float du[kStretchOfGates];
  HWY_ALIGN float pull[kStretchOfGates];  // Σ dy·u over the planes of a gate
  std::int64_t planes = field.gates;
  for (std::int64_t gate = 0; gate < field.gates; ++gate) planes += field.parts[gate];
  std::fill(dscale, dscale + planes, 0.0);
  std::fill(dshift, dshift + planes, 0.0);
  for (std::int64_t at = 0; at < field.size; at += kStretchOfGates) {
    const std::int64_t count = std::min(kStretchOfGates, field.size - at);
    std::int64_t plane = field.gates;
    for (std::int64_t gate = 0; gate < field.gates; ++gate) {
      const float* gate_x = x + gate * field.size + at;
      open_gates(gate_x, scale[gate], shift[gate], count, open);
      std::fill(pull, pull + count, 0.0f);
      for (std::int64_t part = 0; part < field.parts[gate]; ++part, ++plane) {
        const float* in = x + plane * field.size + at;
        const float* above = dy + (plane - field.gates) * field.size + at;
        float* out = dx + plane * field.size + at;
        const float a = scale[plane], b = shift[plane];
        for_floats(count, [&](auto d, std::int64_t i) HWY_ATTR {
          const auto u = hn::MulAdd(hn::LoadU(d, in + i), hn::Set(d, a), hn::Set(d, b));
          const auto v = hn::LoadU(d, above + i);
          hn::StoreU(hn::MulAdd(v, u, hn::LoadU(d, pull + i)), d, pull + i);
          const auto own = hn::Mul(v, hn::LoadU(d, open + i));
          hn::StoreU(own, d, du + i);
          hn::StoreU(hn::Mul(own, hn::Set(d, a)), d, out + i);
        });
        add_sums(in, du, count, dscale + plane, dshift + plane);
      }
      float* out = dx + gate * field.size + at;
      const float a = scale[gate];
      for_floats(count, [&](auto d, std::int64_t i) HWY_ATTR {
        const auto g = hn::LoadU(d, open + i);
        const auto slope = hn::NegMulAdd(g, g, g);
        const auto own = hn::Mul(slope, hn::LoadU(d, pull + i));
        hn::StoreU(own, d, du + i);
        hn::StoreU(hn::Mul(own, hn::Set(d, a)), d, out + i);
      });
      add_sums(gate_x, du, count, dscale + gate, dshift + gate);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace algprior::kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace algprior::kernel {

HWY_EXPORT(forward_field);
HWY_EXPORT(backward_field);

void gate_forward(const GateField& field, const float* x, const float* scale, const float* shift,
                  float* y) {
  HWY_DYNAMIC_DISPATCH(forward_field)(field, x, scale, shift, y);
}

void gate_backward(const GateField& field, const float* x, const float* scale, const float* shift,
                   const float* dy, float* dx, double* dscale, double* dshift) {
  HWY_DYNAMIC_DISPATCH(backward_field)(field, x, scale, shift, dy, dx, dscale, dshift);
}

}  // namespace algprior::kernel
#endif
