#include "algprior/base/file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace algprior {
namespace {

// A descriptor that closes itself.
struct Descriptor {
  int value;
  explicit Descriptor(int descriptor) : value(descriptor) {}
  ~Descriptor() {
    if (value >= 0) ::close(value);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
};

std::string next_step(const std::filesystem::path& path, int reason) {
  const std::string folder = path.has_parent_path() ? path.parent_path().string() : ".";
  switch (reason) {
    case ENOSPC:
    case EDQUOT:
      return "free some space in " + folder + ", or choose another folder";
    case EROFS:
    case EACCES:
    case EPERM:
      return "check the permissions of " + path.string() + " and of its folder";
    case ENOENT:
      return "check the name";
    case ENOTDIR:
      return "check the name: a part of it is a file, not a folder";
    case EISDIR:
      return "name a file";
    case ENAMETOOLONG:
      return "choose a shorter name";
    case EFBIG:
      return "the file system or ulimit -f allows no larger file";
    case EMFILE:
    case ENFILE:
      return "too many files are open; see ulimit -n";
    default:
      return "";
  }
}

}  // namespace

FileError make_file_error(std::string what, const std::filesystem::path& path, int reason) {
  return FileError({std::move(what), path.string() + " (" + std::strerror(reason) + ")", "",
                    next_step(path, reason)});
}

std::string read_file(const std::filesystem::path& path, std::uint64_t largest_bytes) {
  const auto fail = [&](int reason) {
    return make_file_error("cannot read the file", path, reason);
  };
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.value < 0) throw fail(errno);
  struct stat status {};
  if (::fstat(file.value, &status) != 0) throw fail(errno);
  if (S_ISDIR(status.st_mode)) throw fail(EISDIR);

  std::string bytes;
  // Files of /proc and pipes say 0.
  bytes.reserve(std::min(static_cast<std::uint64_t>(status.st_size), largest_bytes) + 1);
  constexpr std::size_t kChunk = 1 << 20;
  while (true) {
    const std::size_t size = bytes.size();
    bytes.resize(bytes.capacity() > size ? bytes.capacity() : size + kChunk);
    const ssize_t count = ::read(file.value, bytes.data() + size, bytes.size() - size);
    if (count < 0 && errno != EINTR) throw fail(errno);
    bytes.resize(size + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    if (count == 0) return bytes;
    if (bytes.size() > largest_bytes) {
      throw FileError({"the file is too large", path.string(),
                       "at most " + std::to_string(largest_bytes) + " bytes", "check the name"});
    }
  }
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error && !std::filesystem::is_directory(folder, error) && !error) {
    error = std::make_error_code(std::errc::not_a_directory);
  }
  if (error) throw make_file_error("cannot create the folder", folder, error.value());
}

}  // namespace algprior
