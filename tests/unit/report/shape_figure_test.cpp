// The picture of a shape, read back from the drawing: what stands where, in which colour.
#include "algprior/report/shape_figure.hpp"

#include "algprior/base/error.hpp"
#include "algprior/mesh/refine.hpp"
#include "algprior/report/png.hpp"
#include "small_runs.hpp"

#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>
#include <zlib.h>

namespace algprior::report {
namespace {

using mesh::Point;
using Colour = std::array<std::uint8_t, 3>;

std::string from_base64(std::string_view text) {
  const std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t held = 0;
  int bits = 0;
  for (const char letter : text) {
    const auto place = letters.find(letter);
    if (place == std::string_view::npos) break;  // the padding
    held = held << 6 | static_cast<std::uint32_t>(place);
    bits += 6;
    if (bits >= 8) bytes.push_back(static_cast<char>(held >> (bits -= 8) & 0xff));
  }
  return bytes;
}

std::size_t big_endian(const std::string& bytes, std::size_t at) {
  std::size_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<std::uint8_t>(bytes[at + i]);
  return value;
}

// What to_png() writes: one chunk, rows behind a filter byte of 0.
Picture from_png(const std::string& png) {
  Picture picture{big_endian(png, 16), big_endian(png, 20), {}};
  const std::size_t chunk = png.find("IDAT");
  std::string rows(picture.height * (3 * picture.width + 1), '\0');
  uLongf length = rows.size();
  const int state = uncompress(reinterpret_cast<Bytef*>(rows.data()), &length,
                               reinterpret_cast<const Bytef*>(png.data() + chunk + 4),
                               big_endian(png, chunk - 4));
  EXPECT_EQ(state, Z_OK);
  for (std::size_t y = 0; y < picture.height; ++y) {
    const auto* row =
        reinterpret_cast<const std::uint8_t*>(rows.data()) + y * (3 * picture.width + 1);
    picture.rgb.insert(picture.rgb.end(), row + 1, row + 1 + 3 * picture.width);
  }
  return picture;
}

std::vector<Picture> pictures_of(const Figure& figure) {
  constexpr std::string_view kStart = "data:image/png;base64,";
  std::vector<Picture> pictures;
  for (auto at = figure.body.find(kStart); at != std::string::npos;
       at = figure.body.find(kStart, at + 1)) {
    const auto begin = at + kStart.size();
    pictures.push_back(from_png(from_base64(
        std::string_view(figure.body).substr(begin, figure.body.find('"', begin) - begin))));
  }
  return pictures;
}

Colour pixel(const Picture& picture, std::size_t row, std::size_t column) {
  const std::size_t at = 3 * (row * picture.width + column);
  return {picture.rgb.at(at), picture.rgb.at(at + 1), picture.rgb.at(at + 2)};
}

int difference(const Colour& a, const Colour& b) {
  int most = 0;
  for (std::size_t i = 0; i < 3; ++i) most = std::max(most, std::abs(int{a[i]} - int{b[i]}));
  return most;
}

const Colour kWhite{255, 255, 255};
const Colour kHighest = colour_at(ColourScale::kMagnitude, 1),
             kLowest = colour_at(ColourScale::kMagnitude, 0);
constexpr int kInterpolated = 12;  // steps of 255 that a chord of the icosphere may be off

/// The round sphere with a signal that is linear in the point: u·p.
mesh::SphereShape round_shape(const Point& u) {
  const mesh::Mesh sphere = mesh::make_icosphere(4);
  mesh::SphereShape shape;
  shape.faces = sphere.faces;
  shape.sphere = sphere.vertices;
  shape.signal.resize(static_cast<Eigen::Index>(sphere.vertices.size()), 1);
  for (std::size_t v = 0; v < sphere.vertices.size(); ++v) {
    shape.signal(static_cast<Eigen::Index>(v), 0) = static_cast<float>(u.dot(sphere.vertices[v]));
  }
  shape.remarks["flips"] = "0";
  return shape;
}

mesh::Mesh body() {
  mesh::Mesh mesh = mesh::make_icosphere(3);
  for (Point& p : mesh.vertices) p.z() *= 3.0;
  return mesh;
}

TEST(ShapeFigure, ARasterHasTheSignalsColours) {
  const Point u = Point(1, -2, 0.5).normalized();
  const auto grid = mesh::half_offset_grid(12, 24);
  const auto pictures = pictures_of(shape_figure(body(), round_shape(u), grid, "ball"));
  ASSERT_EQ(pictures.size(), 3U);
  ASSERT_EQ(pictures[2].width, 24U);
  ASSERT_EQ(pictures[2].height, 12U);
  const auto directions = mesh::grid_directions(grid);
  for (std::size_t cell = 0; cell < directions.size(); ++cell) {
    const Colour expected = colour_at(ColourScale::kMagnitude, 0.5 + 0.5 * u.dot(directions[cell]));
    EXPECT_LE(difference(pixel(pictures[2], cell / 24, cell % 24), expected), kInterpolated)
        << cell;
  }
}

// +x in the middle of the cross, +y to its right, +z above, −x at the right end, −y at the left.
TEST(ShapeFigure, ACubeMapIsUnfoldedToACross) {
  constexpr int n = 8;
  const std::vector<std::pair<Point, std::array<std::size_t, 2>>> faces = {
      {{1, 0, 0}, {1, 1}},  {{0, 1, 0}, {1, 2}},  {{0, 0, 1}, {0, 1}},
      {{-1, 0, 0}, {1, 3}}, {{0, -1, 0}, {1, 0}}, {{0, 0, -1}, {2, 1}}};
  for (const auto& [axis, square] : faces) {
    const auto pictures =
        pictures_of(shape_figure(body(), round_shape(axis), mesh::cube_map_grid(n), "ball"));
    ASSERT_EQ(pictures.size(), 3U);
    const Picture& cross = pictures[2];
    ASSERT_EQ(cross.width, 4U * n);
    ASSERT_EQ(cross.height, 3U * n);
    EXPECT_LE(difference(pixel(cross, square[0] * n + n / 2, square[1] * n + n / 2), kHighest), 24);
    EXPECT_EQ(pixel(cross, 0, 0), kWhite);  // no face stands in the corners
    EXPECT_EQ(pixel(cross, 3 * n - 1, 4 * n - 1), kWhite);
  }
  // Along the equator, and over the poles, neighbours in the cross are neighbours on the sphere.
  const auto cross = pictures_of(shape_figure(body(), round_shape(Point(1, 2, 3).normalized()),
                                              mesh::cube_map_grid(n), "ball"))[2];
  for (std::size_t i = n; i < 2 * n; ++i) {
    for (std::size_t j = 0; j + 1 < 4 * n; ++j) {
      EXPECT_LE(difference(pixel(cross, i, j), pixel(cross, i, j + 1)), 60) << i << " " << j;
    }
    for (std::size_t j = 0; j + 1 < 3 * n; ++j) {
      EXPECT_LE(difference(pixel(cross, j, i), pixel(cross, j + 1, i)), 60) << j << " " << i;
    }
  }
}

// What faces the eye hides what lies behind it.
TEST(ShapeFigure, TheSphereIsSeenFromInFront) {
  const double yaw = 0.6, pitch = 0.35;
  const Point eye(std::cos(pitch) * std::sin(yaw), -std::cos(pitch) * std::cos(yaw),
                  std::sin(pitch));
  for (const double sign : {1.0, -1.0}) {
    const auto grid = mesh::cube_map_grid(4);
    const auto pictures = pictures_of(shape_figure(body(), round_shape(sign * eye), grid, "ball"));
    const Picture& ball = pictures.at(1);
    const std::size_t middle = ball.width / 2;
    EXPECT_LE(difference(pixel(ball, middle, middle), sign > 0 ? kHighest : kLowest), 16);
    EXPECT_EQ(pixel(ball, 2, 2), kWhite);
    // A disc: 0.48 of the side is its radius.
    const auto reach = static_cast<std::size_t>(0.48 * static_cast<double>(ball.width));
    EXPECT_NE(pixel(ball, middle, middle + reach - 3), kWhite);
    EXPECT_EQ(pixel(ball, middle, middle + reach + 2), kWhite);
  }
  const auto upright = pictures_of(
      shape_figure(body(), round_shape(Point::UnitZ()), mesh::cube_map_grid(4), "ball"))[1];
  const auto brightness = [&](std::size_t row) {
    return int{pixel(upright, row, upright.width / 2)[1]};
  };
  EXPECT_GT(brightness(30), brightness(210) + 60);  // z upwards
}

TEST(ShapeFigure, TheSurfaceKeepsItsProportions) {
  const auto surface = pictures_of(
      shape_figure(body(), round_shape(Point::UnitZ()), mesh::cube_map_grid(4), "b"))[0];
  std::size_t left = surface.width, right = 0, top = surface.height, bottom = 0;
  for (std::size_t y = 0; y < surface.height; ++y) {
    for (std::size_t x = 0; x < surface.width; ++x) {
      const Colour colour = pixel(surface, y, x);
      if (colour == kWhite) continue;
      left = std::min(left, x);
      right = std::max(right, x);
      top = std::min(top, y);
      bottom = std::max(bottom, y);
      EXPECT_GT(colour[0], colour[2]);  // sand, however dark
    }
  }
  // 1 × 1 × 3, tilted by 0.35: √(9 cos² + sin²) high, 1 wide.
  const double expected = std::hypot(3 * std::cos(0.35), std::sin(0.35));
  EXPECT_NEAR(static_cast<double>(bottom - top) / static_cast<double>(right - left), expected, 0.1);
}

TEST(ShapeFigure, SaysWhatItShows) {
  const mesh::SphereShape shape = round_shape(Point::UnitX());
  const Figure figure = shape_figure(body(), shape, mesh::cube_map_grid(4), "T7.off");
  for (const char* part : {"T7.off", "642 vertices", "cube-4", "channel 0", "from -1 to 1"}) {
    EXPECT_NE(figure.description.find(part), std::string::npos) << figure.description;
  }
  EXPECT_EQ(figure.numbers.rows, (std::vector<std::vector<std::string>>{{"flips", "0"}}));
  EXPECT_EQ(count_of_text(to_svg(figure), "<svg"), 1U);
  EXPECT_THROW(shape_figure(body(), shape, mesh::cube_map_grid(4), "T7.off", 1), InputError);
  EXPECT_THROW(shape_figure(body(), shape, mesh::cube_map_grid(4), "T7.off", -1), InputError);
}

}  // namespace
}  // namespace algprior::report
