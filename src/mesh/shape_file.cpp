#include "algprior/base/error.hpp"
#include "algprior/io/checksum.hpp"
#include "algprior/io/safetensors.hpp"
#include "algprior/mesh/sphere_shape.hpp"
#include "checked_tensors.hpp"

#include <fmt/format.h>

namespace algprior::mesh {
namespace {

[[noreturn]] void fail_shape(const std::string& name, const std::string& what,
                             const std::string& expected) {
  throw FileError({what, name, expected, "remove the file and prepare the shapes again"});
}

io::Array points_array(const std::vector<Point>& points, std::vector<std::int64_t> shape) {
  std::vector<double> values;
  values.reserve(3 * points.size());
  for (const Point& p : points) values.insert(values.end(), {p.x(), p.y(), p.z()});
  return io::make_array(std::move(shape), values);
}

std::vector<Point> points_of(std::span<const double> values) {
  std::vector<Point> points;
  for (std::size_t i = 0; i + 2 < values.size(); i += 3) {
    points.emplace_back(values[i], values[i + 1], values[i + 2]);
  }
  return points;
}

/// The tensor under a name with this shape; −1 stands for any extent.
const io::Array& expect(const io::SafeTensors& content, const std::string& file, const char* name,
                        const std::vector<std::int64_t>& shape) {
  const auto found = content.tensors.find(name);
  const bool fits = found != content.tensors.end() && found->second.shape.size() == shape.size();
  for (std::size_t i = 0; fits && i < shape.size(); ++i) {
    if (shape[i] < 0 || shape[i] == found->second.shape[i]) continue;
    fail_shape(file, fmt::format("the tensor {} has another shape", name),
               io::to_text(found->second));
  }
  if (!fits)
    fail_shape(file, fmt::format("the tensor {} is missing or wrong", name), "a shape file");
  return found->second;
}

}  // namespace

std::string tensors_checksum(const io::SafeTensors& content) {
  io::Sha256 sum;
  for (const auto& [name, array] : content.tensors) {
    sum.update(io::as_bytes(name + " " + io::to_text(array) + "\n"));
    sum.update(array.bytes);
  }
  return sum.finish();
}

void write_checked(const std::filesystem::path& path, io::SafeTensors content) {
  content.metadata["sha256"] = tensors_checksum(content);
  io::write_safetensors(path, content);
}

io::SafeTensors read_checked(const std::filesystem::path& path) {
  io::SafeTensors content = io::read_safetensors(path);
  const auto stated = content.metadata.find("sha256");
  if (stated == content.metadata.end() || stated->second != tensors_checksum(content)) {
    fail_shape(path.string(), "the file's checksum is wrong", "the SHA-256 of its tensors");
  }
  return content;
}

void write_shape(const std::filesystem::path& path, const SphereShape& shape) {
  const auto n = static_cast<std::int64_t>(shape.sphere.size());
  const auto channels = static_cast<std::int64_t>(shape.signal.cols());
  io::SafeTensors content;
  std::vector<std::uint32_t> corners;
  for (const Face& face : shape.faces) corners.insert(corners.end(), face.begin(), face.end());
  content.tensors["faces"] =
      io::make_array({static_cast<std::int64_t>(shape.faces.size()), 3}, corners);
  content.tensors["sphere"] = points_array(shape.sphere, {n, 3});
  std::vector<double> transforms;
  for (const Mobius& mobius : shape.transforms) {
    transforms.insert(transforms.end(), mobius.centre.begin(), mobius.centre.end());
    for (int i = 0; i < 9; ++i) transforms.push_back(mobius.rotation(i / 3, i % 3));
  }
  content.tensors["transforms"] =
      io::make_array({static_cast<std::int64_t>(shape.transforms.size()), 12}, transforms);
  std::vector<Point> given;
  for (const auto& points : shape.given) given.insert(given.end(), points.begin(), points.end());
  content.tensors["given"] =
      points_array(given, {static_cast<std::int64_t>(shape.given.size()), n, 3});
  const Eigen::MatrixXf rows = shape.signal.transpose();
  content.tensors["signal"] = io::make_array(
      {n, channels}, std::span<const float>(rows.data(), static_cast<std::size_t>(rows.size())));
  for (const auto& [name, values] :
       {std::pair{"mean", &shape.mean}, std::pair{"mean_square", &shape.mean_square}}) {
    content.tensors[name] = io::make_array(
        {channels}, std::span<const double>(values->data(), static_cast<std::size_t>(channels)));
  }
  for (const auto& [key, value] : shape.remarks) content.metadata[key] = value;
  write_checked(path, std::move(content));
}

SphereShape read_shape(const std::filesystem::path& path) {
  const std::string name = path.string();
  const io::SafeTensors content = read_checked(path);
  SphereShape shape;
  const io::Array& sphere = expect(content, name, "sphere", {-1, 3});
  const std::int64_t n = sphere.shape[0];
  shape.sphere = points_of(io::view<double>(sphere));
  const auto corners = io::view<std::uint32_t>(expect(content, name, "faces", {-1, 3}));
  for (std::size_t i = 0; i < corners.size(); i += 3) {
    shape.faces.push_back({corners[i], corners[i + 1], corners[i + 2]});
    for (const std::uint32_t corner : shape.faces.back()) {
      if (corner >= static_cast<std::uint64_t>(n)) {
        fail_shape(name, "a face names a vertex that does not exist", fmt::format("below {}", n));
      }
    }
  }
  const auto transforms = io::view<double>(expect(content, name, "transforms", {-1, 12}));
  for (std::size_t i = 0; i < transforms.size(); i += 12) {
    Mobius mobius;
    for (int j = 0; j < 3; ++j) mobius.centre[j] = transforms[i + static_cast<std::size_t>(j)];
    for (int j = 0; j < 9; ++j) {
      mobius.rotation(j / 3, j % 3) = transforms[i + 3 + static_cast<std::size_t>(j)];
    }
    shape.transforms.push_back(mobius);
  }
  const io::Array& given = expect(content, name, "given", {-1, n, 3});
  const auto positions = io::view<double>(given);
  for (std::int64_t k = 0; k < given.shape[0]; ++k) {
    const auto length = static_cast<std::size_t>(3 * n);
    shape.given.push_back(
        points_of(positions.subspan(static_cast<std::size_t>(k) * length, length)));
  }
  const io::Array& signal = expect(content, name, "signal", {n, -1});
  const std::int64_t channels = signal.shape[1];
  shape.signal =
      Eigen::Map<const Eigen::MatrixXf>(io::view<float>(signal).data(), channels, n).transpose();
  shape.mean = Eigen::Map<const Eigen::VectorXd>(
      io::view<double>(expect(content, name, "mean", {channels})).data(), channels);
  shape.mean_square = Eigen::Map<const Eigen::VectorXd>(
      io::view<double>(expect(content, name, "mean_square", {channels})).data(), channels);
  for (const auto& [key, value] : content.metadata) {
    if (key != "sha256") shape.remarks[key] = value;
  }
  return shape;
}

}  // namespace algprior::mesh
