#include "module.hpp"

#include "algprior/base/blas.hpp"
#include "algprior/base/parallel.hpp"
#include "algprior/experiment/recipe.hpp"
#include "algprior/kernel/recycle_tensors.hpp"
#include "algprior/version.hpp"
#include "entries.hpp"

#include <algorithm>
#include <chrono>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <dlfcn.h>
#include <torch/version.h>

namespace algprior {

void set_threads(int threads) {
  at::set_num_threads(threads);
  set_blas_threads(threads);
  set_thread_count(threads);
}

namespace {

// at::show_config has a line "  - CPU capability usage: AVX2".
std::string kernel_instruction_set() {
  const std::string config = at::show_config();
  const std::string key = "CPU capability usage: ";
  const std::size_t begin = config.find(key);
  if (begin == std::string::npos) return "";
  return config.substr(begin + key.size(), config.find('\n', begin) - begin - key.size());
}

double matrix_product_gflops() {
  using Steady = std::chrono::steady_clock;
  constexpr int kSize = 512;
  constexpr double kSeconds = 0.2;
  const at::Tensor a = at::rand({kSize, kSize}), b = at::rand({kSize, kSize});
  at::Tensor c = at::mm(a, b);
  double fastest = 1e9;
  for (const auto start = Steady::now();
       std::chrono::duration<double>(Steady::now() - start).count() < kSeconds;) {
    const auto begin = Steady::now();
    at::mm_out(c, a, b);
    fastest = std::min(fastest, std::chrono::duration<double>(Steady::now() - begin).count());
  }
  return 2e-9 * kSize * kSize * kSize / fastest;
}

TorchFacts facts() {
  return {TORCH_VERSION, kernel_instruction_set(), at::get_num_threads(), matrix_product_gflops()};
}

std::string recipes_json() {
  return config::to_json(experiment_schema());
}

// LibTorch built with glog prints a complaint at its first warning unless someone initialised glog.
// Found by its symbol, because most builds of LibTorch have no glog.
void initialise_glog() {
  using IsInitialised = bool();
  using Initialise = void(const char*);
  auto* is_initialised = reinterpret_cast<IsInitialised*>(
      dlsym(RTLD_DEFAULT, "_ZN6google26IsGoogleLoggingInitializedEv"));
  auto* initialise =
      reinterpret_cast<Initialise*>(dlsym(RTLD_DEFAULT, "_ZN6google17InitGoogleLoggingEPKc"));
  if (is_initialised != nullptr && initialise != nullptr && !is_initialised())
    initialise("algprior");
}

}  // namespace
}  // namespace algprior

extern "C" const algprior::TorchModule* algprior_torch_module() {
  static const algprior::TorchModule module = [] {
    algprior::initialise_glog();
    algprior::recycle_tensors();
    return algprior::TorchModule{
        algprior::kVersion,  algprior::set_threads,   algprior::facts,       algprior::run_train,
        algprior::run_eval,  algprior::run_predict,   algprior::run_demo,    algprior::run_tasks,
        algprior::run_bench, algprior::embed_encoder, algprior::recipes_json};
  }();
  return &module;
}
