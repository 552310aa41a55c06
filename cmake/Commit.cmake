# cmake -DGIT=… -DSOURCE=… -DOUTPUT=… -P Commit.cmake: writes the commit into a source file, and
# touches that file only when the commit changed.
set(commit "")
if(GIT AND EXISTS ${SOURCE}/.git)
  # Without optional locks: a build must not get in the way of a commit.
  set(ENV{GIT_OPTIONAL_LOCKS} 0)
  execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --abbrev=12 --dirty --exclude=*
                  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
set(text "#include \"algprior/version.hpp\"\n
namespace algprior {
const char* build_commit() noexcept { return \"${commit}\"; }
}  // namespace algprior\n")
set(old "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
endif()
if(NOT old STREQUAL text)
  file(WRITE ${OUTPUT} "${text}")
endif()
