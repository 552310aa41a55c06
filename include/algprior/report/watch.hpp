#pragma once

#include "algprior/report/page.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace algprior::report {

/// Runs followed over time: of files that grow only the new bytes are read, of the others only
/// those that changed.
class RunWatcher {
 public:
  explicit RunWatcher(std::vector<std::filesystem::path> paths) : paths_(std::move(paths)) {}

  /// Looks again; true when anything differs from the last look. Throws InputError as find_runs
  /// does when a path is not there at the first look.
  bool look();
  const RunSet& set() const { return set_; }

 private:
  struct Seen {
    std::string stamp;  ///< sizes and times of the small files
    RunState state = RunState::kStopped;
  };
  bool refresh(Run& run);
  static std::string stamp_of(const std::filesystem::path& folder);

  std::vector<std::filesystem::path> paths_;
  RunSet set_;
  std::map<std::filesystem::path, Seen> seen_;
  std::string listing_;
};

/// The page that a browser holds and what happened to it since: a journal of changes that grows at
/// its end, so that a browser asks for the bytes that it has not. Safe to ask from many threads.
class LivePage {
 public:
  /// The page as it stands, and where its changes begin.
  std::string html() const;
  /// The bytes of the journal from `from` on; nothing when they are no longer kept: the browser
  /// must load the page again.
  std::optional<std::string> changes(std::uint64_t from) const;
  void update(Page page);

 private:
  mutable std::mutex mutex_;
  Page page_;
  std::string journal_;
  std::uint64_t dropped_ = 0;  ///< bytes that the journal once had before its first
};

}  // namespace algprior::report
