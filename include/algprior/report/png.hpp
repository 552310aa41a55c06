#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace algprior::report {

/// A picture of 8-bit red, green, blue samples, row by row from the top.
struct Picture {
  std::size_t width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
};

/// The PNG file (8 bits, no filter, one deflated chunk, no dates). Throws InputError unless rgb has
/// 3·width·height samples.
std::string to_png(const Picture& picture);

/// Draws an SVG file at `scale` pixels a unit with librsvg, found when first asked for: neither the
/// library nor the program is linked to it. Throws FileError with the package's name when librsvg
/// is not there, InputError when it does not understand the drawing.
Picture rasterise(const std::string& svg, double scale);

/// A colour scale from 0 to 1. `kMagnitude` (viridis) is ordered by brightness and reads in grey;
/// `kSigned` is blue below one half, white there, red above; `kGrey` black to white.
enum class ColourScale { kMagnitude, kSigned, kGrey };
std::array<std::uint8_t, 3> colour_at(ColourScale scale, double share);
/// "#440154"; NaN is a grey of its own.
std::string hex_colour(ColourScale scale, double share);
/// Whether black text is read better than white on that colour.
bool is_bright(ColourScale scale, double share);

}  // namespace algprior::report
