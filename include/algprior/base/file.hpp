#pragma once

#include "algprior/base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace algprior {

/// The FileError for a failed system call: `what` failed on `path` with errno `reason`, and the
/// step that helps (free some space, choose a writable folder, check the name).
FileError make_file_error(std::string what, const std::filesystem::path& path, int reason);

/// The whole file. Throws FileError when it is missing, unreadable, a folder, or larger than
/// `largest_bytes`.
std::string read_file(const std::filesystem::path& path,
                      std::uint64_t largest_bytes = std::uint64_t{1} << 32);

/// Creates a folder and those above it; nothing when it exists. Throws FileError.
void make_folder(const std::filesystem::path& folder);

/// A file that appears whole or not at all: bytes are written aside in the same folder, and commit
/// syncs them, renames them over the final name and syncs the folder. Whatever fails before the
/// rename (full disk, kill −9, power), what stood under the final name is as it was.
class AtomicFile {
 public:
  /// Throws FileError when nothing can be written in the folder.
  explicit AtomicFile(const std::filesystem::path& path);
  /// Without commit the bytes written aside are removed.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  void write(std::span<const std::byte> bytes);
  /// Gives the file its final name. After it, or after any throw, the object is spent.
  void commit();

 private:
  void give_up() noexcept;
  [[noreturn]] void fail(int reason);

  std::filesystem::path path_;
  std::filesystem::path aside_;
  int descriptor_ = -1;
};

/// AtomicFile with one write.
void write_file(const std::filesystem::path& path, std::string_view bytes);

/// A file that grows at its end, each piece written at once: a killed process leaves whole pieces
/// and at most one torn one. Every function throws FileError.
class AppendFile {
 public:
  enum class Existing { kAppend, kRefuse };

  explicit AppendFile(std::filesystem::path path, Existing existing = Existing::kAppend);
  ~AppendFile();
  AppendFile(AppendFile&& other) noexcept;
  AppendFile& operator=(AppendFile&& other) noexcept;

  void append(std::string_view bytes);
  /// What was appended outlasts a power cut from here on.
  void sync();
  std::uint64_t length() const;
  /// Makes the file `length` bytes long.
  void cut(std::uint64_t length);
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

/// Removes what killed processes left aside in a folder. Only for one who holds the folder's lock.
void remove_files_left_aside(const std::filesystem::path& folder) noexcept;

}  // namespace algprior
