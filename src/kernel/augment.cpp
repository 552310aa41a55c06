#include "algprior/kernel/detail/augment.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/parallel.hpp"
#include "rotate.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace algprior {
namespace {

using kernel::BorderedPlane;

void check_angle(float degrees) {
  if (!std::isfinite(degrees))
    throw InputError({"an image cannot be rotated", "angle " + std::to_string(degrees),
                      "a finite number of degrees", "check the draw of the angles"});
}

void rotate(const BorderedPlane& plane, const float* in, double degrees, float* out) {
  const double angle = degrees * std::numbers::pi / 180.0;
  kernel::rotate_plane(plane, in, static_cast<float>(std::cos(angle)),
                       static_cast<float>(std::sin(angle)), out);
}

// out[i, j] = in[j, side − 1 − i] applied `turns` times, after a left-right flip.
void permute(const BorderedPlane& plane, const float* in, int turns, bool flip, float* out) {
  const int last = plane.width - 1;
  for (int i = 0; i <= last; ++i)
    for (int j = 0; j <= last; ++j) {
      int row = i;
      int column = j;
      for (int turn = 0; turn < turns; ++turn) {
        const int next = column;
        column = last - row;
        row = next;
      }
      out[i * plane.pitch + j] = in[row * plane.pitch + (flip ? last - column : column)];
    }
}

// Two bordered planes between which a thread moves an image.
class Mover {
 public:
  explicit Mover(int side) : plane_(side, side), from_(plane_.size()), to_(plane_.size()) {}

  const BorderedPlane& plane() const { return plane_; }
  float* image() { return from_.data() + plane_.origin(); }

  void move(const ImageMotion& motion) {
    const int turns = ((motion.turns % 4) + 4) % 4;
    const bool turned = motion.resample ? motion.flip : motion.flip || turns != 0;
    if (turned) {
      permute(plane_, image(), motion.resample ? 0 : turns, motion.flip, target());
      from_.swap(to_);
    }
    if (!motion.resample) return;
    const auto angle = static_cast<double>(motion.angle);
    rotate(plane_, image(), angle, target());
    from_.swap(to_);
    rotate(plane_, image(), 90.0 * turns - angle, target());
    from_.swap(to_);
  }

 private:
  float* target() { return to_.data() + plane_.origin(); }

  BorderedPlane plane_;
  std::vector<float> from_;
  std::vector<float> to_;
};

void paste(const PairCanvas& canvas, const BorderedPlane& plane, const float* image, int half,
           float* out) {
  const float factor = 1.0f / canvas.deviation;
  const int side = canvas.side;
  for (int i = 0; i < side; ++i) {
    float* row = out + (side / 2 + i) * 2 * side + half * side;
    for (int j = 0; j < side; ++j) row[j] = (image[i * plane.pitch + j] - canvas.mean) * factor;
  }
}

}  // namespace

void rotate_planes(const float* in, std::int64_t count, int height, int width, const float* degrees,
                   float* out) {
  std::for_each(degrees, degrees + count, check_angle);
  const BorderedPlane plane(height, width);
  parallel_for(count, [&](std::int64_t begin, std::int64_t end) {
    std::vector<float> from(plane.size()), to(plane.size());
    for (std::int64_t n = begin; n < end; ++n) {
      for (int i = 0; i < height; ++i)
        std::copy_n(in + (n * height + i) * width, width,
                    from.data() + plane.origin() + i * plane.pitch);
      rotate(plane, from.data() + plane.origin(), static_cast<double>(degrees[n]),
             to.data() + plane.origin());
      for (int i = 0; i < height; ++i)
        std::copy_n(to.data() + plane.origin() + i * plane.pitch, width,
                    out + (n * height + i) * width);
    }
  });
}

void move_planes(const float* in, std::int64_t count, int side, const ImageMotion* motions,
                 float* out) {
  for (std::int64_t n = 0; n < count; ++n) check_angle(motions[n].angle);
  parallel_for(count, [&](std::int64_t begin, std::int64_t end) {
    Mover mover(side);
    const int pitch = mover.plane().pitch;
    for (std::int64_t n = begin; n < end; ++n) {
      for (int i = 0; i < side; ++i)
        std::copy_n(in + (n * side + i) * side, side, mover.image() + i * pitch);
      mover.move(motions[n]);
      for (int i = 0; i < side; ++i)
        std::copy_n(mover.image() + i * pitch, side, out + (n * side + i) * side);
    }
  });
}

void compose_pairs(const PairCanvas& canvas, const std::uint8_t* digits, std::int64_t digit_count,
                   const std::int64_t* index, std::int64_t count, const ImageMotion* first,
                   const ImageMotion* second, float* x, float* gx) {
  for (std::int64_t i = 0; i < 2 * count; ++i) {
    if (index[i] < 0 || index[i] >= digit_count)
      throw InputError({"a pair names a digit that does not exist",
                        "image " + std::to_string(index[i]),
                        "0 to " + std::to_string(digit_count - 1), "check the drawn indices"});
    check_angle(first[i].angle);
    if (second != nullptr) check_angle(second[i].angle);
  }
  const int side = canvas.side;
  const std::int64_t pixels = std::int64_t{side} * side;
  const float background = -canvas.mean / canvas.deviation;
  parallel_for(count, [&](std::int64_t begin, std::int64_t end) {
    Mover mover(side);
    const int pitch = mover.plane().pitch;
    for (std::int64_t n = begin; n < end; ++n) {
      std::fill_n(x + 4 * pixels * n, 4 * pixels, background);
      if (second != nullptr) std::fill_n(gx + 4 * pixels * n, 4 * pixels, background);
      for (int half = 0; half < 2; ++half) {
        const std::int64_t digit = 2 * n + half;
        const std::uint8_t* from = digits + index[digit] * pixels;
        for (int i = 0; i < side; ++i)
          for (int j = 0; j < side; ++j)
            mover.image()[i * pitch + j] = static_cast<float>(from[i * side + j]) * (1.0f / 255.0f);
        mover.move(first[digit]);
        paste(canvas, mover.plane(), mover.image(), half, x + 4 * pixels * n);
        if (second == nullptr) continue;
        mover.move(second[digit]);
        paste(canvas, mover.plane(), mover.image(), half, gx + 4 * pixels * n);
      }
    }
  });
}

}  // namespace algprior
