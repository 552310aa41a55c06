#pragma once

namespace algprior {

/// Stopping long work on request. Whoever hears the person (the program's Ctrl-C handler, an
/// application's button) calls request_stop; long loops in the library call throw_if_stopped about
/// ten times a second or at each step, at a point where nothing is half done. One relaxed atomic
/// load.

/// Asks all work in this process to stop. Safe in a signal handler.
void request_stop() noexcept;

/// Whether a stop was asked for.
bool stop_requested() noexcept;

/// Whether some loop has seen the request, and so is on its way out. Safe in a signal handler.
bool stop_seen() noexcept;

/// Throws Interrupted when a stop was asked for.
void throw_if_stopped();

/// Forgets the request, so that the process can work on.
void clear_stop() noexcept;

}  // namespace algprior
