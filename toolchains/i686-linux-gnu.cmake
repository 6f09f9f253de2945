# 32-bit x86 with g++.
# Packages: g++-i686-linux-gnu, qemu-user-static.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR i686)
# The name that Debian gives the architecture, not the compiler.
set(CMAKE_LIBRARY_ARCHITECTURE i386-linux-gnu)
set(CMAKE_C_COMPILER i686-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER i686-linux-gnu-g++)
# QEMU_CPU in the environment names a processor model. The path of libraries goes
# before a cache of the loader that may name other 32-bit ones of this machine:
# a loader and a C library that do not belong together hang in fork.
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-i386-static -L /usr/i686-linux-gnu -E LD_LIBRARY_PATH=/usr/i686-linux-gnu/lib)
