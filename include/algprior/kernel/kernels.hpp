#pragma once

#include <string>
#include <string_view>

namespace algprior {

/// Who computes a block: `native` the SIMD kernels, `torch` their plain LibTorch twins. `automatic`
/// takes the kernel where a fixed rule on shapes says it is faster. Whatever is set, tensors that
/// the kernels do not serve (another device, another dtype) go to LibTorch.
enum class Kernels { automatic, native, torch };

/// The process's default, in force in every thread: for all that carries no choice of its own
/// (ConvBlockOptions::kernels, ConvBlockConfig::kernels).
Kernels kernels();
void set_kernels(Kernels choice);

/// "auto", "native" or "torch". Throws InputError on any other word.
Kernels to_kernels(std::string_view word);
std::string to_string(Kernels choice);

/// The instruction set that the kernels chose on this machine: "AVX2", "NEON", …
std::string kernel_target();

}  // namespace algprior
