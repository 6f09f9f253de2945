#!/bin/bash
# The library in other people's builds, each way in a folder with a space.
#
#   install_test.sh WAY SOURCE BUILD CC GENERATOR [TOOLCHAIN PREFIXES EMULATOR...]
#
# WAY: package, two-configurations, pkg-config, absolute-folders, plain-objects, documents,
# subproject, parent-options, fetch, deb, makefile, missing-packages or preset. CC may have options; they and PREFIXES, for CMAKE_PREFIX_PATH,
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

# expect_refusal PATTERN COMMAND...: fails, and says it, however its lines are wrapped.
expect_refusal() {
  local pattern=$1
  shift
  ! "$@" >"$scratch/log" 2>&1 || fail "accepted: $*"
  tr -s ' \n' ' ' <"$scratch/log" | grep -q "$pattern" ||
    { cat "$scratch/log" >&2; fail "does not say $pattern: $*"; }
}

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

# The library alone, configured in $work/library.
configure_library() {
  quietly cmake -S "$source" -B "$work/library" -G "$generator" "${compiler[@]}" \
    -DCMAKE_PREFIX_PATH="$prefixes" -DMURMURATION_BUILD_TESTS=OFF \
    -DMURMURATION_BUILD_BENCHMARKS=OFF -DMURMURATION_BUILD_COMMAND=OFF "$@"
}

link_with_pkg_config() {
  eval "quietly \"\${cc[@]}\" '$here/main.c' -o '$work/main' $(pkg-config --cflags --libs --static murmuration)"
  [ "$(run "$work/main")" = 2fa826cd ] || fail 'the program is wrong'
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
    grep -vE '^(CMAKE_|MURMURATION_|MMR3_|murmuration_|consumer_|FETCH|SOURCE|BUILD_TESTING|_CMAKE|FIND_PACKAGE_|DART|COVERAGE|CTEST|MAKECOMMAND|MEMORYCHECK|SITE|SLURM|[A-Z]*COMMAND|BUILDNAME|BZRCOMMAND|CVS)' ||
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
    # (What the pkg-config file says depends on the folder: see pkg-config.)
    diff -r --exclude=murmuration.pc "$work/root/usr" "$work/prefix" >&2 ||
      fail 'DESTDIR has other contents'
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
    link_with_pkg_config
    # In the system's folders compilers look anyway: there is nothing to add.
    for prefix in /usr /usr/local; do
      DESTDIR="$work/root" quietly cmake --install "$build" --prefix $prefix
      PKG_CONFIG_PATH=$(dirname "$(find "$work/root$prefix" -name murmuration.pc)")
      [ "$(pkg-config --variable=prefix murmuration)" = $prefix ] ||
        fail "the prefix in $prefix is $(pkg-config --variable=prefix murmuration)"
    done
    PKG_CONFIG_PATH=$(dirname "$(find "$work/root/usr" -path "$work/root/usr/local" -prune -o -name murmuration.pc -print)")
    [ "$(pkg-config --cflags --libs murmuration | xargs)" = -lmurmuration ] ||
      fail "in /usr pkg-config says $(pkg-config --cflags --libs murmuration)"
    ;;
  absolute-folders)
    # Each in a place of its own, as Nix has them. The archive is the one that is built.
    command -v pkg-config >/dev/null || skip 'no pkg-config'
    for absolute in LIBDIR INCLUDEDIR LIBDIR:INCLUDEDIR; do
      rm -rf "$work/library" "$work/prefix" "$work/out"
      folders=()
      for name in ${absolute//:/ }; do folders+=("-DCMAKE_INSTALL_$name=$work/out/$name/x"); done
      configure_library "${folders[@]}" -DCMAKE_INSTALL_PREFIX="$work/prefix"
      cp "$build/libmurmuration.a" "$work/library/"
      quietly cmake --install "$work/library"
      PKG_CONFIG_PATH=$(dirname "$(find "$work/out" "$work/prefix" -name murmuration.pc)")
      export PKG_CONFIG_PATH
      ! grep -n '//\|pcfiledir' "$PKG_CONFIG_PATH/murmuration.pc" >&2 ||
        fail "with absolute $absolute the file says the above"
      link_with_pkg_config
      build_consumer consumer -Dmurmuration_DIR="${PKG_CONFIG_PATH%pkgconfig}cmake/murmuration"
    done
    ;;
  plain-objects)
    configure_library -DMURMURATION_PARTIAL_LINK=OFF
    quietly cmake --build "$work/library"
    quietly cmake --install "$work/library" --prefix "$work/prefix"
    "${cc[@]}" "$here/main.c" -I "$source/include" -o "$work/main" "$work/library/libmurmuration.a"
    [ "$(run "$work/main")" = 2fa826cd ] || fail 'the program is wrong'
    build_consumer consumer -DCMAKE_PREFIX_PATH="$work/prefix"
    ! grep -q CMAKE_CXX_COMPILER: "$work/build/CMakeCache.txt" ||
      fail 'the package asks for a C++ compiler'
    # Chosen where nothing can make one object of several; by hand it is an error.
    if [ -z "$toolchain" ]; then
      rm -rf "$work/library"
      configure_library -DCMAKE_OBJCOPY=/nothing
      grep -q 'Debian: binutils' "$scratch/log" || fail 'nothing says that the objects stay apart'
      expect_refusal 'MURMURATION_PARTIAL_LINK is ON.*Debian: binutils' \
        cmake "$work/library" -DMURMURATION_PARTIAL_LINK=ON
    fi
    ;;
  documents)
    install_and_move
    readme=$(find "$work/prefix" -path '*/doc/murmuration/README.md')
    [ -n "$readme" ] || fail 'README.md is not installed'
    # A link to what was left out would lead nowhere.
    find "$(dirname "$readme")" -name '*.md' | while read -r document; do
      { grep -oE '\]\([^)#:]+' "$document" || true; } | cut -c 3- | while read -r target; do
        [ -e "$(dirname "$document")/$target" ] || echo "$document: $target"
      done
    done >"$scratch/dead"
    ! grep . "$scratch/dead" >&2 || fail 'installed documents have the dead links above'
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
    architecture=$(dpkg-architecture --host-type "$("${cc[@]}" -dumpmachine)" -qDEB_HOST_ARCH)
    multiarch=$(dpkg-architecture --host-type "$("${cc[@]}" -dumpmachine)" -qDEB_HOST_MULTIARCH)
    packages=libmurmuration-dev
    [ ! -x "$build/murmuration" ] || packages="$packages murmuration"
    # As dpkg installs them, on a system of its own.
    mkdir -p "$work/root/var/lib/dpkg/info" "$work/root/var/lib/dpkg/updates"
    touch "$work/root/var/lib/dpkg/status"
    for package in $packages; do
      deb=$(ls "$work/${package}_"*.deb)
      [ "$(dpkg-deb -f "$deb" Package Architecture | xargs)" = \
        "Package: $package Architecture: $architecture" ] || fail "the fields of $deb are wrong"
      [ "$(dpkg-deb -f "$deb" Maintainer)" = \
        "$(sed -n 's/^MURMURATION_PACKAGE_CONTACT:STRING=//p' "$build/CMakeCache.txt")" ] ||
        fail "the contact of $deb is $(dpkg-deb -f "$deb" Maintainer)"
      quietly dpkg --root="$work/root" --log=/dev/null --force-not-root --force-depends \
        --force-architecture --install "$deb"
      quietly dpkg --root="$work/root" --verify "$package"
      [ -f "$work/root/usr/share/doc/$package/copyright" ] || fail "the license of $package is missing"
    done
    [ "$(find "$work" -maxdepth 1 -name '*.deb' | wc -l)" -eq "$(wc -w <<<"$packages")" ] || fail 'there are other packages'
    [ "$packages" = libmurmuration-dev ] ||
      [ "$(dpkg --root="$work/root" -S /usr/bin/murmuration)" = 'murmuration: /usr/bin/murmuration' ] ||
      fail 'the command is not in its package'
    [ -f "$work/root/usr/share/doc/libmurmuration-dev/README.md" ] || fail 'the documents are missing'
    # One architecture's beside another's; with nothing for pkg-config to add.
    pc=$work/root/usr/lib/$multiarch/pkgconfig/murmuration.pc
    grep -qx 'prefix=/usr' "$pc" || fail 'the pkg-config file has another prefix'
    grep -qx "libdir=\${prefix}/lib/$multiarch" "$pc" || fail 'the archive is in another folder'
    "${cc[@]}" "$here/main.c" -I "$work/root/usr/include" -o "$work/main" \
      "$work/root/usr/lib/$multiarch/libmurmuration.a"
    [ "$(run "$work/main")" = 2fa826cd ] || fail 'the program is wrong'
    build_consumer consumer -DCMAKE_PREFIX_PATH="$work/root/usr" \
      -Dmurmuration_DIR="$work/root/usr/lib/$multiarch/cmake/murmuration"
    ;;
  makefile)
    command -v make >/dev/null || skip 'no make'
    mkdir -p "$work/examples"
    cp -r "$source/examples/makefile" "$work/examples/"
    cp -r "$source/include" "$work/"
    # The folder that the README builds in is the default.
    ln -s "$build" "$work/build"
    quietly make -C "$work/examples/makefile" CC="${cc[*]}"
    # x86_32 of "hello", seed 0 (tests/oracle).
    [[ "$(printf hello | run "$work/examples/makefile/digest")" == "248bfa47 "* ]] ||
      fail 'the program is wrong'
    ;;
  missing-packages)
    [ -z "$toolchain" ] || skip 'the same for every target'
    # Left out, with one line each that names Debian's package.
    quietly cmake -S "$source" -B "$work/build" -G "$generator" "${compiler[@]}" \
      -DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON -DCMAKE_DISABLE_FIND_PACKAGE_benchmark=ON \
      -DCMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON
    for package in libgtest-dev libbenchmark-dev nlohmann-json3-dev; do
      [ "$(grep -c "Left out: .*(Debian: $package)" "$scratch/log")" -eq 1 ] ||
        { cat "$scratch/log" >&2; fail "nothing names $package"; }
    done
    ! grep -q Warning "$scratch/log" || { cat "$scratch/log" >&2; fail 'there are warnings'; }
    # Asked for by hand, also after they had been left out.
    for part in TESTS:GTest:libgtest-dev BENCHMARKS:benchmark:libbenchmark-dev COMMAND:nlohmann_json:nlohmann-json3-dev; do
      IFS=: read -r option name package <<<"$part"
      expect_refusal "MURMURATION_BUILD_$option is ON.* no $name *(Debian: $package)" \
        cmake -S "$source" -B "$work/build" "-DMURMURATION_BUILD_$option=ON"
      quietly cmake -S "$source" -B "$work/build" "-DMURMURATION_BUILD_$option=OFF"
      [ "$(grep -c "Debian: $package" "$scratch/log")" -eq 0 ] || fail "OFF speaks of $package"
    done
    # Highway is needed, and where it is can be said.
    highway=$(sed -n 's/^MURMURATION_HIGHWAY_INCLUDE_DIR:[A-Z]*=//p' "$work/build/CMakeCache.txt")
    expect_refusal 'Debian: libhwy-dev' cmake -S "$source" -B "$work/other" -G "$generator" \
      "${compiler[@]}" -DCMAKE_IGNORE_PATH="$highway"
    # A parent hears of it too.
    mkdir "$work/project"
    cp "$here/subproject/CMakeLists.txt" "$here/main.c" "$work/project/"
    expect_refusal 'Debian: libhwy-dev' cmake -S "$work/project" -B "$work/parent" -G "$generator" \
      "${compiler[@]}" -DSOURCE="$source" -DCMAKE_IGNORE_PATH="$highway"
    ;;
  preset)
    [ -z "$toolchain" ] || skip 'the same for every target'
    copy_source
    for name in aarch64-linux-gnu riscv64-linux-gnu x86_64-linux-gnu-clang; do
      (cd "$work/source" && expect_refusal 'Run scripts/cross-test.sh first' cmake --preset $name)
    done
    # What it lacks once the target's packages are there, is something else.
    mkdir -p "$work/source/build/dependencies/aarch64-linux-gnu"
    touch "$work/source/build/dependencies/aarch64-linux-gnu/complete"
    (cd "$work/source" && cmake --preset aarch64-linux-gnu >"$work/log" 2>&1) || true
    [ -s "$work/log" ] || fail 'cmake said nothing'
    ! grep -q 'Run scripts/cross-test.sh first' "$work/log" ||
      fail 'a preset does not see the packages of its target'
    ;;
  *)
    echo "install_test.sh: unknown way $way" >&2
    exit 2
    ;;
esac
