#include "algprior/train/metrics.hpp"

#include "algprior/base/error.hpp"
#include "algprior/io/event_file.hpp"

#include <cmath>
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

JsonLinesFile::JsonLinesFile(std::filesystem::path path) : file_(std::move(path)) {}

void JsonLinesFile::append(const MetricRecord& record) {
  file_.append(to_json_line(record));
}

std::uint64_t JsonLinesFile::synced_length() {
  file_.sync();
  return file_.length();
}

void JsonLinesFile::cut(std::uint64_t length) {
  if (file_.length() < length) {
    throw FileError({"the metrics file lost its end", file_.path().string(),
                     std::to_string(length) + " bytes or more, as the checkpoint says",
                     "restore the file, or start the run again in another folder"});
  }
  file_.cut(length);
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
