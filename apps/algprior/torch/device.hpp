#pragma once

#include <string>

#include <c10/core/Device.h>

namespace algprior {

/// The device of this name. Throws InputError when this machine or this LibTorch lacks it.
c10::Device to_device(const std::string& word);

}  // namespace algprior
