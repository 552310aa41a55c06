# Where the parts find each other: libraries in lib/ beside the program, in the build tree and installed.
include(GNUInstallDirs)
file(RELATIVE_PATH bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set(CMAKE_INSTALL_RPATH "$ORIGIN/${bin_to_lib};$ORIGIN")
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)  # a LibTorch outside the system's folders
