#include "algprior/base/file.hpp"
#include "file_fault.hpp"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace algprior {
namespace {

constexpr std::string_view kAsideBegin = ".algprior-";
constexpr std::string_view kAsideEnd = ".part";

std::function<int(FileStep)>& fault() {
  static std::function<int(FileStep)> hook;
  return hook;
}

// A rename would replace a symbolic link instead of the file behind it.
std::filesystem::path behind_links(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_symlink(path, error)) return path;
  std::filesystem::path target = std::filesystem::weakly_canonical(path, error);
  return error ? path : target;
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

std::filesystem::path name_aside(const std::filesystem::path& path) {
  static std::atomic<unsigned> count{0};
  // Cut, so that a long name that fits still fits with what is added.
  return folder_of(path) /
         (std::string(kAsideBegin) + path.filename().string().substr(0, 64) + "-" +
          std::to_string(::getpid()) + "-" + std::to_string(count++) + std::string(kAsideEnd));
}

int sync_folder(const std::filesystem::path& folder) {
  if (injected_fault(FileStep::kSyncFolder)) return errno;
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  // Some file systems cannot sync a folder and say so; there is no more to be done there.
  const int reason = ::fsync(descriptor) == 0 || errno == EINVAL ? 0 : errno;
  ::close(descriptor);
  return reason;
}

}  // namespace

bool injected_fault(FileStep step) {
  if (!fault()) return false;
  const int reason = fault()(step);
  if (reason != 0) errno = reason;
  return reason != 0;
}

void set_file_fault(std::function<int(FileStep)> hook) {
  fault() = std::move(hook);
}

AtomicFile::AtomicFile(const std::filesystem::path& path)
    : path_(behind_links(path)), aside_(name_aside(path_)) {
  std::error_code error;
  if (std::filesystem::is_directory(path_, error)) fail(EISDIR);
  if (!injected_fault(FileStep::kOpen)) {
    descriptor_ = ::open(aside_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  }
  if (descriptor_ < 0) fail(errno);
}

AtomicFile::~AtomicFile() {
  give_up();
}

void AtomicFile::give_up() noexcept {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
    ::unlink(aside_.c_str());
  }
  descriptor_ = -1;
}

void AtomicFile::fail(int reason) {
  give_up();
  throw make_file_error("cannot write the file", path_, reason);
}

void AtomicFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count =
        injected_fault(FileStep::kWrite) ? -1 : ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0) {
      if (errno == EINTR) continue;
      fail(errno);
    }
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  write(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

void AtomicFile::commit() {
  if (injected_fault(FileStep::kSync) || ::fsync(descriptor_) != 0) fail(errno);
  if (injected_fault(FileStep::kRename) || ::rename(aside_.c_str(), path_.c_str()) != 0)
    fail(errno);
  // Close reports what fsync has reported already, and the name aside is gone.
  ::close(std::exchange(descriptor_, -1));
  if (const int reason = sync_folder(folder_of(path_)); reason != 0) {
    throw make_file_error("the file is written, but may not outlast a power cut", path_, reason);
  }
}

void write_file(const std::filesystem::path& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

void remove_files_left_aside(const std::filesystem::path& folder) noexcept {
  try {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const std::string name = entry.path().filename().string();
      std::error_code ignored;
      if (name.starts_with(kAsideBegin) && name.ends_with(kAsideEnd)) {
        std::filesystem::remove(entry.path(), ignored);
      }
    }
  } catch (const std::filesystem::filesystem_error&) {
    // Left over files do no harm; a folder that cannot be listed shows itself when it is written.
  }
}

}  // namespace algprior
