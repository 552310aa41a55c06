#include "algprior/base/lock.hpp"

#include "algprior/base/file.hpp"

#include <array>
#include <cerrno>
#include <ctime>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace algprior {
namespace {

constexpr const char* kLockName = ".lock";

std::string local_time() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  localtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &parts);
  return text.data();
}

std::string host() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown host";
}

// What the holder wrote about itself; empty while it is still writing.
std::string read_holder(int descriptor) {
  std::array<char, 1024> text{};
  const ssize_t count = ::pread(descriptor, text.data(), text.size(), 0);
  std::string holder(text.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
  return holder.substr(0, holder.find('\n'));
}

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder, const std::string& holder) {
  const std::filesystem::path path = folder / kLockName;
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw make_file_error("cannot lock the folder", folder, errno);
  int result = 0;
  do result = ::flock(descriptor_, LOCK_EX | LOCK_NB);
  while (result != 0 && errno == EINTR);
  if (result != 0) {
    const int reason = errno;
    const std::string other = read_holder(descriptor_);
    release();
    if (reason != EWOULDBLOCK) throw make_file_error("cannot lock the folder", folder, reason);
    throw FileError({"the folder is in use by another process", folder.string(),
                     other.empty() ? "" : "a free folder; it is held by " + other,
                     "wait until it ends, or stop it"});
  }
  remove_files_left_aside(folder);
  const std::string text = "process " + std::to_string(::getpid()) + " on " + host() + " since " +
                           local_time() + ": " + holder + "\n";
  // The text is a courtesy: the lock holds without it, on a full disk too.
  if (::ftruncate(descriptor_, 0) == 0) {
    [[maybe_unused]] const ssize_t count = ::pwrite(descriptor_, text.data(), text.size(), 0);
  }
}

FolderLock::~FolderLock() {
  release();
}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

FolderLock& FolderLock::operator=(FolderLock&& other) noexcept {
  if (this != &other) {
    release();
    descriptor_ = std::exchange(other.descriptor_, -1);
  }
  return *this;
}

void FolderLock::release() noexcept {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

}  // namespace algprior
