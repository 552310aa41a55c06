# cmake -DCOMPONENT=… -DBUILD=… -DSOURCE=… -P: installs the build into a fresh prefix, then configures,
# builds and runs consumer/ against it.
set(folder ${BUILD}/downstream/${COMPONENT})
file(REMOVE_RECURSE ${folder})
file(MAKE_DIRECTORY ${folder})

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    string(REPLACE ";" " " command "${ARGV}")
    message(FATAL_ERROR "${command}\nended with ${status}:\n${output}")
  endif()
  message("${output}")
endfunction()

set(torch "")
if(COMPONENT STREQUAL "prior")
  set(torch --torch)
endif()
set(sanitize "")
if(SANITIZE)
  set(sanitize -DCMAKE_CXX_FLAGS=-fsanitize=${SANITIZE})  # their runtime must be the program's first library
endif()
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${folder}/prefix)
run(${PYTHON} ${SOURCE}/tests/docs/write_cpp.py ${SOURCE} ${folder}/example.cpp ${torch} --program)
run(${CMAKE_COMMAND} -G Ninja -S ${SOURCE}/tests/downstream/consumer -B ${folder}/build
    -DCMAKE_PREFIX_PATH=${folder}/prefix -DCOMPONENT=${COMPONENT} -DEXAMPLE=${folder}/example.cpp
    -DCMAKE_CXX_COMPILER=${COMPILER} -DTorch_DIR=${TORCH} ${sanitize})
run(${CMAKE_COMMAND} --build ${folder}/build)
run(${folder}/build/example)

# The installed program finds its libraries, wherever the prefix stands.
file(RENAME ${folder}/prefix ${folder}/moved)
run(${folder}/moved/bin/algprior --version)
