#include "interruption.hpp"

#include "algprior/base/interrupt.hpp"
#include "exit_codes.hpp"

#include <cerrno>

#include <signal.h>
#include <unistd.h>

namespace algprior {
namespace {

constexpr unsigned kSecondsToHear = 5;
constexpr unsigned kSecondsOfATerminate = 25;  // Slurm kills after 30

volatile sig_atomic_t interrupted = 0;

// A handler that runs between a call and the look at its errno must leave it alone.
struct KeepErrno {
  int kept = errno;
  KeepErrno() = default;
  KeepErrno(const KeepErrno&) = delete;
  KeepErrno& operator=(const KeepErrno&) = delete;
  ~KeepErrno() { errno = kept; }
};

// Files get their final names only when complete, so ending here loses nothing that was kept.
void on_alarm(int) {
  if (!stop_seen()) _exit(stop_exit_code());
}

void on_interrupt(int) {
  const KeepErrno errno_stays;
  interrupted = 1;
  if (stop_requested()) _exit(kExitInterrupted);
  request_stop();
  constexpr char kMessage[] = "\nstopping; press Ctrl-C again to stop at once\n";
  if (isatty(STDERR_FILENO) == 1) {
    [[maybe_unused]] const auto written = write(STDERR_FILENO, kMessage, sizeof kMessage - 1);
  }
  alarm(kSecondsToHear);
}

// Asked by another program, perhaps more than once: a second request changes nothing.
void on_terminate(int) {
  const KeepErrno errno_stays;
  request_stop();
  alarm(kSecondsOfATerminate);
}

// A warning: whoever sends it has time.
void on_warning(int) {
  request_stop();
}

void install(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, nullptr);
}

}  // namespace

int stop_exit_code() {
  return interrupted != 0 ? kExitInterrupted : kExitStopped;
}

void handle_signals() {
  // A job started in the background with Ctrl-C switched off stays that way.
  struct sigaction inherited {};
  sigaction(SIGINT, nullptr, &inherited);
  if (inherited.sa_handler != SIG_IGN) install(SIGINT, on_interrupt);
  install(SIGTERM, on_terminate);
  install(SIGUSR1, on_warning);
  install(SIGALRM, on_alarm);
  install(SIGPIPE, SIG_IGN);
  install(SIGXFSZ, SIG_IGN);  // the write fails instead, and says which file
}

}  // namespace algprior
