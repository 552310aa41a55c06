# The version has one place: project(VERSION) in the top CMakeLists.txt. From it comes the header
# algprior/version.hpp; the commit is looked up at every build, and only one small file depends on it.
include_guard(GLOBAL)

set(ALGPRIOR_TORCH_VERSION "")
if(ALGPRIOR_TORCH)
  set(ALGPRIOR_TORCH_VERSION "${Torch_VERSION}")
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/version.hpp.in
               ${PROJECT_BINARY_DIR}/include/algprior/version.hpp @ONLY)

set(ALGPRIOR_COMMIT_FILE ${PROJECT_BINARY_DIR}/generated/commit.cpp)
find_package(Git QUIET)
add_custom_target(algprior_commit
  COMMAND ${CMAKE_COMMAND} -DGIT=${GIT_EXECUTABLE} -DSOURCE=${PROJECT_SOURCE_DIR}
          -DOUTPUT=${ALGPRIOR_COMMIT_FILE} -P ${CMAKE_CURRENT_LIST_DIR}/Commit.cmake
  BYPRODUCTS ${ALGPRIOR_COMMIT_FILE}
  COMMENT "" VERBATIM)

# A new commit changes one shared library; what links to it need not be linked again.
set(CMAKE_LINK_DEPENDS_NO_SHARED ON)
