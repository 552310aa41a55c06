#pragma once

#include "algprior/base/lock.hpp"
#include "algprior/io/bytes.hpp"
#include "algprior/store/store.hpp"

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace algprior::store {

/// What `manifest.json` says of a folder of data that were made here (simulated, or prepared from
/// other files) instead of downloaded: from which settings, and each file's size and SHA-256.
struct Manifest {
  std::string set;
  std::map<std::string, std::string> settings;  ///< equal settings give equal bytes
  bool complete = false;                        ///< false while files are still to come
  std::vector<Content> files;                   ///< in the order of their names

  std::uint64_t size() const;
  friend bool operator==(const Manifest&, const Manifest&) = default;
};

std::string to_json(const Manifest& manifest);
/// Throws FileError naming `source` unless the text is what to_json writes; names that leave the
/// folder are refused.
Manifest parse_manifest(const std::string& text, const std::string& source);

/// A folder with its manifest.
struct MadeFolder {
  std::filesystem::path folder;
  Manifest manifest;
};

/// The folder of a made set: the first <data folder>/<set> that has a complete manifest and every
/// file in its size (verify_made compares checksums). Throws FileError when there is none, saying
/// how to make it.
MadeFolder find_made(const Store& store, const std::string& set);
MadeFolder find_made(const std::string& set);
std::optional<MadeFolder> find_made_if_present(const Store& store, const std::string& set);

/// What is wrong with a file of the folder, "" when nothing is.
std::string verify_made(const MadeFolder& made, const Content& file,
                        const ProgressSink& progress = {});

/// Makes the files of a set in a folder, one by one and so that a killed process loses at most the
/// file it was at: each file appears whole, and the manifest knows it from then on.
///
///     Making making(folder, "smoke", settings);
///     for (…) if (!making.has(name)) making.put(name, io::to_npy(array));
///     making.finish();
///
/// has and put may be called from several threads. All throw FileError.
class Making {
 public:
  /// Locks the folder. Files of an earlier process count when its settings were the same ones and
  /// their checksums still hold.
  Making(std::filesystem::path folder, std::string set,
         std::map<std::string, std::string> settings);

  bool has(std::string_view name) const;
  void put(const std::string& name, io::ByteView bytes);
  /// Declares the set complete.
  void finish();

 private:
  void write() const;

  std::filesystem::path folder_;
  FolderLock lock_;
  mutable std::mutex mutex_;
  Manifest manifest_;
};

}  // namespace algprior::store
