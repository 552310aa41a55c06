#pragma once

#include "algprior/paper/run_id.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace algprior {

/// What one finished run says of itself: the content of result.json, in which the id stands as
/// "experiment", "row" and "seed".
struct Result {
  RunId id = {};
  std::vector<std::string> reference;  ///< departures of the published code that were switched on
  std::int64_t epochs = 0;             ///< epochs trained
  std::int64_t parameters = 0;
  std::map<std::string, double> metrics;
  std::vector<std::string> columns;  ///< the metrics that a line of results shows, in order
  double seconds = 0;
  int threads = 0;
  std::string kernels;
  std::string commit;
  std::map<std::string, std::string> machine;
  std::string config_hash;
  std::map<std::string, std::string> files = {};  ///< SHA-256 of what the run left, by name
};

/// JSON text with the keys of the struct, ending in a newline.
std::string to_json(const Result& result);
/// Throws FileError, naming `source` and the key, for text that is no result.
Result parse_result(const std::string& text, const std::string& source);

/// Throws FileError when the file cannot be read or is no result.
Result read_result(const std::filesystem::path& path);
/// Written aside and renamed.
void write_result(const std::filesystem::path& path, const Result& result);

/// SHA-256 of the files of a finished run folder that nothing else vouches for: weights, numbers
/// and tables (.safetensors, .json, .jsonl, .csv), without its result.
std::map<std::string, std::string> checksums_of(const std::filesystem::path& folder);
/// Throws FileError when the file is not what the result vouches for. A result that does not name
/// it, as older versions wrote, vouches for nothing.
void check_file(const Result& result, const std::filesystem::path& folder, const std::string& name);

/// Every result below the folders: `*.json` of a results folder, `result.json` of run folders. A
/// run that stands in both counts once, the earlier folder first. Folders that do not exist are
/// passed over, and so is a file of a results folder that is no result: `passed_over`, where given,
/// gets a line for each, "file: why". A result.json that cannot be read is an error. Ordered by
/// experiment, row and seed.
std::vector<Result> find_results(const std::vector<std::filesystem::path>& folders,
                                 std::vector<std::string>* passed_over = nullptr);

}  // namespace algprior
