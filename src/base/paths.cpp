#include "algprior/base/paths.hpp"

#include "algprior/base/error.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>

#include <unistd.h>

namespace algprior {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::optional<std::filesystem::path> find_cache_folder() {
  // The XDG specification asks to ignore relative paths.
  const std::filesystem::path cache = variable("XDG_CACHE_HOME");
  if (cache.is_absolute()) return cache / "algprior";
  const std::filesystem::path home = variable("HOME");
  if (home.is_absolute()) return home / ".cache" / "algprior";
  return std::nullopt;
}

}  // namespace

std::filesystem::path cache_folder() {
  if (const auto folder = find_cache_folder()) return *folder;
  throw InputError({"there is no cache folder",
                    "neither XDG_CACHE_HOME nor HOME is an absolute path", "",
                    "set XDG_CACHE_HOME, or ALGPRIOR_DATA to the folder with the data"});
}

std::vector<std::filesystem::path> data_folders() {
  std::vector<std::filesystem::path> folders;
  const std::string list = variable("ALGPRIOR_DATA");
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(':', begin), list.size());
    if (end > begin) folders.emplace_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  if (const auto cache = find_cache_folder()) folders.push_back(*cache);
  return folders;
}

std::filesystem::path runs_folder() {
  const std::string folder = variable("ALGPRIOR_RUNS");
  return folder.empty() ? "runs" : folder;
}

bool is_writable(const std::filesystem::path& folder) {
  std::filesystem::path existing = folder;
  std::error_code error;
  while (!existing.empty() && !std::filesystem::exists(existing, error)) {
    existing = existing.parent_path();
  }
  if (existing.empty()) existing = ".";
  // Only a try tells: root passes every permission check, on a read-only file system too.
  std::string probe = (existing / ".algprior-probe-XXXXXX").string();
  const int descriptor = ::mkstemp(probe.data());
  if (descriptor < 0) return false;
  ::close(descriptor);
  ::unlink(probe.c_str());
  return true;
}

}  // namespace algprior
