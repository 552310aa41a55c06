#pragma once

#include "algprior/base/interrupt.hpp"

#include <optional>

#include <pybind11/pybind11.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace algprior::python {

/// While it lives, other Python threads run, and Ctrl-C asks the library to stop before Python
/// hears of it: long loops of the library look for that request, not for Python's. Only Python's
/// main thread listens, as everywhere in Python; calls may nest.
class LongCall {
 public:
  LongCall() {
    released_.emplace();
    if (listening_ || getpid() != syscall(SYS_gettid)) return;
    struct sigaction action {};
    sigaction(SIGINT, nullptr, &previous_);
    // Without a handler of Python's, Ctrl-C ends the process or nothing: then it stays so.
    if ((previous_.sa_flags & SA_SIGINFO) != 0 || previous_.sa_handler == SIG_DFL ||
        previous_.sa_handler == SIG_IGN) {
      return;
    }
    action.sa_handler = hear;
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, nullptr);
    listening_ = owner_ = true;
  }
  ~LongCall() {
    if (!owner_) return;
    sigaction(SIGINT, &previous_, nullptr);
    listening_ = false;
    clear_stop();  // Python has the signal too and raises KeyboardInterrupt by itself
  }
  LongCall(const LongCall&) = delete;
  LongCall& operator=(const LongCall&) = delete;

 private:
  static void hear(int signal) {
    request_stop();
    previous_.sa_handler(signal);
  }

  static inline struct sigaction previous_ {};
  static inline bool listening_ = false;
  bool owner_ = false;
  std::optional<pybind11::gil_scoped_release> released_;  // taken back last
};

/// A function's result, computed in a LongCall.
template <class Function>
auto long_call(Function&& function) {
  const LongCall call;
  return function();
}

}  // namespace algprior::python
