#include "algprior/paper/result.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/io/bytes.hpp"
#include "algprior/io/checksum.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <type_traits>
#include <utility>

#include <nlohmann/json.hpp>

namespace algprior {
namespace {

using Json = nlohmann::ordered_json;

// Named in one place, so that what is written is what is read.
template <class R, class Visit>
void for_each_field(R& result, Visit visit) {
  visit("reference", result.reference);
  visit("epochs", result.epochs);
  visit("parameters", result.parameters);
  visit("metrics", result.metrics);
  visit("columns", result.columns);
  visit("seconds", result.seconds);
  visit("threads", result.threads);
  visit("kernels", result.kernels);
  visit("commit", result.commit);
  visit("machine", result.machine);
  visit("config_hash", result.config_hash);
  visit("files", result.files);
}

// A run folder holds other JSON files beside its result.
bool is_result(const std::filesystem::path& path) {
  if (path.filename() == "result.json") return true;
  return path.extension() == ".json" &&
         !std::filesystem::exists(path.parent_path() / "config.toml");
}

// A number that the type cannot hold would be converted to something else without a word.
template <class T>
bool fits(const Json& value, const T&) {
  if constexpr (!std::is_integral_v<T>) {
    return true;
  } else {
    if (value.is_number_unsigned()) return std::in_range<T>(value.get<std::uint64_t>());
    return value.is_number_integer() && std::in_range<T>(value.get<std::int64_t>());
  }
}

std::string whole_number_for(const char* key) {
  return "a whole number for \"" + std::string(key) + "\"";
}

// Anything may lie in a results folder; a run folder holds what we wrote.
std::optional<Result> result_of(const std::filesystem::path& path,
                                std::vector<std::string>* passed_over) {
  try {
    return read_result(path);
  } catch (const FileError& error) {
    if (path.filename() == "result.json") throw;
    const std::string& expected = error.failure().expected;
    if (passed_over != nullptr) {
      passed_over->push_back(path.string() + ": no result" +
                             (expected.empty() ? "" : ", expected " + expected));
    }
    return std::nullopt;
  } catch (const LimitError&) {
    if (path.filename() == "result.json") throw;
    if (passed_over != nullptr) passed_over->push_back(path.string() + ": too large for a result");
    return std::nullopt;
  }
}

}  // namespace

std::string to_json(const Result& result) {
  Json document{{"experiment", result.id.experiment()},
                {"row", result.id.changed_row()},
                {"seed", result.id.seed}};
  for_each_field(result, [&](const char* key, const auto& value) { document[key] = value; });
  return document.dump(2) + "\n";
}

Result parse_result(const std::string& text, const std::string& source) {
  const auto refuse = [&](const std::string& reason) -> FileError {
    return FileError({"cannot read a result", source, reason,
                      "delete the file and run the experiment again, or restore it"});
  };
  const Json document = Json::parse(text, nullptr, false);
  if (!document.is_object()) throw refuse("a JSON object");
  const auto read = [&](const char* key, auto& value) {
    try {
      if (!fits(document.at(key), value)) throw refuse(whole_number_for(key));
      document.at(key).get_to(value);
    } catch (const Json::exception&) {
      throw refuse("a key \"" + std::string(key) + "\" of the right type");
    }
  };
  Result result;
  std::string experiment, row;
  read("experiment", experiment);
  read("row", row);
  read("seed", result.id.seed);
  try {
    result.id = make_run_id(experiment, row, result.id.seed);
  } catch (const InputError& error) {
    throw refuse(error.failure().expected);
  }
  for_each_field(result, [&](const char* key, auto& value) {
    const std::string_view name = key;
    const bool added_later = name == "columns" || name == "files";
    if (!added_later || document.contains(key)) read(key, value);
  });
  return result;
}

Result read_result(const std::filesystem::path& path) {
  return parse_result(read_file(path, std::uint64_t{1} << 20), path.string());
}

void write_result(const std::filesystem::path& path, const Result& result) {
  write_file(path, to_json(result));
}

std::map<std::string, std::string> checksums_of(const std::filesystem::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto& path = entry.path();
    const auto ending = path.extension();
    const bool wanted =
        ending == ".safetensors" || ending == ".json" || ending == ".jsonl" || ending == ".csv";
    if (!wanted || !entry.is_regular_file() || path.filename() == "result.json") continue;
    files[path.filename().string()] = io::sha256(io::read_bytes(path));
  }
  return files;
}

void check_file(const Result& result, const std::filesystem::path& folder,
                const std::string& name) {
  const auto known = result.files.find(name);
  if (known == result.files.end()) return;
  const std::string found = io::sha256(io::read_bytes(folder / name));
  if (found == known->second) return;
  throw FileError({"a file is not the one that the run left", (folder / name).string(),
                   "SHA-256 " + known->second + ", as result.json has it",
                   "restore the file, or run the experiment again in another folder"});
}

std::vector<Result> find_results(const std::vector<std::filesystem::path>& folders,
                                 std::vector<std::string>* passed_over) {
  std::vector<Result> results;
  std::set<RunId> seen;
  for (const auto& folder : folders) {
    if (!std::filesystem::is_directory(folder)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (!entry.is_regular_file() || !is_result(entry.path())) continue;
      std::optional<Result> result = result_of(entry.path(), passed_over);
      if (result && seen.insert(result->id).second) {
        results.push_back(*std::move(result));
      }
    }
  }
  std::sort(results.begin(), results.end(),
            [](const Result& a, const Result& b) { return a.id < b.id; });
  return results;
}

}  // namespace algprior
