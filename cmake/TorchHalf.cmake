# What every target with LibTorch shares: one precompiled header, OpenMP, and a bound on parallel compilers.
# The header holds tensors and nn::Module, not all of torch/torch.h: every file that loads it instantiates
# what is pending in it, which takes 4 s instead of 8.
find_package(OpenMP REQUIRED)

# A compiler with LibTorch's headers takes up to 1.7 GB.
cmake_host_system_information(RESULT memory QUERY TOTAL_PHYSICAL_MEMORY)
math(EXPR compilers "${memory} / 1700")
if(compilers LESS 1)
  set(compilers 1)
endif()
set_property(GLOBAL APPEND PROPERTY JOB_POOLS torch_compilers=${compilers})

# A precompiled header serves only compilers with the same code-generation flags, so library and
# executables take the same ones.
function(algprior_torch_flags target)
  # Without -fopenmp at::parallel_for is silently serial.
  target_compile_options(${target} PRIVATE -fPIC ${OpenMP_CXX_FLAGS})
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF
                        JOB_POOL_COMPILE torch_compilers)
endfunction()

# The owner of the precompiled header has no macro that one of its users could lack.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/torch_header.cpp CONTENT "\n")
add_library(algprior_torch_header OBJECT ${PROJECT_BINARY_DIR}/generated/torch_header.cpp)
target_link_libraries(algprior_torch_header PRIVATE algprior_compile ${TORCH_LIBRARIES})
target_precompile_headers(algprior_torch_header PRIVATE <torch/types.h> <torch/nn/module.h>)
algprior_torch_flags(algprior_torch_header)

# algprior_torch_target(<target>): compiles the target against LibTorch with the precompiled header.
function(algprior_torch_target target)
  algprior_torch_flags(${target})
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:OpenMP::OpenMP_CXX>)
  target_precompile_headers(${target} REUSE_FROM algprior_torch_header)
endfunction()
