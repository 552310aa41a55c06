#include "algprior/report/png.hpp"

#include "algprior/base/error.hpp"
#include "algprior/io/checksum.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <zlib.h>

namespace algprior::report {
namespace {

using Colour = std::array<std::uint8_t, 3>;

void append_number(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 255);
}

void append_chunk(std::string& out, std::string_view type, std::string_view data) {
  append_number(out, static_cast<std::uint32_t>(data.size()));
  const std::string content = std::string(type).append(data);
  out += content;
  append_number(out, io::crc32(io::as_bytes(content)));
}

std::string deflate(const std::string& bytes) {
  uLongf length = compressBound(static_cast<uLong>(bytes.size()));
  std::string out(length, '\0');
  const int code = compress2(reinterpret_cast<Bytef*>(out.data()), &length,
                             reinterpret_cast<const Bytef*>(bytes.data()),
                             static_cast<uLong>(bytes.size()), Z_BEST_COMPRESSION);
  if (code != Z_OK) throw LimitError({"cannot pack a picture", "zlib", "enough memory", ""});
  out.resize(length);
  return out;
}

// Viridis (Smith and van der Walt, CC0) at nine places.
constexpr std::array<Colour, 9> kViridis = {{{68, 1, 84},
                                             {71, 44, 122},
                                             {59, 81, 139},
                                             {44, 113, 142},
                                             {33, 144, 141},
                                             {39, 173, 129},
                                             {92, 200, 99},
                                             {170, 220, 50},
                                             {253, 231, 37}}};
constexpr std::array<Colour, 5> kBlueWhiteRed = {
    {{33, 102, 172}, {146, 197, 222}, {247, 247, 247}, {244, 165, 130}, {178, 24, 43}}};
constexpr std::array<Colour, 2> kBlackWhite = {{{0, 0, 0}, {255, 255, 255}}};

Colour between(const auto& stops, double share) {
  const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), stops.size() - 2);
  const double part = place - static_cast<double>(below);
  Colour colour{};
  for (std::size_t c = 0; c < 3; ++c) {
    colour[c] = static_cast<std::uint8_t>(
        std::lround(stops[below][c] * (1 - part) + stops[below + 1][c] * part));
  }
  return colour;
}

}  // namespace

std::string to_png(const Picture& picture) {
  if (picture.rgb.size() != 3 * picture.width * picture.height || picture.rgb.empty()) {
    throw InputError({"cannot write a picture", fmt::format("{} samples", picture.rgb.size()),
                      fmt::format("3 × {} × {}", picture.width, picture.height), ""});
  }
  std::string rows;
  rows.reserve(picture.rgb.size() + picture.height);
  const auto* samples = reinterpret_cast<const char*>(picture.rgb.data());
  for (std::size_t y = 0; y < picture.height; ++y) {
    rows += '\0';  // no filter
    rows.append(samples + 3 * picture.width * y, 3 * picture.width);
  }
  std::string header;
  append_number(header, static_cast<std::uint32_t>(picture.width));
  append_number(header, static_cast<std::uint32_t>(picture.height));
  header.append("\x08\x02\0\0\0", 5);  // 8 bits, red green blue, no interlace
  std::string out = "\x89PNG\r\n\x1a\n";
  append_chunk(out, "IHDR", header);
  append_chunk(out, "IDAT", deflate(rows));
  append_chunk(out, "IEND", "");
  return out;
}

std::array<std::uint8_t, 3> colour_at(ColourScale scale, double share) {
  if (!std::isfinite(share)) return {160, 160, 160};
  switch (scale) {
    case ColourScale::kMagnitude:
      return between(kViridis, share);
    case ColourScale::kSigned:
      return between(kBlueWhiteRed, share);
    default:
      return between(kBlackWhite, share);
  }
}

std::string hex_colour(ColourScale scale, double share) {
  const auto c = colour_at(scale, share);
  return fmt::format("#{:02x}{:02x}{:02x}", c[0], c[1], c[2]);
}

bool is_bright(ColourScale scale, double share) {
  const auto c = colour_at(scale, share);
  return 0.299 * c[0] + 0.587 * c[1] + 0.114 * c[2] > 140;
}

}  // namespace algprior::report
