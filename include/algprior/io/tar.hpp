#pragma once

#include "algprior/io/bytes.hpp"

#include <functional>

namespace algprior::io {

/// Walks the regular files of a tar archive (ustar, with GNU and pax long names) in order. The
/// content is a view into `bytes`. Links, devices and folders are passed over: nothing is written
/// anywhere, so a hostile member name can do no harm. Throws FileError on damage.
void for_each_tar_member(ByteView bytes, const std::string& name,
                         const std::function<void(const std::string& member, ByteView)>& visit);

}  // namespace algprior::io
