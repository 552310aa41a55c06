#pragma once

#include <string>
#include <utility>
#include <vector>

namespace algprior::report {

/// A range of numbers laid along a length of pixels, linear or logarithmic.
struct Axis {
  double low = 0, high = 1;   ///< of the data; low < high, both positive when logarithmic
  double start = 0, end = 1;  ///< pixels; start may exceed end (upwards)
  bool logarithmic = false;
  bool whole = false;  ///< counts: no ticks between whole numbers
  std::string label = {};

  double to_pixel(double value) const;
};

struct Tick {
  double value;
  std::string text;
};

/// About `count` round numbers (1, 2, 5 times a power of ten) inside the range, written with the
/// same decimals; powers of ten on a logarithmic axis, with 2 and 5 when there are few of them.
std::vector<Tick> make_ticks(const Axis& axis, int count);

/// The axis whose range holds all finite values: on a linear one with a margin at both ends, on a
/// logarithmic one out to a tenth of a decade. [0, 1] when there are none; a single value gets room
/// on both sides. Values that are not positive are left out on a logarithmic axis.
Axis fit_axis(const std::vector<double>& values, bool logarithmic = false);

/// Whether a logarithmic axis serves better: all values positive, and the largest more than fifty
/// times the smallest.
bool wants_logarithm(const std::vector<double>& values);

}  // namespace algprior::report
