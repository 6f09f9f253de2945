# Installation: the archive, the header, a CMake package, a pkg-config file, the
# license; and a .deb of them by CPack. The installed folder may be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS murmuration EXPORT murmuration-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES include/murmuration.h include/murmuration.hpp
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE RENAME copyright
  DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/libmurmuration-dev)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/murmuration)
# The targets file is the whole package: the archive depends on nothing.
install(EXPORT murmuration-targets NAMESPACE murmuration::
  FILE murmuration-config.cmake DESTINATION ${package_folder})
# Until 1.0 a minor version may break the interface.
write_basic_package_version_file(
  ${CMAKE_CURRENT_BINARY_DIR}/murmuration-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/murmuration-config-version.cmake
  DESTINATION ${package_folder})

# From the folder of the pkg-config file up to the prefix.
file(RELATIVE_PATH pkgconfig_to_prefix
  /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" pkgconfig_to_prefix "${pkgconfig_to_prefix}")
configure_file(cmake/murmuration.pc.in murmuration.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/murmuration.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# What a whole of which this is a part packs is its own.
if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME libmurmuration-dev)
set(CPACK_PACKAGE_VENDOR Murmuration)
set(CPACK_PACKAGE_CONTACT "Murmuration maintainers <maintainers@murmuration.invalid>")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PACKAGE_DEPENDS libc6-dev)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
# The architecture that Debian calls the compiler's target by.
set(compiler_target ${CMAKE_C_COMPILER_TARGET})
if(NOT compiler_target)
  execute_process(COMMAND ${CMAKE_C_COMPILER} -dumpmachine
    OUTPUT_VARIABLE compiler_target OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
execute_process(COMMAND dpkg-architecture --host-type ${compiler_target}
  --query DEB_HOST_ARCH OUTPUT_VARIABLE CPACK_DEBIAN_PACKAGE_ARCHITECTURE
  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
include(CPack)
