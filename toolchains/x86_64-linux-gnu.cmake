# x86-64 with g++.
# Packages: g++ (elsewhere than on amd64: g++-x86-64-linux-gnu), qemu-user-static.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_LIBRARY_ARCHITECTURE x86_64-linux-gnu)
set(CMAKE_C_COMPILER x86_64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER x86_64-linux-gnu-g++)
# QEMU_CPU in the environment names a processor model. The folder of libraries
# exists where x86-64 is not the machine's own architecture.
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-x86_64-static -L /usr/x86_64-linux-gnu)
