#include "algprior/base/file.hpp"
#include "file_fault.hpp"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace algprior {

AppendFile::AppendFile(std::filesystem::path path, Existing existing) : path_(std::move(path)) {
  const int flags =
      O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (existing == Existing::kRefuse ? O_EXCL : 0);
  if (!injected_fault(FileStep::kOpen)) descriptor_ = ::open(path_.c_str(), flags, 0666);
  if (descriptor_ < 0) throw make_file_error("cannot open the file for writing", path_, errno);
}

AppendFile::~AppendFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

AppendFile::AppendFile(AppendFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

AppendFile& AppendFile::operator=(AppendFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

void AppendFile::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count =
        injected_fault(FileStep::kWrite) ? -1 : ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw make_file_error("cannot write the file", path_, errno);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void AppendFile::sync() {
  if (injected_fault(FileStep::kSync) || ::fsync(descriptor_) != 0) {
    throw make_file_error("cannot write the file", path_, errno);
  }
}

std::uint64_t AppendFile::length() const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) {
    throw make_file_error("cannot measure the file", path_, errno);
  }
  return static_cast<std::uint64_t>(status.st_size);
}

void AppendFile::cut(std::uint64_t length) {
  if (::ftruncate(descriptor_, static_cast<off_t>(length)) != 0) {
    throw make_file_error("cannot cut the file", path_, errno);
  }
}

}  // namespace algprior
