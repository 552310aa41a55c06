#include "algprior/io/font.hpp"

#include "fixture.hpp"

#include <cmath>
#include <numbers>
#include <numeric>

namespace algprior::io {
namespace {

// The typeface of oracles/python/font_fixtures.py: polygons, capitals 700 units high.
Font shapes() {
  return read_font(fixture("shapes.ttf"));
}

double ink(const Array& image) {
  const auto pixels = view<float>(image);
  return std::accumulate(pixels.begin(), pixels.end(), 0.0);
}

float at(const Array& image, int row, int column) {
  return view<float>(image)[static_cast<std::size_t>(row * image.shape[1] + column)];
}

/// Centre of the ink: column from the left, row from the top, in pixels.
std::pair<double, double> centre(const Array& image) {
  double x = 0, y = 0;
  for (int i = 0; i < image.shape[0]; ++i) {
    for (int j = 0; j < image.shape[1]; ++j) {
      x += at(image, i, j) * (j + 0.5);
      y += at(image, i, j) * (i + 0.5);
    }
  }
  return {x / ink(image), y / ink(image)};
}

TEST(Font, SquareOfCapHeightFillsTheMiddle) {
  const Array image = render_glyph(shapes(), U'0');
  ASSERT_EQ(image.shape, (std::vector<std::int64_t>{28, 28}));
  for (int i = 0; i < 28; ++i) {
    for (int j = 0; j < 28; ++j) {
      const bool inside = i >= 4 && i < 24 && j >= 4 && j < 24;
      EXPECT_EQ(at(image, i, j), inside ? 1.0F : 0.0F) << i << ' ' << j;
    }
  }
}

TEST(Font, ContainersGiveTheSamePixels) {
  for (const char32_t c : {U'0', U'1', U'7', U'H'}) {
    const Array plain = render_glyph(shapes(), c);
    EXPECT_EQ(render_glyph(read_font(fixture("shapes.woff")), c), plain);
    EXPECT_EQ(render_glyph(read_font(fixture("shapes.woff2")), c), plain);
  }
}

TEST(Font, PixelsAreCoveredArea) {
  const Array triangle = render_glyph(shapes(), U'1');
  EXPECT_NEAR(ink(triangle), 200, 0.5);
  EXPECT_EQ(at(triangle, 23, 4), 1.0F);  // the right angle stands lower left
  EXPECT_EQ(at(triangle, 4, 23), 0.0F);
  for (int i = 4; i < 23; ++i) {
    EXPECT_NEAR(at(triangle, i, i), 0.5F, 0.02);
    EXPECT_NEAR(at(triangle, i, i + 1), 0.0F, 0.02);
    EXPECT_NEAR(at(triangle, i + 1, i), 1.0F, 0.02);
  }
}

TEST(Font, RowZeroIsTheTop) {
  const Array seven = render_glyph(shapes(), U'7');
  EXPECT_EQ(at(seven, 5, 22), 1.0F);
  EXPECT_EQ(at(seven, 22, 5), 1.0F);
  EXPECT_EQ(at(seven, 22, 22), 0.0F);
}

TEST(Font, CapHeightAndSizeScale) {
  EXPECT_NEAR(ink(render_glyph(shapes(), U'0', {.size = 28, .cap_height = 10})), 100, 1e-3);
  EXPECT_NEAR(ink(render_glyph(shapes(), U'0', {.size = 64, .cap_height = 50})), 2500, 1e-3);
  // 600 units wide at 20 pixels for 700 units, to 1/64 pixel.
  EXPECT_NEAR(ink(render_glyph(shapes(), U'H')), 20.0 * 20 * 6 / 7, 0.5);
}

TEST(Font, WideGlyphsAreMadeSmaller) {
  const Array wide = render_glyph(shapes(), U'-');
  EXPECT_NEAR(ink(wide), 28 * 9.8, 1.5);
  EXPECT_GT(at(wide, 14, 0), 0.9F);
  EXPECT_GT(at(wide, 14, 27), 0.9F);
}

TEST(Font, TurnsCounterClockwiseAboutTheMiddle) {
  const Array seven = render_glyph(shapes(), U'7');
  const Array turned = render_glyph(shapes(), U'7', {.rotation = std::numbers::pi / 2});
  for (int i = 0; i < 28; ++i) {
    for (int j = 0; j < 28; ++j) EXPECT_NEAR(at(turned, i, j), at(seven, j, 27 - i), 0.02);
  }
  const Array square = render_glyph(shapes(), U'0', {.cap_height = 15, .rotation = 0.3});
  EXPECT_NEAR(ink(square), 225, 1);
  EXPECT_NEAR(centre(square).first, 14, 0.02);
}

TEST(Font, ShiftsAndSlants) {
  const auto [x, y] = centre(render_glyph(shapes(), U'0', {.right = 2.5, .up = -1.25}));
  EXPECT_NEAR(x, 16.5, 0.02);
  EXPECT_NEAR(y, 15.25, 0.02);
  const Array italic = render_glyph(shapes(), U'0', {.cap_height = 14, .slant = 0.4});
  EXPECT_NEAR(ink(italic), 196, 0.5);
  EXPECT_GT(at(italic, 7, 22), at(italic, 20, 22));  // the top leans to the right
}

TEST(Font, ASpaceIsEmpty) {
  EXPECT_EQ(ink(render_glyph(shapes(), U' ')), 0);
}

TEST(Font, RefusesWhatItCannotDraw) {
  EXPECT_TRUE(shapes().has(U'7'));
  EXPECT_FALSE(shapes().has(U'8'));
  const std::string message = message_of<InputError>([] { render_glyph(shapes(), U'8'); });
  expect_contains(message, "U+0038");
  expect_contains(message, "shapes.ttf");
  EXPECT_THROW(render_glyph(shapes(), U'0', {.size = 0}), InputError);
  EXPECT_THROW(render_glyph(shapes(), U'0', {.cap_height = -1}), InputError);
  EXPECT_THROW(render_glyph(shapes(), U'0', {.rotation = std::nan("")}), InputError);
}

TEST(Font, RefusesForeignFiles) {
  const std::string message = message_of<FileError>([] { read_font(fixture("uint8.npy")); });
  expect_contains(message, "uint8.npy");
  expect_contains(message, "no font");
  expect_contains(message, "WOFF");
  EXPECT_THROW(read_font(fixture("no-such.ttf")), FileError);
  EXPECT_THROW(parse_font({}, "empty"), FileError);
}

/// A cut or flipped font either is refused with FileError or draws something: never a crash, never
/// another exception. FreeType forgives damage that it can draw around.
void expect_survived(const Bytes& bytes) {
  try {
    const Font font = parse_font(bytes, "damaged");
    for (const char32_t c : {U'0', U'1', U'7'}) {
      if (!font.has(c)) continue;
      EXPECT_LE(ink(render_glyph(font, c)), 28 * 28);
    }
  } catch (const FileError&) {
  }
}

TEST(Font, SurvivesDamage) {
  for (const std::string kind : {"ttf", "woff", "woff2"}) {
    const Bytes whole = read_bytes(fixture("shapes." + kind));
    for (std::size_t size = 0; size < whole.size(); size += 3) {
      expect_survived(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)));
    }
    for (std::size_t i = 0; i < whole.size(); ++i) {
      Bytes flipped = whole;
      flipped[i] ^= std::byte{0xFF};
      expect_survived(flipped);
    }
    EXPECT_THROW(parse_font(Bytes(whole.begin(), whole.begin() + 40), "cut"), FileError);
  }
}

}  // namespace
}  // namespace algprior::io
