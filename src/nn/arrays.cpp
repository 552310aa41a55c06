#include "algprior/nn/arrays.hpp"

#include "algprior/base/error.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include <ATen/ATen.h>

namespace algprior {
namespace {

struct Pairing {
  io::Dtype array;
  at::ScalarType tensor;
};

constexpr std::array kPairings = {
    Pairing{io::Dtype::boolean, at::kBool},  Pairing{io::Dtype::uint8, at::kByte},
    Pairing{io::Dtype::int8, at::kChar},     Pairing{io::Dtype::int16, at::kShort},
    Pairing{io::Dtype::int32, at::kInt},     Pairing{io::Dtype::int64, at::kLong},
    Pairing{io::Dtype::float16, at::kHalf},  Pairing{io::Dtype::bfloat16, at::kBFloat16},
    Pairing{io::Dtype::float32, at::kFloat}, Pairing{io::Dtype::float64, at::kDouble},
};

}  // namespace

at::Tensor to_tensor(const io::Array& array) {
  io::check(array);
  const auto found = std::find_if(kPairings.begin(), kPairings.end(),
                                  [&](const Pairing& pair) { return pair.array == array.dtype; });
  if (found == kPairings.end()) {
    throw InputError({"LibTorch has no such element type", std::string(io::name_of(array.dtype)),
                      "uint8, a signed integer or a floating-point type", "convert the array"});
  }
  auto tensor = at::empty(array.shape, found->tensor);
  if (!array.bytes.empty()) std::memcpy(tensor.data_ptr(), array.bytes.data(), array.bytes.size());
  return tensor;
}

io::Array to_array(const at::Tensor& tensor) {
  const auto type = tensor.scalar_type();
  const auto found = std::find_if(kPairings.begin(), kPairings.end(),
                                  [&](const Pairing& pair) { return pair.tensor == type; });
  if (found == kPairings.end()) {
    throw InputError({"this element type has no array form", at::toString(type),
                      "a real number type", "take real and imaginary parts with view_as_real"});
  }
  const auto plain = tensor.detach().to(at::kCPU).contiguous();
  io::Array array{found->array, tensor.sizes().vec(), io::Bytes(plain.nbytes())};
  if (plain.nbytes() > 0) std::memcpy(array.bytes.data(), plain.data_ptr(), plain.nbytes());
  return array;
}

}  // namespace algprior
