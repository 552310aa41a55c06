#include "algprior/mesh/raster.hpp"

#include "algprior/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>
#include <fmt/format.h>

namespace algprior::mesh {
namespace {

double smallest(const std::array<double, 3>& weights) {
  return std::min({weights[0], weights[1], weights[2]});
}

SphereHit normalised(std::uint32_t face, std::array<double, 3> weights) {
  double sum = 0.0;
  for (double& weight : weights) sum += weight = std::max(weight, 0.0);
  if (!(sum > 0.0)) return {face, {1.0, 0.0, 0.0}};
  for (double& weight : weights) weight /= sum;
  return {face, weights};
}

}  // namespace

SphereLocator::SphereLocator(const std::vector<Point>& vertices, const std::vector<Face>& faces,
                             const std::vector<std::array<std::uint32_t, 3>>& neighbours)
    : neighbours_(neighbours) {
  if (faces.empty() || neighbours.size() != faces.size()) {
    throw InputError({"there is nothing to find on this sphere mesh",
                      fmt::format("{} faces, neighbours of {}", faces.size(), neighbours.size()),
                      "faces and their neighbours", ""});
  }
  for (std::size_t f = 0; f < faces.size(); ++f) {
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t across = neighbours[f][i];
      if (faces[f][i] < vertices.size() && (across == kNoFace || across < faces.size())) continue;
      throw InputError({"a sphere mesh names what it does not have",
                        fmt::format("face {}: vertex {}, neighbour {}", f, faces[f][i], across),
                        fmt::format("{} vertices, {} faces", vertices.size(), faces.size()), ""});
    }
  }
  normals_.reserve(faces.size());
  for (const auto& [a, b, c] : faces) {
    const Point &p = vertices[a], &q = vertices[b], &r = vertices[c];
    const Point qr = q.cross(r);
    const double determinant = p.dot(qr);
    // A face whose corners lie on one great circle contains no direction.
    const double scale = determinant != 0.0 && std::isnormal(determinant) ? 1.0 / determinant : 0.0;
    normals_.push_back({scale * qr, scale * r.cross(p), scale * p.cross(q)});
  }
}

std::array<double, 3> SphereLocator::weights_of(std::uint32_t face, const Point& direction) const {
  const auto& normals = normals_[face];
  return {normals[0].dot(direction), normals[1].dot(direction), normals[2].dot(direction)};
}

SphereHit SphereLocator::locate(const Point& direction) {
  const std::size_t most = 64 + 4 * static_cast<std::size_t>(std::sqrt(normals_.size()));
  std::uint32_t face = last_;
  for (std::size_t step = 0; step < most; ++step) {
    const std::array<double, 3> weights = weights_of(face, direction);
    const auto lowest = std::min_element(weights.begin(), weights.end());
    if (*lowest >= 0.0) {
      if (weights[0] + weights[1] + weights[2] > 0.0) {
        last_ = face;
        return normalised(face, weights);
      }
      break;  // a flat face: it says nothing about where to go
    }
    face = neighbours_[face][static_cast<std::size_t>(lowest - weights.begin())];
    if (face == kNoFace) break;
  }
  const SphereHit hit = search(direction);
  last_ = hit.face;
  return hit;
}

SphereHit SphereLocator::search(const Point& direction) const {
  std::uint32_t best = 0;
  double best_value = -std::numeric_limits<double>::infinity();
  for (std::uint32_t face = 0; face < normals_.size(); ++face) {
    const std::array<double, 3> weights = weights_of(face, direction);
    const double sum = weights[0] + weights[1] + weights[2];
    if (!(sum > 0.0)) continue;  // flat, or on the far side
    // Weights as shares, so that large and small triangles compete fairly.
    const double value = smallest(weights) / sum;
    if (value <= best_value) continue;
    best = face;
    best_value = value;
  }
  return normalised(best, weights_of(best, direction));
}

void sample_on_sphere(const std::vector<Point>& vertices, const std::vector<Face>& faces,
                      const std::vector<std::array<std::uint32_t, 3>>& neighbours,
                      const Eigen::MatrixXf& signal, const std::vector<Point>& directions,
                      std::span<float> out) {
  const auto channels = static_cast<std::size_t>(signal.cols());
  if (static_cast<std::size_t>(signal.rows()) != vertices.size() ||
      out.size() != channels * directions.size()) {
    throw InputError(
        {"a signal does not fit its sphere mesh or raster",
         fmt::format("{} rows for {} vertices, {} numbers for {} channels at {} places",
                     signal.rows(), vertices.size(), out.size(), channels, directions.size()),
         "a row a vertex, a number a channel and place", ""});
  }
  // Channels of one vertex side by side, so that a pixel reads three short rows.
  const Eigen::MatrixXf columns = signal.transpose();
  SphereLocator locator(vertices, faces, neighbours);
  constexpr std::size_t kBlock = 64;
  Eigen::MatrixXf block(static_cast<Eigen::Index>(channels), static_cast<Eigen::Index>(kBlock));
  for (std::size_t start = 0; start < directions.size(); start += kBlock) {
    const std::size_t count = std::min(kBlock, directions.size() - start);
    for (std::size_t i = 0; i < count; ++i) {
      const SphereHit hit = locator.locate(directions[start + i]);
      const auto& [a, b, c] = faces[hit.face];
      block.col(static_cast<Eigen::Index>(i)) =
          static_cast<float>(hit.weights[0]) * columns.col(a) +
          static_cast<float>(hit.weights[1]) * columns.col(b) +
          static_cast<float>(hit.weights[2]) * columns.col(c);
    }
    for (std::size_t channel = 0; channel < channels; ++channel) {
      for (std::size_t i = 0; i < count; ++i) {
        out[channel * directions.size() + start + i] =
            block(static_cast<Eigen::Index>(channel), static_cast<Eigen::Index>(i));
      }
    }
  }
}

std::vector<float> raster_on_sphere(const std::vector<Point>& vertices,
                                    const std::vector<Face>& faces, const Eigen::MatrixXf& signal,
                                    const SphereGrid& grid) {
  const std::vector<Point> directions = grid_directions(grid);
  std::vector<float> out(static_cast<std::size_t>(signal.cols()) * directions.size());
  sample_on_sphere(vertices, faces, face_neighbours(faces), signal, directions, out);
  return out;
}

}  // namespace algprior::mesh
