#pragma once

#include <cstdint>

namespace algprior {

/// How one image moves: flipped left to right first if `flip`, then turned counter-clockwise by
/// 90°·turns. With `resample` the turn goes by rotate(angle) and rotate(90°·turns − angle), two
/// bilinear resamplings with zeros outside; otherwise it is an exact permutation of pixels.
struct ImageMotion {
  float angle = 0.0f;  ///< degrees
  int turns = 0;
  bool flip = false;
  bool resample = false;
};

/// Bilinear rotation of `count` planes of height × width by degrees[i], counter-clockwise as
/// displayed, about the centre, zeros outside. Threaded over the planes. Throws InputError for an
/// angle that is not finite.
void rotate_planes(const float* in, std::int64_t count, int height, int width, const float* degrees,
                   float* out);

/// Moves `count` square planes. Throws InputError for an angle that is not finite.
void move_planes(const float* in, std::int64_t count, int side, const ImageMotion* motions,
                 float* out);

/// Pairs of digits on a canvas of 2·side × 2·side: rows side/2 … side/2 + side − 1, the left digit
/// in the left half, the right one in the right half, (value − mean)/deviation everywhere.
struct PairCanvas {
  int side = 28;
  float mean = 0.06535f;
  float deviation = 0.555068f;
};

/// For each of `count` pairs: the digits index[2n] and index[2n+1] of `digits` (uint8, side × side
/// each, brought to [0, 1]) move by first[2n], first[2n+1] and are pasted: x. They move again by
/// second[2n], second[2n+1] and are pasted: gx. `second` and `gx` may be null. Threaded over pairs.
/// Throws InputError for an index outside 0 … digit_count − 1 or an angle that is not finite.
void compose_pairs(const PairCanvas& canvas, const std::uint8_t* digits, std::int64_t digit_count,
                   const std::int64_t* index, std::int64_t count, const ImageMotion* first,
                   const ImageMotion* second, float* x, float* gx);

}  // namespace algprior
