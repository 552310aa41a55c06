#include "algprior/base/file.hpp"
#include "algprior/report/run.hpp"

#include <array>
#include <chrono>
#include <cstdio>
#include <fstream>

#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace algprior::report {
namespace {

namespace fs = std::filesystem;

constexpr auto kSilence = std::chrono::minutes(10);

std::string own_host() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown host";
}

// "process 1234 on host since …", as FolderLock writes it.
struct Holder {
  long process = 0;
  std::string host;
};

Holder read_holder_of(const fs::path& lock) {
  std::ifstream file(lock);
  Holder holder;
  std::string word;
  file >> word >> holder.process >> word >> holder.host;
  return holder;
}

// Asking for the lock itself would make a run that starts just now believe that the folder is
// taken.
bool in_kernel_list(const fs::path& lock, long process) {
  struct stat status {};
  if (::stat(lock.c_str(), &status) != 0) return false;
  std::ifstream list("/proc/locks");
  for (std::string line; std::getline(list, line);) {
    unsigned major = 0, minor = 0;
    unsigned long long inode = 0;
    long owner = 0;
    std::array<char, 16> kind{};
    if (std::sscanf(line.c_str(), "%*s %15s %*s %*s %ld %x:%x:%llu", kind.data(), &owner, &major,
                    &minor, &inode) != 5) {
      continue;
    }
    if (std::string_view(kind.data()) != "FLOCK" || inode != status.st_ino) continue;
    // Layered file systems show another device there than here; the process then decides.
    const bool same_device = major == ::major(status.st_dev) && minor == ::minor(status.st_dev);
    if (same_device || owner == process) return true;
  }
  return false;
}

bool written_lately(const fs::path& folder) {
  const auto now = fs::file_time_type::clock::now();
  std::error_code code;
  for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code)) {
    std::error_code ignored;
    const auto time = fs::last_write_time(it->path(), ignored);
    if (!ignored && now - time < kSilence) return true;
  }
  return false;
}

}  // namespace

bool is_held(const fs::path& folder) {
  const fs::path lock = folder / ".lock";
  std::error_code ignored;
  if (!fs::exists(lock, ignored)) return false;
  const Holder holder = read_holder_of(lock);
  if (in_kernel_list(lock, holder.process)) return true;
  return !holder.host.empty() && holder.host != own_host() && written_lately(folder);
}

}  // namespace algprior::report
