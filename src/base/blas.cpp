#include "algprior/base/blas.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include <dlfcn.h>

namespace algprior {
namespace {

constexpr const char* kLibrary = "libopenblas.so.0";
constexpr const char* kCoreVariable = "OPENBLAS_CORETYPE";
constexpr const char* kOneDnnVariable = "DNNL_MAX_CPU_ISA";

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

// A function of the OpenBLAS that is in the process, also when it came with a library that keeps
// its symbols to itself.
template <typename Function>
Function* openblas_function(const char* name) {
  void* symbol = dlsym(RTLD_DEFAULT, name);
  if (symbol == nullptr) {
    if (void* library = dlopen(kLibrary, RTLD_LAZY | RTLD_NOLOAD)) {
      symbol = dlsym(library, name);
      dlclose(library);
    }
  }
  return reinterpret_cast<Function*>(symbol);
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return text;
}

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& names, const std::string& core) {
  return std::find(names.begin(), names.end(), lower(core)) != names.end();
}

constexpr std::array<std::string_view, 3> kCoresWithAvx512 = {"skylakex", "cooperlake",
                                                              "sapphirerapids"};
constexpr std::array<std::string_view, 3> kCoresWithAvx2 = {"haswell", "zen", "excavator"};

#if defined(__x86_64__)
bool has_avx512() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl");
}

bool has_avx2() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

bool is_amd() {
  __builtin_cpu_init();
  return __builtin_cpu_is("amd");
}
#else
bool has_avx512() {
  return false;
}
bool has_avx2() {
  return false;
}
bool is_amd() {
  return false;
}
#endif

// oneDNN would use AMX where the kernel reports it.
bool has_amx() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("flags")) return line.find(" amx_") != std::string::npos;
  }
  return false;
}

void keep_onednn_from_amx() {
  if (!is_set(kOneDnnVariable) && has_amx()) setenv(kOneDnnVariable, "AVX512_CORE_BF16", 1);
}

}  // namespace

BlasState blas_state() {
  BlasState state;
  if (auto* config = openblas_function<const char*()>("openblas_get_config")) {
    // "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH …"
    const std::string text = config();
    state.library = text.substr(0, text.find(' ', text.find(' ') + 1));
  }
  if (auto* core = openblas_function<const char*()>("openblas_get_corename")) state.core = core();
  if (auto* threads = openblas_function<int()>("openblas_get_num_threads")) {
    state.threads = threads();
  }
  return state;
}

std::string openblas_core() {
  if (has_avx512()) return "SkylakeX";
  if (has_avx2()) return is_amd() ? "Zen" : "Haswell";
  return "";
}

bool suits_this_cpu(const std::string& core) {
  if (has_avx512()) return contains(kCoresWithAvx512, core);
  if (has_avx2()) return contains(kCoresWithAvx2, core);
  return true;
}

BlasState tune_blas() {
  keep_onednn_from_amx();
  const BlasState state = blas_state();
  if (is_set(kCoreVariable) || state.core.empty() || suits_this_cpu(state.core)) return state;
  auto* quit = openblas_function<void()>("gotoblas_dynamic_quit");
  auto* init = openblas_function<void()>("gotoblas_dynamic_init");
  if (quit == nullptr || init == nullptr) return state;
  setenv(kCoreVariable, openblas_core().c_str(), 1);
  quit();
  init();
  return blas_state();
}

void prepare_blas_environment() {
  keep_onednn_from_amx();
  const std::string wanted = openblas_core();
  if (is_set(kCoreVariable) || wanted.empty()) return;
  if (!blas_state().core.empty()) {
    tune_blas();  // loaded already: the variable alone would come too late
    return;
  }
  void* library = dlopen(kLibrary, RTLD_LAZY | RTLD_LOCAL);
  bool suits = false;
  if (library != nullptr) {
    auto* core = reinterpret_cast<const char* (*)()>(dlsym(library, "openblas_get_corename"));
    suits = core != nullptr && suits_this_cpu(core());
    // Unloaded, so that the next load reads the variable.
    dlclose(library);
  }
  if (!suits) setenv(kCoreVariable, wanted.c_str(), 1);
}

void set_blas_threads(int threads) {
  if (auto* set = openblas_function<void(int)>("openblas_set_num_threads")) set(threads);
}

}  // namespace algprior
