#!/bin/bash
# The library in other people's builds, each way in a folder with a space.
#
#   install_test.sh WAY SOURCE BUILD CC GENERATOR [TOOLCHAIN PREFIXES EMULATOR...]
#
# WAY: package, two-configurations, pkg-config, subproject, parent-options, fetch,
# deb or makefile. CC may have options; they and PREFIXES, for CMAKE_PREFIX_PATH,
# are separated by semicolons.
set -euo pipefail

way=$1 source=$2 build=$3 generator=$5 toolchain=${6-} prefixes=${7-}
IFS=';' read -ra cc <<<"$4"
emulator=("${@:8}")
if [ -n "$toolchain" ]; then
  compiler=(-DCMAKE_TOOLCHAIN_FILE="$toolchain")
else
  compiler=(-DCMAKE_C_COMPILER="${cc[0]}")
fi
here=$source/tests/install
scratch=$(mktemp -d)
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
work="$scratch/a folder"
mkdir "$work"

fail() { echo "install_test.sh: $way: $*" >&2; exit 1; }
skip() { echo "skipped: $*"; exit 77; }
run() { ${emulator[@]+"${emulator[@]}"} "$@"; }
quietly() { "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; fail "$1 failed"; }; }

# Installed in one place, used in another.
install_and_move() {
  quietly cmake --install "$build" --prefix "$work/first"
  mv "$work/first" "$work/prefix"
  ! grep -rIl "$work/first\|$build\|$source" "$work/prefix" ||
    fail 'an installed file names a folder of the build'
}

# The project in $1 configured with the rest, built and run.
build_consumer() {
  local project=$1
  shift
  rm -rf "$work/project" "$work/build"
  mkdir "$work/project"
  cp "$here/$project/CMakeLists.txt" "$here/main.c" "$work/project/"
  quietly cmake -S "$work/project" -B "$work/build" -G "$generator" \
    "${compiler[@]}" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "$@"
  quietly cmake --build "$work/build"
  [ "$(run "$work/build/consumer")" = 2fa826cd ] || fail 'the program is wrong'
}

# Files that are not ignored, as somebody else has them.
copy_source() {
  mkdir "$work/source"
  tar -C "$source" --exclude ./build --exclude ./.git -cf - . | tar -C "$work/source" -xf -
}
fingerprint() { (cd "$work/source" && find . -type f -exec sha256sum {} + | sort); }

# What a part of a project must leave to the whole.
expect_no_side_effects() {
  ! grep -q '^CMAKE_BUILD_TYPE:[^=]*=.' "$work/build/CMakeCache.txt" ||
    fail 'a build type was forced'
  ! grep -qE -- '-W(all|extra|error)' "$work/build/compile_commands.json" ||
    fail 'warnings were switched on'
  [ "$(ctest --test-dir "$work/build" -N | sed -n 's/Total Tests: //p')" = 1 ] ||
    fail 'tests were added'
  quietly cmake --install "$work/build" --prefix "$work/prefix"
  [ "$(cd "$work/prefix" && find . -type f)" = ./bin/consumer ] ||
    fail 'files were installed'
  # Names of variables in the cache that could meet another's.
  ! sed -n 's/^\([A-Za-z0-9_]*\):.*/\1/p' "$work/build/CMakeCache.txt" |
    grep -vE '^(CMAKE_|MURMURATION_|MMR3_|murmuration_|CpuFeatures_DIR|consumer_|FETCH|SOURCE|BUILD_TESTING|_CMAKE|FIND_PACKAGE_|DART|COVERAGE|CTEST|MAKECOMMAND|MEMORYCHECK|SITE|SLURM|[A-Z]*COMMAND|BUILDNAME|BZRCOMMAND|CVS)' ||
    fail 'the names above were added to the cache'
}

case $way in
  package)
    install_and_move
    build_consumer consumer -DCMAKE_PREFIX_PATH="$work/prefix"
    ! grep -q CMAKE_CXX_COMPILER: "$work/build/CMakeCache.txt" ||
      fail 'the package asks for a C++ compiler'
    # What a packager does: the same files, under another root.
    DESTDIR="$work/root" quietly cmake --install "$build" --prefix /usr
    [ "$(cd "$work/root/usr" && find . -type f | sort)" = \
      "$(cd "$work/prefix" && find . -type f | sort)" ] || fail 'DESTDIR has other files'
    diff -r "$work/root/usr" "$work/prefix" >&2 || fail 'DESTDIR has other contents'
    ;;
  two-configurations)
    command -v ninja >/dev/null || skip 'no ninja'
    quietly cmake -S "$source" -B "$work/library" -G 'Ninja Multi-Config' "${compiler[@]}" \
      -DCMAKE_PREFIX_PATH="$prefixes" -DCMAKE_DEBUG_POSTFIX=d -DCMAKE_CXX_FLAGS_RELEASE=-DNDEBUG \
      -DMURMURATION_BUILD_TESTS=OFF -DMURMURATION_BUILD_BENCHMARKS=OFF \
      -DMURMURATION_BUILD_COMMAND=OFF
    for configuration in Debug Release; do
      quietly cmake --build "$work/library" --config $configuration
      quietly cmake --install "$work/library" --config $configuration --prefix "$work/prefix"
    done
    for configuration in Debug Release; do
      build_consumer consumer -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_BUILD_TYPE=$configuration
      archive=$(cd "$work/build" && grep -rhow 'libmurmuration[a-z]*\.a' --include '*.ninja' --include link.txt . | head -n 1)
      case $configuration/$archive in
        Debug/libmurmurationd.a | Release/libmurmuration.a) ;;
        *) fail "$configuration links ${archive:-nothing}" ;;
      esac
    done
    ! cmp -s "$(find "$work/prefix" -name libmurmuration.a)" \
      "$(find "$work/prefix" -name libmurmurationd.a)" || fail 'both configurations are one'
    ;;
  pkg-config)
    command -v pkg-config >/dev/null || skip 'no pkg-config'
    install_and_move
    pc=$(dirname "$(find "$work/prefix" -name murmuration.pc)")
    export PKG_CONFIG_PATH=$pc
    [ "$(pkg-config --libs-only-l --static murmuration | xargs)" = -lmurmuration ] ||
      fail 'other libraries are wanted'
    [ "$(pkg-config --modversion murmuration)" = "$(sed -n \
      's/.*MMR3_VERSION_[A-Z]* *\([0-9]*\)$/\1/p' "$source/include/murmuration.h" | paste -sd.)" ] ||
      fail 'the version is wrong'
    eval "quietly \"\${cc[@]}\" '$here/main.c' -o '$work/main' $(pkg-config --cflags --libs --static murmuration)"
    [ "$(run "$work/main")" = 2fa826cd ] || fail 'the program is wrong'
    ;;
  subproject)
    copy_source
    chmod -R a-w "$work/source"
    before=$(fingerprint)
    build_consumer subproject -DSOURCE="$work/source" -DCMAKE_PREFIX_PATH="$prefixes"
    expect_no_side_effects
    [ "$before" = "$(fingerprint)" ] || fail 'the source tree was written to'
    ;;
  parent-options)
    # What a parent sets for itself must neither break the archive nor change it.
    build_consumer subproject -DSOURCE="$source" -DCMAKE_PREFIX_PATH="$prefixes" \
      -DMURMURATION_INSTALL=ON -DBUILD_SHARED_LIBS=ON -DCMAKE_UNITY_BUILD=ON -DCMAKE_CXX_STANDARD=14 \
      -DCMAKE_POLICY_DEFAULT_CMP0069=NEW -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON \
      -DCMAKE_COMPILE_WARNING_AS_ERROR=ON -DCMAKE_ARCHIVE_OUTPUT_DIRECTORY="$work/archives" \
      -DCMAKE_C_FLAGS='-Wall -Wextra' -DCMAKE_CXX_FLAGS='-Wall -Wextra'
    [ -n "$toolchain" ] || "$source/tools/check_archive.py" \
      "$(find "$work" -name libmurmuration.a)" >&2 || fail 'the archive is another'
    # Installed with the parent, and packed as the parent says.
    quietly cmake --install "$work/build" --prefix "$work/prefix"
    find "$work/prefix" -name murmuration-config.cmake | grep -q . ||
      fail 'MURMURATION_INSTALL installs nothing'
    [ ! -e "$work/build/CPackConfig.cmake" ] || fail 'the packages of the parent are ours'
    ;;
  fetch)
    copy_source
    tar -C "$work/source" -czf "$work/murmuration.tar.gz" .
    build_consumer subproject -DFETCH="$work/murmuration.tar.gz" -DCMAKE_PREFIX_PATH="$prefixes"
    expect_no_side_effects
    ;;
  deb)
    command -v dpkg-deb >/dev/null || skip 'no dpkg-deb'
    command -v dpkg-architecture >/dev/null || skip 'no dpkg-architecture (package dpkg-dev)'
    quietly cpack --config "$build/CPackConfig.cmake" -B "$work"
    deb=$(ls "$work"/*.deb)
    [ "$(dpkg-deb -f "$deb" Package Architecture | xargs)" = \
      "Package: libmurmuration-dev Architecture: $(dpkg-architecture --host-type "$("${cc[@]}" -dumpmachine)" -qDEB_HOST_ARCH)" ] ||
      fail "the fields of $deb are wrong"
    # As dpkg installs it, on a system of its own.
    mkdir -p "$work/root/var/lib/dpkg/info" "$work/root/var/lib/dpkg/updates"
    touch "$work/root/var/lib/dpkg/status"
    quietly dpkg --root="$work/root" --log=/dev/null --force-not-root --force-depends \
      --force-architecture --install "$deb"
    quietly dpkg --root="$work/root" --verify libmurmuration-dev
    "${cc[@]}" "$here/main.c" -I "$work/root/usr/include" -o "$work/main" \
      "$(find "$work/root/usr" -name libmurmuration.a)"
    [ "$(run "$work/main")" = 2fa826cd ] || fail 'the program is wrong'
    [ -f "$work/root/usr/share/doc/libmurmuration-dev/copyright" ] ||
      fail 'the license is missing'
    ;;
  makefile)
    command -v make >/dev/null || skip 'no make'
    mkdir -p "$work/examples"
    cp -r "$source/examples/makefile" "$work/examples/"
    cp -r "$source/include" "$work/"
    # Make has no way to name a file with a space.
    ln -s "$build" "$scratch/murmuration"
    quietly make -C "$work/examples/makefile" CC="${cc[*]}" MURMURATION="$scratch/murmuration"
    # x86_32 of "hello", seed 0 (tests/oracle).
    [[ "$(printf hello | run "$work/examples/makefile/digest")" == "248bfa47 "* ]] ||
      fail 'the program is wrong'
    ;;
  *)
    echo "install_test.sh: unknown way $way" >&2
    exit 2
    ;;
esac
