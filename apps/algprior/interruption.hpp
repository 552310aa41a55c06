#pragma once

namespace algprior {

/// From here on Ctrl-C asks running work to stop at its next safe point (base/interrupt.hpp). Work
/// that has not heard it after a few seconds is ended; a second Ctrl-C ends it at once. Always 130.
/// Also ignores SIGPIPE, so that a reader that goes away shows as a failed write.
void handle_signals();

}  // namespace algprior
