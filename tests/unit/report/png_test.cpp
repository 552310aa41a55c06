#include "algprior/report/png.hpp"

#include "algprior/base/error.hpp"
#include "algprior/io/checksum.hpp"

#include <cmath>

#include <gtest/gtest.h>
#include <zlib.h>

namespace algprior::report {
namespace {

std::uint32_t number_at(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

// Decoded by the standard's description: chunks with lengths and checksums, rows behind a filter
// byte.
TEST(Png, IsWhatTheStandardSays) {
  Picture picture{3, 2, {}};
  for (int i = 0; i < 18; ++i) picture.rgb.push_back(static_cast<std::uint8_t>(i * 14));
  const std::string png = to_png(picture);
  ASSERT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  std::string packed;
  for (std::size_t at = 8; at < png.size();) {
    const std::uint32_t length = number_at(png, at);
    ASSERT_LE(at + 12 + length, png.size());
    const std::string content = png.substr(at + 4, 4 + length);
    EXPECT_EQ(number_at(png, at + 8 + length), io::crc32(io::as_bytes(content)));
    if (content.starts_with("IHDR")) {
      EXPECT_EQ(number_at(content, 4), 3u);
      EXPECT_EQ(number_at(content, 8), 2u);
    }
    if (content.starts_with("IDAT")) packed = content.substr(4);
    at += 12 + length;
  }
  std::string rows(2 * 10, '\0');
  uLongf length = rows.size();
  ASSERT_EQ(uncompress(reinterpret_cast<Bytef*>(rows.data()), &length,
                       reinterpret_cast<const Bytef*>(packed.data()), packed.size()),
            Z_OK);
  ASSERT_EQ(length, 20u);
  for (std::size_t y = 0; y < 2; ++y) {
    EXPECT_EQ(rows[10 * y], 0);
    for (std::size_t i = 0; i < 9; ++i) {
      EXPECT_EQ(static_cast<std::uint8_t>(rows[10 * y + 1 + i]), picture.rgb[9 * y + i]);
    }
  }
  picture.rgb.pop_back();
  EXPECT_THROW(to_png(picture), InputError);
}

TEST(Png, ColourScales) {
  EXPECT_EQ(hex_colour(ColourScale::kGrey, 0), "#000000");
  EXPECT_EQ(hex_colour(ColourScale::kGrey, 2), "#ffffff");
  EXPECT_EQ(hex_colour(ColourScale::kMagnitude, 0), "#440154");
  EXPECT_EQ(hex_colour(ColourScale::kSigned, 0.5), "#f7f7f7");
  EXPECT_EQ(hex_colour(ColourScale::kMagnitude, NAN), "#a0a0a0");
  // Ordered by brightness, so that it reads in grey.
  double before = -1;
  for (double share = 0; share <= 1; share += 0.02) {
    const auto c = colour_at(ColourScale::kMagnitude, share);
    const double brightness = 0.299 * c[0] + 0.587 * c[1] + 0.114 * c[2];
    EXPECT_GT(brightness, before);
    before = brightness;
  }
  EXPECT_TRUE(is_bright(ColourScale::kMagnitude, 1));
  EXPECT_FALSE(is_bright(ColourScale::kMagnitude, 0));
}

TEST(Png, DrawsAnSvg) {
  const std::string svg =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"4\" height=\"2\" viewBox=\"0 0 4 2\">"
      "<style>.a{fill:#ff0000}</style><rect width=\"4\" height=\"2\" fill=\"#0000ff\"/>"
      "<rect class=\"a\" width=\"2\" height=\"2\"/></svg>";
  Picture picture;
  try {
    picture = rasterise(svg, 2);
  } catch (const FileError& error) {
    GTEST_SKIP() << error.what();
  }
  ASSERT_EQ(picture.width, 8u);
  ASSERT_EQ(picture.height, 4u);
  EXPECT_EQ((std::array<int, 3>{picture.rgb[0], picture.rgb[1], picture.rgb[2]}),
            (std::array<int, 3>{255, 0, 0}));
  EXPECT_EQ((std::array<int, 3>{picture.rgb[21], picture.rgb[22], picture.rgb[23]}),
            (std::array<int, 3>{0, 0, 255}));
  EXPECT_THROW(rasterise("no svg", 1), InputError);
  EXPECT_THROW(rasterise(svg, 1e6), InputError);
}

}  // namespace
}  // namespace algprior::report
