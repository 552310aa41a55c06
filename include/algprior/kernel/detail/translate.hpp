#pragma once

#include "algprior/base/error.hpp"

#include <stdexcept>
#include <string>
#include <typeinfo>
#include <utility>

#include <c10/util/Exception.h>

namespace algprior {

[[noreturn]] inline void refuse_tensors(const char* what, const std::string& where,
                                        const std::string& reason) {
  throw InputError({what, where, "tensors that LibTorch accepts", "LibTorch says: " + reason});
}

/// Calls `work` and hands on what it returns; LibTorch's own exceptions become an InputError that
/// says what failed, where, and LibTorch's reason without its backtrace. Others pass unchanged.
template <class Work>
auto translated(const char* what, const std::string& where, Work&& work) {
  try {
    return std::forward<Work>(work)();
  } catch (const c10::Error& error) {
    refuse_tensors(what, where, error.what_without_backtrace());
  } catch (const std::runtime_error& error) {  // some of its checks of shapes throw this one
    if (typeid(error) != typeid(std::runtime_error)) throw;
    refuse_tensors(what, where, error.what());
  }
}

}  // namespace algprior
