#pragma once

#include <ATen/core/Tensor.h>

namespace algprior {

/// How values between pixels are found. Pixels outside the image count as 0.
enum class Resampling {
  none,      ///< only motions that map pixels to pixels
  bilinear,  ///< each of the four corners outside the image contributes 0
  nearest,   ///< rounded half to even
};

/// Resamples images x (N×C×H×W) along a linear map of the plane for each sample: the output at
/// offset (u, v) from the image centre, u to the right and v downwards, is the input at
/// pull_back[n]·(u, v). `pull_back` is N×2×2. Volumes x (N×C×D×H×W) take N×3×3 for offsets (x, y,
/// z) along W, H and D; there "bilinear" is trilinear. Cost: one grid_sample for the whole batch.
/// Differentiable in x. Throws InputError for other shapes and for Resampling::none.
at::Tensor resample(const at::Tensor& x, const at::Tensor& pull_back, Resampling resampling);

/// The same where map_of[n] (int64) chooses image n's map among pull_back (M×2×2 or M×3×3). With
/// fewer maps than images the pixels' sources are found once a map, not once an image.
at::Tensor resample(const at::Tensor& x, const at::Tensor& pull_back, const at::Tensor& map_of,
                    Resampling resampling);

/// Turns image n counter-clockwise, as displayed with row 0 on top, by degrees[n] about its centre.
at::Tensor rotate(const at::Tensor& x, const at::Tensor& degrees, Resampling resampling);

/// Mirrors left and right the images whose entry in `which` (N, bool) is true.
at::Tensor flip_horizontally(const at::Tensor& x, const at::Tensor& which);

}  // namespace algprior
