#include "torch_module.hpp"

#include "algprior/base/blas.hpp"
#include "algprior/base/error.hpp"
#include "algprior/version.hpp"
#include "torch_series.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <dlfcn.h>
#include <unistd.h>

namespace algprior {
namespace {

constexpr const char* kFile = "libalgprior_program.so";

// In the build tree lib/ stands beside the program; installed, the folders are as in Layout.cmake.
std::vector<std::filesystem::path> candidates() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path folder = program.parent_path();
  return {folder / "lib" / kFile,
          (folder / ALGPRIOR_BIN_TO_LIB / "algprior" / kFile).lexically_normal()};
}

std::filesystem::path find_module() {
  std::string places;
  for (const std::filesystem::path& path : candidates()) {
    std::error_code error;
    if (std::filesystem::exists(path, error)) return path;
    places += (places.empty() ? "" : ", ") + path.string();
  }
  throw FileError({"the part of algprior that needs LibTorch is missing", kFile, places,
                   "install algprior again, or build it with ALGPRIOR_TORCH=ON"});
}

// Errors still show; LibTorch's warnings are for programmers.
void quieten_glog() {
  setenv("GLOG_logtostderr", "1", 0);
  setenv("GLOG_minloglevel", "2", 0);
}

std::vector<std::string> own_arguments() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

// Idle threads of OpenMP and OpenBLAS wait for work in a loop for milliseconds. On few cores they
// take the time of the thread that prepares the next batch, and small networks train at half the
// speed. libgomp reads its setting when it is loaded, before main, so the program begins anew once.
void let_idle_threads_sleep() {
  setenv("OPENBLAS_THREAD_TIMEOUT", "10", 0);
  if (std::getenv("GOMP_SPINCOUNT") != nullptr || std::getenv("OMP_WAIT_POLICY") != nullptr) return;
  setenv("GOMP_SPINCOUNT", "5000", 1);
  std::vector<std::string> words = own_arguments();
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  if (words.empty()) return;
  execv("/proc/self/exe", argv.data());  // should it fail, things are slower, not wrong
}

const TorchModule& load() {
  if (std::string_view(kTorchVersion).empty()) {
    throw InputError({"this command needs LibTorch", "algprior was built without it", "",
                      "build algprior with ALGPRIOR_TORCH=ON"});
  }
  const std::filesystem::path path = find_module();
  quieten_glog();
  let_idle_threads_sleep();
  prepare_blas_environment();
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) {
    throw FileError(
        {"cannot load the part of algprior that needs LibTorch", dlerror(),
         "LibTorch " + torch_series(kTorchVersion),
         "install LibTorch (Debian: apt install libtorch1.13), or build algprior again"});
  }
  auto* entry =
      reinterpret_cast<decltype(&algprior_torch_module)>(dlsym(library, "algprior_torch_module"));
  const TorchModule* module = entry == nullptr ? nullptr : entry();
  if (module == nullptr || std::string_view(module->version) != kVersion) {
    throw FileError({"a file of another version of algprior is in the way", path.string(),
                     std::string("version ") + kVersion, "install algprior again"});
  }
  return *module;
}

}  // namespace

const TorchModule& load_torch_module(int threads) {
  static const TorchModule& module = load();
  module.set_threads(threads);
  return module;
}

}  // namespace algprior
