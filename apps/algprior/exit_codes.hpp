#pragma once

namespace algprior {

inline constexpr int kExitSuccess = 0;
inline constexpr int kExitFailure = 1;  ///< anything that no other code stands for
inline constexpr int kExitUsage = 2;    ///< the command line or the configuration is wrong
/// Asked to stop by a signal other than Ctrl-C (SIGTERM, SIGUSR1): what was begun can be taken up.
inline constexpr int kExitStopped = 75;
inline constexpr int kExitInterrupted = 130;  ///< Ctrl-C

}  // namespace algprior
