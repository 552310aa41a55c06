#pragma once

#include "run_program.hpp"

#include <filesystem>
#include <string>

namespace algprior {

/// A small training run of the real program: 24 images of 56×56 pixels in four classes, the network
/// of double-digit MNIST (batch norm, SIMD kernels, the worker thread), D4 with the regular
/// representation. Lives in a temporary folder of its own.
class SmallRun {
 public:
  explicit SmallRun(int epochs);
  ~SmallRun();
  SmallRun(const SmallRun&) = delete;
  SmallRun& operator=(const SmallRun&) = delete;

  /// `algprior train … --out <folder>/<name>`, with --resume.
  Start start(const std::string& name) const;
  std::filesystem::path folder(const std::string& name) const { return folder_ / name; }
  int metric_lines() const { return 2 * epochs_; }  ///< of a whole run

  /// Fails the test unless the run `name` has the bits of the run `whole`.
  void expect_same(const std::string& name, const std::string& whole) const;

 private:
  std::filesystem::path folder_;
  int epochs_;
};

/// Whole lines of a file; 0 when it is not there.
int count_lines(const std::filesystem::path& file);

}  // namespace algprior
