#pragma once

// The transforms of filtered_rows.hpp along whole rows, without torch and without threads. A kernel
// of r rows, 5 or 7, gives m = 9 − r rows.

namespace algprior::kernel {

/// Eight rows of `count` floats to Bᵀ of them, `pitch` floats apart. Reads and writes whole
/// vectors.
void transform_rows(const float* const* rows, int count, float* to, int pitch);

/// m rows bias + Aᵀ of eight, `pitch` floats apart, exactly `width` floats each. Rows whose
/// target is null are left out; the first is never null.
void restore_rows(int kernel, const float* from, int pitch, float bias, int width,
                  float* const* targets);

/// m rows of `count` floats to A of them, eight rows `pitch` floats apart: the transpose of
/// restore_rows. Reads and writes whole vectors.
void spread_rows(int kernel, const float* const* rows, int count, float* to, int pitch);

}  // namespace algprior::kernel
