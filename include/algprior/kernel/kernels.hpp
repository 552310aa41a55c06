#pragma once

#include <string>
#include <string_view>

namespace algprior {

/// Who computes a block: `native` the SIMD kernels, `torch` their plain LibTorch twins. `automatic`
/// takes the kernel where a fixed rule on shapes says it is faster. Whatever is set, tensors that
/// the kernels do not serve (another device, another dtype) go to LibTorch.
enum class Kernels { automatic, native, torch };

/// The setting in force in this thread: the innermost KernelsScope, else set_kernels' value.
Kernels kernels();

/// Sets the choice for the whole process.
void set_kernels(Kernels choice);

/// Overrides the choice in this thread while it lives.
class KernelsScope {
 public:
  explicit KernelsScope(Kernels choice);
  ~KernelsScope();
  KernelsScope(const KernelsScope&) = delete;
  KernelsScope& operator=(const KernelsScope&) = delete;

 private:
  int previous_;
};

/// "auto", "native" or "torch". Throws InputError on any other word.
Kernels to_kernels(std::string_view word);
std::string to_string(Kernels choice);

/// The instruction set that the kernels chose on this machine: "AVX2", "NEON", …
std::string kernel_target();

}  // namespace algprior
