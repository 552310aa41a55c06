#pragma once

#include <exception>
#include <string>

namespace algprior {

/// What a person needs in order to act on a failure. Empty fields are left out of the message.
struct Failure {
  std::string what;      ///< what failed: "cannot read the configuration"
  std::string where;     ///< on which file or value: "my.toml:3:7", "group \"D0\""
  std::string expected;  ///< what would have been right: "an integer of at least 1"
  std::string next;      ///< what to do now: "write D1 for a single reflection"
};

/// The root of every exception that the library throws. The library never prints and never exits;
/// the program turns an Error into a message and an exit code.
class Error : public std::exception {
 public:
  explicit Error(Failure failure);

  const Failure& failure() const noexcept { return failure_; }
  /// "what: where\n  expected: …\n  next: …"
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  Failure failure_;
  std::string message_;
};

/// The caller's words are wrong: a command line, a configuration, a group name, a shape (exit code
/// 2).
class InputError : public Error {
 public:
  using Error::Error;
};

/// A file is missing, unreadable, damaged or cannot be written (exit code 1).
class FileError : public Error {
 public:
  using Error::Error;
};

/// The operation would need more memory or time than its bound allows (exit code 1).
class LimitError : public Error {
 public:
  using Error::Error;
};

/// Numbers ran away while training: a loss or a weight is not finite, a learned matrix is singular
/// (exit code 1). The run counts as not converged.
class DivergedError : public Error {
 public:
  using Error::Error;
};

/// The person asked to stop (exit code 130).
class Interrupted : public Error {
 public:
  using Error::Error;
};

}  // namespace algprior
