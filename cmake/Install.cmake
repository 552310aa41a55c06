# Installs libraries, headers, program and the package that find_package(algprior) reads. Each library has
# an export file of its own, so that a user of one component needs only that component's dependencies.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/algprior)
get_property(ALGPRIOR_COMPONENTS GLOBAL PROPERTY ALGPRIOR_LIBRARIES)

foreach(component ${ALGPRIOR_COMPONENTS})
  install(TARGETS algprior_${component} EXPORT algprior_${component}
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT libraries
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT algprior_${component} NAMESPACE algprior:: DESTINATION ${package_folder}
          FILE algprior_${component}.cmake)
endforeach()
get_property(rooms GLOBAL PROPERTY ALGPRIOR_ROOMS)
foreach(room ${rooms})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/algprior/${room}
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/algprior)
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/include/algprior/algebra.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/algprior)
if(ALGPRIOR_TORCH)
  install(FILES ${PROJECT_SOURCE_DIR}/include/algprior/prior.hpp ${PROJECT_SOURCE_DIR}/include/algprior/lab.hpp
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/algprior)
endif()
install(DIRECTORY ${PROJECT_BINARY_DIR}/include/algprior DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(ALGPRIOR_PROGRAM)
  install(TARGETS algprior RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/algpriorConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/algpriorConfig.cmake
                              INSTALL_DESTINATION ${package_folder} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/algpriorConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/algpriorConfig.cmake
              ${PROJECT_BINARY_DIR}/algpriorConfigVersion.cmake DESTINATION ${package_folder})
