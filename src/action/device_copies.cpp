#include "algprior/action/device_copies.hpp"

#include <map>
#include <mutex>

#include <ATen/ATen.h>

namespace algprior {

struct DeviceCopies::Copies {
  std::mutex mutex;
  std::map<std::pair<int, int>, at::Tensor> by_device;  // (type, index)
};

DeviceCopies::DeviceCopies(at::Tensor tensor)
    : original_(std::move(tensor)), copies_(std::make_shared<Copies>()) {}

at::Tensor DeviceCopies::on(at::Device device) const {
  if (!original_.defined() || original_.device() == device) return original_;
  const std::lock_guard lock(copies_->mutex);
  at::Tensor& copy =
      copies_->by_device[{static_cast<int>(device.type()), static_cast<int>(device.index())}];
  if (!copy.defined()) copy = original_.to(device);
  return copy;
}

}  // namespace algprior
