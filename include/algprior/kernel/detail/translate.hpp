#pragma once

#include "algprior/base/error.hpp"

#include <string>
#include <utility>

#include <c10/util/Exception.h>

namespace algprior {

/// Calls `work` and hands on what it returns; LibTorch's own exception becomes an InputError that
/// says what failed, where, and LibTorch's reason without its backtrace. Others pass unchanged.
template <class Work>
auto translated(const char* what, const std::string& where, Work&& work) {
  try {
    return std::forward<Work>(work)();
  } catch (const c10::Error& error) {
    throw InputError({what, where, "tensors that LibTorch accepts",
                      std::string("LibTorch says: ") + error.what_without_backtrace()});
  }
}

}  // namespace algprior
