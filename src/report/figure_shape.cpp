#include "algprior/base/error.hpp"
#include "algprior/mesh/raster.hpp"
#include "algprior/report/shape_figure.hpp"
#include "figure_kinds.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Geometry>
#include <fmt/format.h>

namespace algprior::report {
namespace {

constexpr int kSide = 240;  // pixels of a picture
constexpr double kAmbient = 0.35;

using Rgb = std::array<std::uint8_t, 3>;
using mesh::Face;

/// A vertex where it is seen: x to the right, y downwards, in pixels; z towards the eye.
using SeenPoint = mesh::Point;

std::vector<SeenPoint> look_at(const std::vector<mesh::Point>& points) {
  mesh::Point low = points.front(), high = low;
  for (const auto& p : points) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  const mesh::Point centre = 0.5 * (low + high);
  double radius = 0.0;
  for (const auto& p : points) radius = std::max(radius, (p - centre).norm());
  const double scale = 0.48 * kSide / std::max(radius, 1e-12);
  const double yaw = 0.6, pitch = 0.35;
  std::vector<SeenPoint> seen;
  for (const auto& p : points) {
    const mesh::Point q = scale * (p - centre);
    const double x = std::cos(yaw) * q.x() + std::sin(yaw) * q.y();
    const double depth = -std::sin(yaw) * q.x() + std::cos(yaw) * q.y();
    const double up = std::cos(pitch) * q.z() + std::sin(pitch) * depth;
    seen.emplace_back(0.5 * kSide + x, 0.5 * kSide - up,
                      std::sin(pitch) * q.z() - std::cos(pitch) * depth);
  }
  return seen;
}

Rgb shaded(const Rgb& colour, double light) {
  Rgb result{};
  for (std::size_t i = 0; i < 3; ++i) {
    result[i] = static_cast<std::uint8_t>(std::lround(light * colour[i]));
  }
  return result;
}

// Triangles with a depth for each pixel; `colour_of` has a face and weights of its corners.
template <class ColourOf>
Picture draw_surface(const std::vector<mesh::Point>& points, const std::vector<Face>& faces,
                     ColourOf&& colour_of) {
  Picture picture{kSide, kSide, std::vector<std::uint8_t>(3 * kSide * kSide, 255)};
  std::vector<double> depth(kSide * kSide, -1e300);
  const auto seen = look_at(points);
  for (const Face& face : faces) {
    const SeenPoint &a = seen[face[0]], &b = seen[face[1]], &c = seen[face[2]];
    const double area = (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
    if (std::abs(area) < 1e-9) continue;
    const SeenPoint normal = (b - a).cross(c - a).normalized();
    const double light = kAmbient + (1 - kAmbient) * std::abs(normal.z());
    const auto bound = [](double value) {
      return std::clamp(static_cast<int>(std::floor(value)), 0, kSide - 1);
    };
    for (int y = bound(std::min({a.y(), b.y(), c.y()}));
         y <= bound(std::max({a.y(), b.y(), c.y()})); ++y) {
      for (int x = bound(std::min({a.x(), b.x(), c.x()}));
           x <= bound(std::max({a.x(), b.x(), c.x()})); ++x) {
        const double px = x + 0.5, py = y + 0.5;
        const double u = ((b.x() - px) * (c.y() - py) - (b.y() - py) * (c.x() - px)) / area;
        const double v = ((c.x() - px) * (a.y() - py) - (c.y() - py) * (a.x() - px)) / area;
        const double w = 1 - u - v;
        if (u < -1e-9 || v < -1e-9 || w < -1e-9) continue;
        const double z = u * a.z() + v * b.z() + w * c.z();
        const auto place = static_cast<std::size_t>(y * kSide + x);
        if (z <= depth[place]) continue;
        depth[place] = z;
        const Rgb colour = shaded(colour_of(face, u, v, w), light);
        std::copy(colour.begin(), colour.end(), picture.rgb.begin() + 3 * y * kSide + 3 * x);
      }
    }
  }
  return picture;
}

// Rows and columns of a cube map's cross for face, row and column: +x in the middle with z upwards
// and azimuth to the right, +z above it and −z below.
std::array<int, 2> in_cross(int face, int row, int column, int n) {
  const int up = n - 1;
  switch (face) {
    case 0:
      return {n + up - row, n + column};
    case 1:
      return {n + up - row, 3 * n + up - column};
    case 2:
      return {n + up - column, 2 * n + up - row};
    case 3:
      return {n + up - column, row};
    case 4:
      return {column, n + row};
    default:
      return {2 * n + up - column, n + row};
  }
}

Picture draw_raster(const std::vector<float>& values, const mesh::SphereGrid& grid, double low,
                    double high) {
  const bool cube = grid.kind == mesh::GridKind::cube_map;
  const int n = grid.height;
  const int height = cube ? 3 * n : grid.height, width = cube ? 4 * n : grid.width;
  Picture picture{static_cast<std::size_t>(width), static_cast<std::size_t>(height), {}};
  picture.rgb.assign(3 * picture.width * picture.height, 255);
  for (std::size_t cell = 0; cell < grid.cells(); ++cell) {
    const int place = static_cast<int>(cell);
    const std::array<int, 2> at = cube ? in_cross(place / (n * n), place / n % n, place % n, n)
                                       : std::array<int, 2>{place / grid.width, place % grid.width};
    const Rgb colour = colour_at(ColourScale::kMagnitude, (values[cell] - low) / (high - low));
    std::copy(colour.begin(), colour.end(), picture.rgb.begin() + 3 * (at[0] * width + at[1]));
  }
  return picture;
}

}  // namespace

Figure shape_figure(const mesh::Mesh& surface, const mesh::SphereShape& shape,
                    const mesh::SphereGrid& grid, const std::string& name, int channel) {
  if (channel < 0 || channel >= shape.signal.cols() || surface.vertices.empty()) {
    throw InputError({"a shape has no such channel", fmt::format("channel {}", channel),
                      fmt::format("0 to {}", shape.signal.cols() - 1), ""});
  }
  const Eigen::MatrixXf signal = shape.signal.col(channel);
  const double low = signal.minCoeff();
  const double high = std::max(static_cast<double>(signal.maxCoeff()), low + 1e-12);
  const auto raster = mesh::raster_on_sphere(shape.sphere, shape.faces, signal, grid);
  ImageGrid pictures;
  pictures.title = name;
  pictures.rows = {""};
  pictures.columns = {"surface", "on the sphere", grid.name()};
  pictures.pictures = {
      {draw_surface(surface.vertices, surface.faces,
                    [](const Face&, double, double, double) {
                      return Rgb{225, 215, 195};
                    }),
       draw_surface(shape.sphere, shape.faces,
                    [&](const Face& face, double u, double v, double w) {
                      const double value =
                          u * signal(face[0]) + v * signal(face[1]) + w * signal(face[2]);
                      return colour_at(ColourScale::kMagnitude, (value - low) / (high - low));
                    }),
       draw_raster(raster, grid, low, high)}};
  Figure figure;
  figure.name = "shape";
  figure.title = "A surface, its sphere map and its raster: " + name;
  figure.description = fmt::format(
      "{}: the surface ({} vertices), its conformal map to the sphere and its raster on the grid "
      "{}, coloured by channel {} of the heat kernel signature from {:.3g} to {:.3g}.",
      name, surface.vertices.size(), grid.name(), channel, low, high);
  figure.numbers.columns = {"what", "value"};
  for (const auto& [what, value] : shape.remarks) figure.numbers.rows.push_back({what, value});
  Svg svg;
  constexpr double kWidth = 340;  // three pictures of a grid
  const double height = image_grid_height(pictures, kWidth - 16);
  draw_image_grid(svg, {8, 6, kWidth - 16, height}, pictures);
  return finish(std::move(figure), svg, kWidth, height + 10);
}

}  // namespace algprior::report
