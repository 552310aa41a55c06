#pragma once

#include "algprior/ranks/world.hpp"

#include <cstdint>
#include <memory>
#include <vector>

#include <ATen/core/Tensor.h>

namespace algprior {

/// Sums gradients over the ranks while the backward pass still computes: parameters stand in
/// buckets, the last ones first, and a bucket is sent once it is full of gradients and the bucket
/// before it was sent. So every rank sends the same buckets in the same order.
///
///     GradientSum gradients(world, module.parameters());
///     gradients.begin();
///     (loss * share.weight).backward();
///     gradients.finish();
///
/// A copy of all gradients in memory. While it lives, each backward pass that reaches one of the
/// parameters belongs between begin() and finish().
class GradientSum {
 public:
  static constexpr std::int64_t kBucketBytes = std::int64_t{1} << 19;

  GradientSum(const World& world, std::vector<at::Tensor> parameters,
              std::int64_t bucket_bytes = kBucketBytes);
  ~GradientSum();
  GradientSum(const GradientSum&) = delete;
  GradientSum& operator=(const GradientSum&) = delete;

  void begin();
  /// Until each gradient is its sum. A parameter without a gradient stays without.
  void finish();

  std::size_t buckets() const noexcept;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace algprior
