#pragma once

#include "algprior/io/array.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace algprior::io {

/// What the pickle of a tensor says: which storage, and where in it the elements lie.
struct TensorPickle {
  Dtype dtype = Dtype::float32;
  std::string storage;      ///< the member "data/<storage>" of the archive
  std::int64_t stored = 0;  ///< elements of the storage
  std::int64_t offset = 0;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> stride;
};

/// A pickle that may build one tensor. It is a machine without calls: the two functions that a
/// tensor names are recognised by name and stand for values, and any other name is refused. Throws
/// FileError; numbers are not yet compared with each other.
TensorPickle parse_tensor_pickle(ByteView bytes, const std::string& name);

}  // namespace algprior::io
