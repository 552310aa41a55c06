#include "algprior/base/cpu.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include <sched.h>
#include <unistd.h>

namespace algprior {
namespace {

// The part of "key : value" after the colon, in the first line of a /proc file that begins with
// key.
std::string proc_value(const char* file, const std::string& key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(key)) continue;
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
    return begin == std::string::npos ? "" : line.substr(begin);
  }
  return "";
}

std::uint64_t meminfo_bytes(const std::string& key) {
  std::istringstream value(proc_value("/proc/meminfo", key));
  std::uint64_t kilobytes = 0;
  value >> kilobytes;
  return kilobytes * 1024;
}

// A number from a cgroup v2 file; 0 for "max", for a missing file and for a missing cgroup.
std::uint64_t cgroup_number(const char* file) {
  std::ifstream in(file);
  std::uint64_t number = 0;
  return in >> number ? number : 0;
}

int cgroup_cores() {
  std::ifstream in("/sys/fs/cgroup/cpu.max");
  std::uint64_t quota = 0, period = 0;
  if (!(in >> quota >> period) || period == 0) return 0;
  return static_cast<int>(std::max<std::uint64_t>(1, (quota + period - 1) / period));
}

std::vector<std::string> vector_instruction_sets() {
  std::vector<std::string> names;
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("sse4.2")) names.emplace_back("SSE4.2");
  if (__builtin_cpu_supports("avx")) names.emplace_back("AVX");
  if (__builtin_cpu_supports("avx2")) names.emplace_back("AVX2");
  if (__builtin_cpu_supports("fma")) names.emplace_back("FMA");
  if (__builtin_cpu_supports("avx512f")) names.emplace_back("AVX-512F");
  if (__builtin_cpu_supports("avx512bw")) names.emplace_back("AVX-512BW");
  if (__builtin_cpu_supports("avx512vl")) names.emplace_back("AVX-512VL");
  if (__builtin_cpu_supports("avx512vnni")) names.emplace_back("AVX-512VNNI");
  // Neither g++ 12 nor clang 14 knows AMX by __builtin_cpu_supports.
  const std::string flags = " " + proc_value("/proc/cpuinfo", "flags") + " ";
  if (flags.find(" avx512_bf16 ") != std::string::npos) names.emplace_back("AVX-512BF16");
  if (flags.find(" amx_bf16 ") != std::string::npos) names.emplace_back("AMX-BF16");
#elif defined(__aarch64__)
  names.emplace_back("NEON");
#endif
  return names;
}

}  // namespace

std::string instruction_set() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")) return "AVX-512";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "AVX2";
  if (__builtin_cpu_supports("sse4.2")) return "SSE4";
#elif defined(__aarch64__)
  return "NEON";
#endif
  return "baseline";
}

int usable_cores() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  int cores = 0;
  if (sched_getaffinity(0, sizeof mask, &mask) == 0) cores = CPU_COUNT(&mask);
  // More than 1,024 processors do not fit in the mask.
  if (cores == 0) cores = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  if (const int quota = cgroup_cores(); quota > 0) cores = std::min(cores, quota);
  return std::max(cores, 1);
}

Machine this_machine() {
  Machine machine;
  machine.cpu = proc_value("/proc/cpuinfo", "model name");
  if (machine.cpu.empty()) machine.cpu = "unknown";
  machine.instruction_sets = vector_instruction_sets();
  machine.cores = usable_cores();
  machine.memory_bytes = meminfo_bytes("MemTotal");
  machine.memory_available_bytes = meminfo_bytes("MemAvailable");
  if (const std::uint64_t bound = cgroup_number("/sys/fs/cgroup/memory.max"); bound > 0) {
    machine.memory_bytes = std::min(machine.memory_bytes, bound);
    const std::uint64_t used = cgroup_number("/sys/fs/cgroup/memory.current");
    machine.memory_available_bytes =
        std::min(machine.memory_available_bytes, bound - std::min(bound, used));
  }
  return machine;
}

}  // namespace algprior
