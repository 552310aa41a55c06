# What a builder may choose. CMakePresets.json names the useful combinations.
option(ALGPRIOR_TORCH "Build the half of the library that needs LibTorch" ON)
option(ALGPRIOR_PROGRAM "Build the program" ON)
option(ALGPRIOR_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(ALGPRIOR_BENCH "Build the benchmarks" OFF)
option(ALGPRIOR_FUZZ "Build the fuzz targets (clang only)" OFF)
option(ALGPRIOR_WERROR "Treat warnings as errors" OFF)
set(ALGPRIOR_SANITIZE "" CACHE STRING "Sanitizers, e.g. address,undefined or thread")
option(ALGPRIOR_COVERAGE "Measure test coverage" OFF)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
option(BUILD_SHARED_LIBS "Build shared libraries" ON)
