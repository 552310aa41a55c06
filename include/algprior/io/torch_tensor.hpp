#pragma once

#include "algprior/io/bytes.hpp"

namespace algprior::io {

/// One tensor as Python's torch.save(tensor, "file.pt") writes it (the zip format of PyTorch 1.6
/// and later), strides resolved to row-major. Such a file is a pickle, which in Python can run any
/// code; here it can name a storage and a shape and nothing else. Throws FileError for damage and
/// for every other content (models, dictionaries, calls), saying how to convert it; LimitError
/// beyond `limit` unpacked bytes.
Array read_torch_tensor(const std::filesystem::path& path,
                        std::uint64_t limit = default_byte_limit());
Array parse_torch_tensor(ByteView bytes, const std::string& name,
                         std::uint64_t limit = default_byte_limit());

}  // namespace algprior::io
