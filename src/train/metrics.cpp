#include "algprior/train/metrics.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/io/event_file.hpp"

#include <cerrno>
#include <cmath>
#include <fstream>
#include <memory>

#include <nlohmann/json.hpp>

namespace algprior {
namespace {

using Json = nlohmann::ordered_json;

Json to_object(const std::map<std::string, double>& values) {
  auto object = Json::object();
  for (const auto& [name, value] : values) {
    object[name] = std::isfinite(value) ? Json(value) : Json(nullptr);
  }
  return object;
}

}  // namespace

std::string to_json_line(const MetricRecord& record) {
  Json line;
  line["step"] = record.step;
  line["epoch"] = record.epoch;
  line["split"] = record.split;
  line["terms"] = to_object(record.terms);
  line["metrics"] = to_object(record.metrics);
  return line.dump() + "\n";
}

JsonLinesFile::JsonLinesFile(std::filesystem::path path) : path_(std::move(path)) {
  std::ofstream file(path_, std::ios::app | std::ios::binary);
  if (!file) throw make_file_error("cannot open the metrics file", path_, errno);
}

void JsonLinesFile::append(const MetricRecord& record) {
  std::ofstream file(path_, std::ios::app | std::ios::binary);
  file << to_json_line(record) << std::flush;
  if (!file) throw make_file_error("cannot write metrics", path_, errno);
}

std::uint64_t JsonLinesFile::length() const {
  std::error_code failure;
  const auto size = std::filesystem::file_size(path_, failure);
  if (failure) throw make_file_error("cannot measure the metrics file", path_, failure.value());
  return size;
}

void JsonLinesFile::cut(std::uint64_t length) {
  const auto present = this->length();
  if (present < length) {
    throw FileError({"the metrics file lost its end", path_.string(),
                     std::to_string(length) + " bytes or more, as the checkpoint says",
                     "restore the file, or start the run again in another folder"});
  }
  std::error_code failure;
  std::filesystem::resize_file(path_, length, failure);
  if (failure) throw make_file_error("cannot cut the metrics file", path_, failure.value());
}

MetricSink make_tensorboard_sink(const std::filesystem::path& folder) {
  const auto file = std::make_shared<io::EventFile>(folder);
  return [file](const MetricRecord& record) {
    for (const auto& [name, value] : record.terms) {
      file->scalar(record.split + "/" + name, value, record.step);
    }
    for (const auto& [name, value] : record.metrics) {
      file->scalar(record.split + "/" + name, value, record.step);
    }
  };
}

}  // namespace algprior
