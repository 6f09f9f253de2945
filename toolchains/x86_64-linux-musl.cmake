# x86-64 with musl, linked statically. Debian has no C++ library on musl: the
# library's own sources need headers only, of libstdc++ and of Highway; tests are
# those in C.
# Packages: g++, musl-tools, qemu-user-static.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_LIBRARY_ARCHITECTURE x86_64-linux-musl)
set(CMAKE_C_COMPILER musl-gcc)
set(CMAKE_CXX_COMPILER x86_64-linux-gnu-g++)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
# The C++ compiler is that of another C library: it compiles and does not link.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=include
  OUTPUT_VARIABLE gcc_include OUTPUT_STRIP_TRAILING_WHITESPACE)
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -dumpversion
  OUTPUT_VARIABLE gcc_version OUTPUT_STRIP_TRAILING_WHITESPACE)
# libstdc++'s headers ask glibc's for its release.
string(CONCAT CMAKE_CXX_FLAGS_INIT "\"-D__GLIBC_PREREQ(major,minor)=0\" -nostdinc"
  " -isystem /usr/include/c++/${gcc_version}"
  " -isystem /usr/include/x86_64-linux-gnu/c++/${gcc_version}"
  " -isystem /usr/include/x86_64-linux-musl -isystem ${gcc_include}")
# QEMU_CPU in the environment names a processor model.
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-x86_64-static)
