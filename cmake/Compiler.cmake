# One interface target carries the project's own compile flags; it is linked privately and never exported.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Without this sloppiness ccache never hits on files that use a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE_PROGRAM})
endif()

add_library(algprior_compile INTERFACE)
target_compile_options(algprior_compile INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                       -Wno-sign-conversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(algprior_compile INTERFACE -Wno-restrict)  # false alarms on std::string in g++ 12
endif()
if(ALGPRIOR_WERROR)
  target_compile_options(algprior_compile INTERFACE -Werror)
endif()
if(ALGPRIOR_SANITIZE)
  add_compile_options(-fsanitize=${ALGPRIOR_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${ALGPRIOR_SANITIZE})
endif()
if(ALGPRIOR_COVERAGE)
  add_compile_options(--coverage -O0)
  add_link_options(--coverage)
endif()
if(ALGPRIOR_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
