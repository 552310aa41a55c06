#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/report/run.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <tuple>

#include <fmt/format.h>

namespace algprior::report {
namespace {

namespace fs = std::filesystem;

// Numbers inside names by their size: "lambda-0.5" before "lambda-1", "run2" before "run10".
std::vector<std::pair<double, std::string>> natural_key(const std::string& text) {
  std::vector<std::pair<double, std::string>> key;
  for (std::size_t i = 0; i < text.size();) {
    const bool digit = std::isdigit(static_cast<unsigned char>(text[i])) != 0;
    std::size_t end = i;
    while (end < text.size() &&
           ((std::isdigit(static_cast<unsigned char>(text[end])) != 0) == digit ||
            (digit && text[end] == '.'))) {
      ++end;
    }
    const std::string part = text.substr(i, end - i);
    key.emplace_back(digit ? std::strtod(part.c_str(), nullptr) : -1.0, digit ? "" : part);
    i = end;
  }
  return key;
}

auto order_of(const Run& run) {
  return std::tuple(run.experiment, natural_key(run.row), run.row, run.seed, run.source);
}

Run from_result(const fs::path& path, Result result) {
  Run run;
  run.source = path.string();
  run.experiment = result.id.experiment();
  run.row = result.id.changed_row();
  run.seed = result.id.seed;
  run.result = std::move(result);
  run.state = run.metric("diverged").value_or(0) != 0 ? RunState::kDiverged : RunState::kFinished;
  return run;
}

// A JSON file outside run folders is a result, or has nothing to do with runs: lock files of
// packages and such are passed over, a damaged result is named.
void take_result(const fs::path& path, RunSet& set) {
  try {
    set.runs.push_back(from_result(path, read_result(path)));
  } catch (const Error& error) {
    bool looks_like_one = true;
    try {
      looks_like_one = read_file(path, 1 << 20).find("\"experiment\"") != std::string::npos;
    } catch (const Error&) {
    }
    if (looks_like_one) {
      set.problems.push_back(
          fmt::format("{} is no result: {}", path.string(), error.failure().expected));
    }
  }
}

void walk(const fs::path& folder, RunSet& set) {
  if (is_run_folder(folder)) {
    set.runs.push_back(read_run(folder));
    return;
  }
  std::error_code code;
  std::vector<fs::path> names;
  for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code)) {
    names.push_back(it->path());
  }
  if (code) set.problems.push_back(fmt::format("{}: {}", folder.string(), code.message()));
  std::sort(names.begin(), names.end());
  for (const fs::path& path : names) {
    if (path.filename().string().starts_with(".")) continue;
    std::error_code ignored;
    const auto status = fs::symlink_status(path, ignored);
    if (fs::is_directory(status)) {
      walk(path, set);
    } else if (fs::is_regular_file(status) && path.extension() == ".json") {
      take_result(path, set);
    }
  }
}

}  // namespace

RunSet find_runs(const std::vector<fs::path>& paths) {
  RunSet set;
  for (const fs::path& path : paths) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) {
      walk(path, set);
    } else if (fs::is_regular_file(path, ignored)) {
      set.runs.push_back(from_result(path, read_result(path)));
    } else {
      throw InputError({"there is no such run", path.string(),
                        "a run folder, a folder of runs, or a result file",
                        "check the path; runs are written below runs/ or ALGPRIOR_RUNS"});
    }
  }
  std::sort(set.runs.begin(), set.runs.end(),
            [](const Run& a, const Run& b) { return order_of(a) < order_of(b); });
  // The same run as a folder and as a kept result, or named twice on the command line.
  std::set<std::string> folders;
  std::set<std::tuple<std::string, std::string, std::uint64_t, std::string>> in_folders;
  const auto identity = [](const Run& run) {
    return std::tuple(run.experiment, run.row, run.seed,
                      run.result ? run.result->config_hash : std::string());
  };
  for (const Run& run : set.runs) {
    if (!run.folder.empty() && run.result) in_folders.insert(identity(run));
  }
  std::erase_if(set.runs, [&](const Run& run) {
    std::error_code ignored;
    const fs::path place = fs::weakly_canonical(run.source, ignored);
    if (!folders.insert(place.string()).second) return true;
    return run.folder.empty() && in_folders.contains(identity(run));
  });
  return set;
}

}  // namespace algprior::report
