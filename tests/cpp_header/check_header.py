#!/usr/bin/env python3
"""What a compiler makes of murmuration.hpp: lines that it refuses, and programs
that it takes without a warning.

usage: check_header.py --list
       check_header.py --prepare FOLDER INCLUDE COMPILER...
       check_header.py --refuses NAME FOLDER INCLUDE COMPILER...
       check_header.py --warnings STANDARD INCLUDE COMPILER...

--list shows the cases of refused.txt, which says what a case is. --prepare comes
before --refuses: it compiles the headers once. The good line of a case has to
compile, so that the bad one is refused for no other reason than its own.
--warnings compiles strict.cc as C++ STANDARD with all warnings, as errors, that
make sense for a header. COMPILER may have options.

Exit status: 0; 1 with what went wrong; 77 where the compiler does not know the
standard or is newer than the warnings are known of.
"""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
KEYS = {"name", "standard", "given", "bad", "says", "good"}
LISTS = {
    "one_key": ["mmr3::x86_32", "mmr3::x86_128", "mmr3::x64_128", "mmr3::wide32",
                "mmr3::x64_128_cassandra", "mmr3::x86_32_spark"],
    "many_keys": ["mmr3::x86_32_batch", "mmr3::x86_128_batch", "mmr3::x64_128_batch"],
}
STANDARDS = ["17", "20"]  # of cases
# What comes before a case.
HEADERS = """#include <deque>
#include <iterator>
#include <list>
#include <memory>
#include <sstream>
#if __cplusplus > 201703L
#include <ranges>
#endif
#include "murmuration.hpp"
"""
# clang 14 cannot read what libstdc++ has of this.
RANGES = """#include <ranges>
#include <vector>
auto f(std::vector<int>& v) { return v | std::views::transform([](int i) { return i; }); }
"""

GNU_WARNINGS = """-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow
-Wold-style-cast -Weffc++ -Wuseless-cast -Wcast-qual -Wundef -Wdouble-promotion
-Wduplicated-branches -Wlogical-op -Wextra-semi""".split()
# All but three, which ask for another language (C++98), another interface (no
# pointers: unsafe-buffer-usage) and another layout of C's structures (padded).
CLANG_WARNINGS = """-Weverything -Wno-c++98-compat-pedantic -Wno-unsafe-buffer-usage
-Wno-padded -Wno-unknown-warning-option""".split()
NEWEST_CLANG = 19


def fail(message):
    print(f"check_header.py: {message}", file=sys.stderr)
    sys.exit(1)


def skip(message):
    print(f"skipped: {message}")
    sys.exit(77)


def read_cases():
    cases, lines = {}, []
    with open(os.path.join(HERE, "refused.txt"), encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file if not line.startswith("#")]
    for block in re.split(r"\n{2,}", "\n".join(lines).strip("\n")):
        case = dict(line.split(": ", 1) for line in block.splitlines())
        words = [key for key in case if key.startswith("each ")]
        if len(words) > 1 or set(case) - KEYS - set(words):
            fail(f"refused.txt has a case that is not understood:\n{block}")
        word = words[0].removeprefix("each ") if words else ""
        values = case.get(f"each {word}", "")
        case["values"] = LISTS.get(values) or [v.strip() for v in values.split("|")]
        case["word"] = word
        if case["name"] in cases:
            fail(f"refused.txt has two cases {case['name']}")
        cases[case["name"]] = case
    return cases


def messages(compiler, options, source):
    """None when it compiles, else what the compiler says."""
    done = subprocess.run([*compiler, *options, "-x", "c++", "-"], input=source,
                          capture_output=True, text=True, check=False,
                          env={**os.environ, "LC_ALL": "C"})
    return None if done.returncode == 0 else done.stderr


def knows_standard(compiler, standard):
    return messages(compiler, [f"-std=c++{standard}", "-fsyntax-only"], "") is None


def options_for(standard, include):
    return [f"-std=c++{standard}", "-Wall", "-Wextra", "-I", include]


def is_clang(compiler):
    """Its major version, or None."""
    macros = subprocess.run([*compiler, "-dM", "-E", "-x", "c++", "/dev/null"],
                            capture_output=True, text=True, check=True).stdout
    found = re.search(r"__clang_major__ (\d+)", macros)
    return int(found[1]) if found else None


def prepare(folder, include, compiler):
    """Both compilers look for the precompiled form next to what is included."""
    os.makedirs(folder, exist_ok=True)
    suffix = "pch" if is_clang(compiler) else "gch"
    for standard in STANDARDS:
        path = os.path.join(folder, f"headers{standard}.hpp")
        with open(path, "w", encoding="utf-8") as file:
            file.write(HEADERS)
        if knows_standard(compiler, standard):
            subprocess.run([*compiler, *options_for(standard, include), "-x", "c++-header", path,
                            "-o", f"{path}.{suffix}"], check=True)


def check_refusal(case, folder, include, compiler):
    standard = case.get("standard", "17")
    if not knows_standard(compiler, standard):
        skip(f"{compiler[0]} does not know C++{standard}")
    if standard != "17" and messages(compiler, [f"-std=c++{standard}", "-fsyntax-only"], RANGES):
        skip(f"{compiler[0]} cannot read <ranges>")
    options = options_for(standard, include) + [
        "-fsyntax-only", "-include", os.path.join(folder, f"headers{standard}.hpp")]

    def function(line, value):
        text = (f"{case.get('given', '')}\n  static_cast<void>({case[line]});")
        if case["word"]:
            text = re.sub(rf"\b{case['word']}\b", value, text)
        return f"[[maybe_unused]] static void {line}() {{\n  {text}\n}}\n"

    good = "".join(f"namespace with{i} {{\n{function('good', value)}}}\n"
                   for i, value in enumerate(case["values"]))
    if said := messages(compiler, options, good):
        fail(f"the good lines do not compile:\n{good}\n{said}")
    for value in case["values"]:
        bad = function("bad", value)
        said = messages(compiler, options, bad)
        if said is None:
            fail(f"this compiles:\n{bad}")
        if not re.search(case["says"], said):
            fail(f"no message matches {case['says']}:\n{bad}\n{said}")


def check_warnings(standard, include, compiler):
    if not knows_standard(compiler, standard):
        skip(f"{compiler[0]} does not know C++{standard}")
    clang = is_clang(compiler)
    if clang and clang > NEWEST_CLANG:
        skip(f"clang {clang} may have new warnings: up to {NEWEST_CLANG} they are known")
    with open(os.path.join(HERE, "strict.cc"), encoding="utf-8") as file:
        source = file.read()
    # With an optimizer, which some warnings need.
    options = [f"-std=c++{standard}", "-O2", "-c", "-o", "/dev/null", "-Werror", "-I", include]
    options += CLANG_WARNINGS if clang else GNU_WARNINGS
    if said := messages(compiler, options, source):
        fail(f"warnings as C++{standard}:\n{said}")
    # The options are in force: what a header must not do is seen.
    if messages(compiler, options, source + "\nint shorten(double x) { return (int)(x); }\n") is None:
        fail("a program with warnings compiles")


def main(arguments):
    if arguments == ["--list"]:
        print("\n".join(read_cases()))
    elif len(arguments) >= 4 and arguments[0] == "--prepare":
        prepare(arguments[1], arguments[2], arguments[3:])
    elif len(arguments) >= 5 and arguments[0] == "--refuses" and arguments[1] in read_cases():
        check_refusal(read_cases()[arguments[1]], arguments[2], arguments[3], arguments[4:])
    elif len(arguments) >= 4 and arguments[0] == "--warnings":
        check_warnings(arguments[1], arguments[2], arguments[3:])
    else:
        print(__doc__, file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main(sys.argv[1:])
