#pragma once

namespace algprior {

/// From here on Ctrl-C asks running work to stop at its next safe point (base/interrupt.hpp). Work
/// that has not heard it after a few seconds is ended; a second Ctrl-C ends it at once. SIGTERM, as
/// a scheduler sends it half a minute before it kills, and SIGUSR1, its warning long before, ask in
/// the same way, once.
/// Also ignores SIGPIPE and SIGXFSZ, so that a reader that goes away and a file that may not grow
/// show as failed writes.
void handle_signals();

/// 130 after a Ctrl-C, else 75: the code of a program that was asked to stop.
int stop_exit_code();

}  // namespace algprior
