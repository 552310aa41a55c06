#include "algprior/base/file.hpp"
#include "algprior/base/interrupt.hpp"
#include "algprior/base/paths.hpp"
#include "algprior/io/bytes.hpp"
#include "algprior/io/checksum.hpp"
#include "algprior/store/store.hpp"
#include "content.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>

namespace algprior::store {
namespace fs = std::filesystem;
namespace {

struct Candidate {
  fs::path path;
  const Content* content;
  bool gzipped;
};

/// Every place where a file may lie, best first.
std::vector<Candidate> candidates(const Store& store, const DataSet& set, const DataFile& file) {
  std::vector<Candidate> out;
  for (const fs::path& folder : store.folders) {
    std::vector<fs::path> places;
    for (const std::string& name : set.folders) places.push_back(folder / name);
    places.push_back(folder);
    for (const fs::path& place : places) {
      for (const Content& content : file.contents) {
        out.push_back({place / content.file, &content, false});
        out.push_back({place / (content.file + ".gz"), &content, true});
      }
    }
  }
  return out;
}

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

bool fits(const Candidate& candidate) {
  std::error_code error;
  const std::uint64_t size = fs::file_size(candidate.path, error);
  if (error || size == 0) return false;
  return candidate.gzipped || candidate.content->size == 0 || size == candidate.content->size;
}

std::string addresses_of(const DataFile& file) {
  std::string text;
  for (const Source& source : file.sources) text += (text.empty() ? "" : " or ") + source.address;
  return text;
}

}  // namespace

Store default_store() {
  Store store;
  store.sets = catalogue();
  store.folders = data_folders();
  try {
    store.cache = cache_folder();
  } catch (const InputError&) {
    // No home folder: files of ALGPRIOR_DATA can be found all the same; get() says what is missing.
  }
  const char* mirror = std::getenv("ALGPRIOR_MIRROR");
  if (mirror != nullptr) store.mirror = mirror;
  while (!store.mirror.empty() && store.mirror.back() == '/') store.mirror.pop_back();
  return store;
}

std::optional<fs::path> find_if_present(const Store& store, const DataSet& set,
                                        const DataFile& file) {
  for (const Candidate& candidate : candidates(store, set, file)) {
    if (is_file(candidate.path) && fits(candidate)) return candidate.path;
  }
  return std::nullopt;
}

std::optional<std::string> misfit(const Store& store, const DataSet& set, const DataFile& file) {
  for (const Candidate& candidate : candidates(store, set, file)) {
    if (!is_file(candidate.path) || fits(candidate)) continue;
    std::error_code error;
    const std::string path = candidate.path.string();
    const std::uint64_t size = fs::file_size(candidate.path, error);
    if (size == 0) return path + " is empty";
    return path + " has " + std::to_string(size) + " bytes instead of " +
           std::to_string(candidate.content->size);
  }
  return std::nullopt;
}

fs::path find(const Store& store, std::string_view set_name, std::string_view file_name) {
  const DataSet& set = set_named(store.sets, set_name);
  const DataFile& file = file_named(set, file_name);
  if (const auto path = find_if_present(store, set, file)) return *path;
  std::string places;
  for (const fs::path& folder : store.folders) {
    places += (places.empty() ? "" : ", ") + folder.string();
  }
  const std::string wrong = misfit(store, set, file).value_or("");
  throw FileError({"a data file is missing", set.name + "/" + file.name(),
                   "in " + places + (wrong.empty() ? "" : "; " + wrong),
                   "run `algprior data get " + set.name + (set.separate ? "/" + file.name() : "") +
                       "`, or download " + addresses_of(file) +
                       " by other means and put the file into " +
                       (store.cache / set.folders.front()).string()});
}

fs::path find(std::string_view set, std::string_view file) {
  return find(default_store(), set, file);
}

namespace {

bool matches(const Content& content, std::uint64_t size, const std::string& sha256,
             const std::string& md5) {
  return (content.size == 0 || content.size == size) &&
         (content.sha256.empty() || content.sha256 == sha256) &&
         (content.md5.empty() || content.md5 == md5);
}

/// "SHA-256 8ffd78c0f000… (276833 bytes)", with what is known of it.
std::string describe_sum(const Content& content) {
  const std::string sum = content.sha256.empty() ? "MD5 " + content.md5.substr(0, 12)
                                                 : "SHA-256 " + content.sha256.substr(0, 12);
  return sum + "…" + (content.size == 0 ? "" : " (" + std::to_string(content.size) + " bytes)");
}

}  // namespace

bool holds(const Content& content, io::ByteView bytes) {
  return matches(content, bytes.size(), content.sha256.empty() ? "" : io::sha256(bytes),
                 content.md5.empty() ? "" : io::md5(bytes));
}

std::uint64_t largest_size(const Content& content) {
  return content.size == 0 ? kLargestArchive : content.size;
}

std::string verify(const fs::path& path, const DataFile& file, const ProgressSink& progress) {
  std::uint64_t largest = 0;
  for (const Content& content : file.contents) largest = std::max(largest, largest_size(content));
  const std::uint64_t total = fs::exists(path) ? fs::file_size(path) : 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) throw make_file_error("cannot read the data file", path, errno);
  std::array<char, 1 << 18> piece;
  io::Sha256 sha256;
  io::Md5 md5;
  std::uint64_t size = 0;
  const auto add = [&](io::ByteView bytes) {
    sha256.update(bytes);
    md5.update(bytes);
    size += bytes.size();
  };
  in.read(piece.data(), piece.size());
  if (io::is_gzip(io::as_bytes({piece.data(), static_cast<std::size_t>(in.gcount())}))) {
    try {
      add(io::gunzip(io::read_bytes(path), path.string(), largest));
    } catch (const Error& error) {
      return error.failure().what;
    }
  } else {
    for (; in.gcount() > 0; in.read(piece.data(), piece.size())) {
      throw_if_stopped();
      add(io::as_bytes({piece.data(), static_cast<std::size_t>(in.gcount())}));
      if (progress) progress(size, total);
    }
    if (in.bad()) throw make_file_error("cannot read the data file", path, errno);
  }
  const Content found{"", size, sha256.finish(), md5.finish()};
  for (const Content& content : file.contents) {
    if (matches(content, found.size, found.sha256, found.md5)) return "";
  }
  const Content& wanted = file.contents.front();
  return "the checksum is " +
         describe_sum(wanted.sha256.empty() ? Content{"", size, "", found.md5} : found) +
         ", expected " + describe_sum(wanted);
}

}  // namespace algprior::store
