#include "algprior/data/font_digits.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/memory.hpp"

#include <cmath>
#include <numbers>

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace algprior {
namespace {

constexpr std::int64_t kDrawnDigits = 10;
constexpr std::int64_t kDrawnSide = 28;
constexpr double kLowest = 15, kHighest = 21;           // pixels
constexpr double kLargestTurn = std::numbers::pi / 18;  // 10 degrees
constexpr double kLargestSlant = 0.25;
constexpr double kLargestShift = 2;  // pixels

io::GlyphOptions random_pose(RandomStream& random) {
  const auto within = [&](double low, double high) {
    return low + (high - low) * random.uniform();
  };
  // Named, because the order in which a call evaluates its arguments is not fixed.
  io::GlyphOptions pose{.size = kDrawnSide};
  pose.cap_height = within(kLowest, kHighest);
  pose.rotation = within(-kLargestTurn, kLargestTurn);
  pose.slant = within(-kLargestSlant, kLargestSlant);
  pose.right = within(-kLargestShift, kLargestShift);
  pose.up = within(-kLargestShift, kLargestShift);
  return pose;
}

}  // namespace

Digits draw_digits(const std::vector<io::Font>& fonts, std::int64_t per_digit,
                   const RandomKey& key) {
  if (fonts.empty() || per_digit < 1) {
    throw InputError({"there is nothing to draw digits from",
                      fmt::format("{} fonts, {} images a digit", fonts.size(), per_digit),
                      "at least 1 of each", ""});
  }
  check_memory(
      static_cast<double>(kDrawnDigits * kDrawnSide * kDrawnSide) * static_cast<double>(per_digit),
      "drawn digits", fmt::format("{} images a digit", per_digit));
  const auto images = at::empty({kDrawnDigits * per_digit, kDrawnSide, kDrawnSide}, at::kByte);
  const auto labels = at::arange(kDrawnDigits, at::kLong).repeat_interleave(per_digit);
  auto* pixel = images.data_ptr<std::uint8_t>();
  for (std::int64_t i = 0; i < kDrawnDigits * per_digit; ++i) {
    RandomStream random(key.sample(static_cast<std::uint64_t>(i)));
    const io::Font& font = fonts[random.below(fonts.size())];
    const auto character = static_cast<char32_t>(U'0' + i / per_digit);
    const io::Array glyph = io::render_glyph(font, character, random_pose(random));
    for (const float ink : io::view<float>(glyph)) {
      *pixel++ = static_cast<std::uint8_t>(std::lround(255 * ink));
    }
  }
  return make_digits(images, labels);
}

}  // namespace algprior
