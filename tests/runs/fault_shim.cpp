// Loaded with LD_PRELOAD into the program under test: counts the writes, fsyncs and renames of
// files whose path begins with ALGPRIOR_FAULT_FOLDER and, from step ALGPRIOR_FAULT_FROM (1 is the
// first) on,
//   ALGPRIOR_FAULT=full   makes writes fail as a full disk does,
//   ALGPRIOR_FAULT=kill   kills the process: half of a write's bytes are written, an fsync or
//                         rename is not begun.
// The count goes into the file ALGPRIOR_FAULT_COUNT at the end. Of several ranks only the one that
// writes there counts anything.
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

namespace {

std::atomic<long> steps{0};

template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

bool in_folder(const char* path) {
  const char* folder = std::getenv("ALGPRIOR_FAULT_FOLDER");
  return folder != nullptr && std::strncmp(path, folder, std::strlen(folder)) == 0;
}

bool in_folder(int descriptor) {
  char link[64], path[PATH_MAX];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return false;
  path[length] = '\0';
  return in_folder(path);
}

enum class Fault { none, full, kill };

Fault next_step() {
  const long step = ++steps;
  const char* from = std::getenv("ALGPRIOR_FAULT_FROM");
  const char* word = std::getenv("ALGPRIOR_FAULT");
  if (from == nullptr || word == nullptr || step < std::atol(from)) return Fault::none;
  return std::strcmp(word, "kill") == 0 ? Fault::kill : Fault::full;
}

[[noreturn]] void die() {
  std::raise(SIGKILL);
  std::abort();
}

__attribute__((destructor)) void tell_count() {
  const char* file = std::getenv("ALGPRIOR_FAULT_COUNT");
  if (file == nullptr || steps.load() == 0) return;
  char text[32];
  const int length = std::snprintf(text, sizeof text, "%ld\n", steps.load());
  const int descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  [[maybe_unused]] const ssize_t count = real<ssize_t(int, const void*, std::size_t)>("write")(
      descriptor, text, static_cast<std::size_t>(length));
  close(descriptor);
}

}  // namespace

extern "C" {

ssize_t write(int descriptor, const void* bytes, std::size_t size) {
  static auto* next = real<ssize_t(int, const void*, std::size_t)>("write");
  if (in_folder(descriptor)) {
    switch (next_step()) {
      case Fault::none:
        break;
      case Fault::full:
        errno = ENOSPC;
        return -1;
      case Fault::kill:
        [[maybe_unused]] const ssize_t half = next(descriptor, bytes, size / 2);
        die();
    }
  }
  return next(descriptor, bytes, size);
}

ssize_t writev(int descriptor, const iovec* pieces, int count) {
  static auto* next = real<ssize_t(int, const iovec*, int)>("writev");
  if (in_folder(descriptor)) {
    const Fault fault = next_step();
    if (fault == Fault::kill) die();
    if (fault == Fault::full) {
      errno = ENOSPC;
      return -1;
    }
  }
  return next(descriptor, pieces, count);
}

int fsync(int descriptor) {
  static auto* next = real<int(int)>("fsync");
  if (in_folder(descriptor) && next_step() == Fault::kill) die();
  return next(descriptor);
}

int rename(const char* from, const char* to) noexcept {
  static auto* next = real<int(const char*, const char*)>("rename");
  if (in_folder(to) && next_step() == Fault::kill) die();
  return next(from, to);
}
}
