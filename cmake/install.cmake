# Installation, in two components: the command, and what developing needs: archive,
# headers, a CMake package, a pkg-config file, the documents. CPack makes a .deb of
# each. What is installed elsewhere than in the system may be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

if(TARGET murmuration_command)
  install(TARGETS murmuration_command COMPONENT command)
  install(FILES tools/murmuration/murmuration.1
    DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT command)
  install(FILES tools/murmuration/murmuration.bash RENAME murmuration
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    COMPONENT command)
  install(FILES LICENSE RENAME copyright
    DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT command)
endif()

# Until 1.0 a minor version may break the interface.
write_basic_package_version_file(
  ${CMAKE_CURRENT_BINARY_DIR}/murmuration-config-version.cmake
  COMPATIBILITY SameMinorVersion)

# install_development(COMPONENT LIBDIR INCLUDEDIR DOCDIR PREFIX [EXCLUDE_FROM_ALL]):
# PREFIX is what the pkg-config file says; empty: what it is installed with.
function(install_development component libdir includedir docdir prefix)
  set(options COMPONENT ${component} ${ARGN})
  # Per component: each set has folders of its own.
  install(TARGETS murmuration EXPORT murmuration-${component}
    ARCHIVE DESTINATION ${libdir} ${options} INCLUDES DESTINATION ${includedir})
  install(FILES include/murmuration.h include/murmuration.hpp
    include/murmuration_x86_32.h
    DESTINATION ${includedir} ${options})
  # The targets file is the whole package: the archive depends on nothing.
  install(EXPORT murmuration-${component} NAMESPACE murmuration::
    FILE murmuration-config.cmake DESTINATION ${libdir}/cmake/murmuration ${options})
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/murmuration-config-version.cmake
    DESTINATION ${libdir}/cmake/murmuration ${options})
  # The prefix is known at the installation.
  configure_file(cmake/install-pkg-config.cmake.in
    install-pkg-config-${component}.cmake @ONLY)
  install(SCRIPT ${CMAKE_CURRENT_BINARY_DIR}/install-pkg-config-${component}.cmake
    ${options})
  install(FILES LICENSE RENAME copyright DESTINATION ${docdir} ${options})
  install(FILES README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md
    DESTINATION ${docdir} ${options})
  install(DIRECTORY docs examples DESTINATION ${docdir} ${options})
  install(FILES integrations/lua51/README.md
    DESTINATION ${docdir}/integrations/lua51 ${options})
endfunction()

install_development(development ${CMAKE_INSTALL_LIBDIR} ${CMAKE_INSTALL_INCLUDEDIR}
                    ${CMAKE_INSTALL_DOCDIR} "")

# What a whole of which this is a part packs is its own.
if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()
set(MURMURATION_PACKAGE_CONTACT "Murmuration developers" CACHE STRING
    "Who answers for the packages that cpack makes: Name <address>")

# What Debian calls the compiler's target.
set(compiler_target ${CMAKE_C_COMPILER_TARGET})
if(NOT compiler_target)
  execute_process(COMMAND ${CMAKE_C_COMPILER} -dumpmachine
    OUTPUT_VARIABLE compiler_target OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
foreach(variable ARCH MULTIARCH)
  execute_process(COMMAND dpkg-architecture --host-type ${compiler_target}
    --query DEB_HOST_${variable} OUTPUT_VARIABLE debian_${variable}
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endforeach()
install_development(development_deb lib/${debian_MULTIARCH} include
                    share/doc/libmurmuration-dev /usr EXCLUDE_FROM_ALL)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR Murmuration)
set(CPACK_PACKAGE_CONTACT ${MURMURATION_PACKAGE_CONTACT})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE ${debian_ARCH})
set(CPACK_COMPONENTS_ALL development_deb)
set(CPACK_DEBIAN_DEVELOPMENT_DEB_PACKAGE_NAME libmurmuration-dev)
set(CPACK_DEBIAN_DEVELOPMENT_DEB_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_DEB_PACKAGE_DEPENDS libc6-dev)
set(CPACK_COMPONENT_DEVELOPMENT_DEB_DESCRIPTION
    "${PROJECT_DESCRIPTION}\n Archive, headers and documents.")
if(TARGET murmuration_command)
  list(APPEND CPACK_COMPONENTS_ALL command)
  set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME murmuration)
  set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION utils)
  # With the version that it needs, where CPack can find that out.
  find_program(MURMURATION_FILE_PROGRAM file)
  find_program(MURMURATION_DPKG_SHLIBDEPS dpkg-shlibdeps)
  mark_as_advanced(MURMURATION_FILE_PROGRAM MURMURATION_DPKG_SHLIBDEPS)
  if(MURMURATION_FILE_PROGRAM AND MURMURATION_DPKG_SHLIBDEPS
     AND NOT CMAKE_CROSSCOMPILING)
    set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)
  else()
    set(CPACK_DEBIAN_COMMAND_PACKAGE_DEPENDS libc6)
  endif()
  set(CPACK_COMPONENT_COMMAND_DESCRIPTION
      "${PROJECT_DESCRIPTION}\n The command that sums and checks files.")
endif()
include(CPack)
