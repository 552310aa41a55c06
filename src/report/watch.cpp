#include "algprior/report/watch.hpp"

#include "algprior/base/error.hpp"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>

namespace algprior::report {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestJournal = std::size_t{8} << 20;

// Folders that hold runs, by name: what makes a new search necessary.
void list_folders(const fs::path& folder, std::string& listing) {
  std::error_code code;
  if (is_run_folder(folder)) {
    listing += folder.string() + "\n";
    return;
  }
  std::vector<fs::path> inner;
  for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code)) {
    std::error_code ignored;
    const auto status = it->symlink_status(ignored);
    if (fs::is_directory(status)) {
      inner.push_back(it->path());
    } else if (it->path().extension() == ".json") {
      listing += it->path().string() + "\n";
    }
  }
  std::sort(inner.begin(), inner.end());
  for (const fs::path& path : inner) list_folders(path, listing);
}

std::uint64_t size_of(const fs::path& file) {
  std::error_code code;
  const auto size = fs::file_size(file, code);
  return code ? 0 : size;
}

std::string read_from(const fs::path& file, std::uint64_t from) {
  std::ifstream stream(file, std::ios::binary);
  stream.seekg(static_cast<std::streamoff>(from));
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

std::string RunWatcher::stamp_of(const fs::path& folder) {
  std::string stamp;
  std::vector<std::string> names{"result.json", "config.toml",       "eigenvalues.csv",
                                 "theorem.csv", "element_error.csv", "motion_error.csv",
                                 "orbit.npz",   "rollout.npz"};
  names.insert(names.end(), audit_file_names().begin(), audit_file_names().end());
  for (const std::string& name : names) {
    std::error_code code;
    const auto time = fs::last_write_time(folder / name, code);
    stamp += code ? "-;"
                  : fmt::format("{}:{};", time.time_since_epoch().count(), size_of(folder / name));
  }
  return stamp;
}

bool RunWatcher::refresh(Run& run) {
  if (run.folder.empty()) return false;
  Seen& seen = seen_[run.folder];
  const fs::path metrics = run.folder / "metrics.jsonl";
  const std::uint64_t bytes = size_of(metrics);
  const std::string stamp = stamp_of(run.folder);
  // Cut by a resumed run, or other files than before: from the beginning.
  if (stamp != seen.stamp || bytes < run.metrics.bytes()) {
    run = read_run(fs::path(run.folder));
    seen = {stamp, run.state};
    return true;
  }
  bool changed = false;
  if (bytes > run.metrics.bytes()) {
    run.metrics.append(read_from(metrics, run.metrics.bytes()));
    changed = true;
  }
  if (!run.result && run.state != RunState::kDamaged) {
    run.state = is_held(run.folder) ? RunState::kRunning : RunState::kStopped;
    changed = changed || run.state != seen.state;
    seen.state = run.state;
  }
  return changed;
}

bool RunWatcher::look() {
  std::string listing;
  for (const fs::path& path : paths_) {
    listing += path.string() + "\n";
    list_folders(path, listing);
  }
  if (listing != listing_) {
    RunSet fresh = find_runs(paths_);
    listing_ = std::move(listing);
    set_ = std::move(fresh);
    seen_.clear();
    for (const Run& run : set_.runs) {
      // What is not finished may have changed since it was read: the next look reads it again.
      if (!run.folder.empty()) {
        seen_[run.folder] = {run.result ? stamp_of(run.folder) : "", run.state};
      }
    }
    return true;
  }
  bool changed = false;
  for (Run& run : set_.runs) changed = refresh(run) || changed;
  return changed;
}

std::string LivePage::html() const {
  const std::lock_guard lock(mutex_);
  return to_live_html(page_, dropped_ + journal_.size());
}

std::optional<std::string> LivePage::changes(std::uint64_t from) const {
  const std::lock_guard lock(mutex_);
  if (from < dropped_ || from > dropped_ + journal_.size()) return std::nullopt;
  return journal_.substr(static_cast<std::size_t>(from - dropped_));
}

void LivePage::update(Page page) {
  const std::lock_guard lock(mutex_);
  journal_ += page_changes(page_, page);
  page_ = std::move(page);
  if (journal_.size() > kLargestJournal) {
    dropped_ += journal_.size();
    journal_.clear();
  }
}

}  // namespace algprior::report
