# x86-64 with clang.
# Packages: clang, g++ (libraries and linker), qemu-user-static.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_LIBRARY_ARCHITECTURE x86_64-linux-gnu)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET x86_64-linux-gnu)
set(CMAKE_CXX_COMPILER clang++)
set(CMAKE_CXX_COMPILER_TARGET x86_64-linux-gnu)
set(CMAKE_OBJCOPY x86_64-linux-gnu-objcopy)
# QEMU_CPU in the environment names a processor model.
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-x86_64-static -L /usr/x86_64-linux-gnu)
