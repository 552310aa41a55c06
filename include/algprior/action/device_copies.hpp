#pragma once

#include <memory>

#include <ATen/core/Tensor.h>

namespace algprior {

/// A constant tensor with a copy on every device that asked for one, made at the first time: so a
/// step uploads nothing. A value; copies share what they have. Safe to use from several threads.
class DeviceCopies {
 public:
  DeviceCopies() = default;
  explicit DeviceCopies(at::Tensor tensor);

  /// The tensor itself on its own device, else its copy there.
  at::Tensor on(at::Device device) const;
  const at::Tensor& original() const { return original_; }

 private:
  struct Copies;
  at::Tensor original_;
  std::shared_ptr<Copies> copies_;
};

}  // namespace algprior
