#pragma once

#include <filesystem>
#include <string>

namespace algprior {

/// Holds a folder (a run) for one process. The kernel releases the lock when the process ends in
/// whatever way, so no lock is ever stale; the file ".lock" itself stays. Taking the lock also
/// removes what killed writers left aside in the folder (see AtomicFile).
class FolderLock {
 public:
  /// Throws FileError when another process, or another FolderLock of this one, holds the folder
  /// (says which process and since when), or when the folder cannot be written. `holder` is what
  /// others are told: "algprior train my.toml".
  FolderLock(const std::filesystem::path& folder, const std::string& holder);
  ~FolderLock();
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&& other) noexcept;

 private:
  void release() noexcept;
  int descriptor_ = -1;
};

}  // namespace algprior
