#!/usr/bin/env python3
"""Checks that anyone can link libmurmuration.a.

Every global symbol begins with mmr3_ (with --plain: or is hidden, and of C++);
nothing is wanted from outside but the C library's own functions; there are no static constructors; and instructions
that not every processor has are found in the kernels that own them alone. With
--objects, what a note says of them all it says of the archive. With --slow-lea, no
product by five is made slowly.
Exit status: 0 when all is well, 1 with one line for each finding, 2 for wrong
usage or a tool that fails.
"""
import argparse
import collections
import re
import shlex
import subprocess
import sys

# What a C compiler links by itself: the C library, names of the linker's own,
# and what its run-time library computes where the processor has no instruction.
LIBC = set("""
    __assert_fail __errno_location __memcpy_chk __memmove_chk
    __memset_chk __stack_chk_fail __stack_chk_fail_local __stack_chk_guard
    getauxval getenv getrandom memcmp memcpy memmove memset secure_getenv strcmp
    strlen
    _GLOBAL_OFFSET_TABLE_ .TOC.
    __aeabi_unwind_cpp_pr0 __aeabi_unwind_cpp_pr1
    __clzdi2 __clzsi2 __ctzdi2 __ctzsi2
""".split())
# Run-time libraries of -fsanitize and --coverage.
INSTRUMENTATION = re.compile(
    r"__(asan|ubsan|sanitizer|msan|tsan|lsan|gcov|llvm_profile)_")

# Kernels by the namespace in their symbols, and what only they may hold.
OWNERS = {
    "sse4": {"N_SSE4", "N_AVX2", "N_AVX3"},
    "vex": {"N_AVX2", "N_AVX3"},
    "evex": {"N_AVX3"},
    "neon": {"N_NEON", "N_NEON_WITHOUT_AES", "N_NEON_BF16"},
    "sve": {"N_SVE", "N_SVE2", "N_SVE_256", "N_SVE2_128"},
    "optional": set(),
}
# What a compiler defines that may use a class of instructions everywhere.
EVERYWHERE = {
    "sse4": {"__SSSE3__"},
    "vex": {"__AVX__", "__BMI__"},
    "evex": {"__AVX512F__"},
    "neon": {"__ARM_NEON"},
    "sve": {"__ARM_FEATURE_SVE"},
    "optional": {"__ARM_FEATURE_AES", "__ARM_FEATURE_ATOMICS", "__ARM_FEATURE_CRC32"},
}


def allowed_everywhere(compiler):
    """The classes that the flags of a compiler ask for."""
    macros = run(*shlex.split(compiler), "-dM", "-E", "-x", "c++", "/dev/null")
    defined = set(re.findall(r"^#define (\w+)", macros, re.M))
    return {kind for kind, names in EVERYWHERE.items() if names & defined}


def namespaces(function):
    """The kernels' namespaces in a mangled name, where lengths precede names."""
    return {function[length.end():length.end() + int(length[0])]
            for length in re.finditer(r"\d+(?=N_)", function)}


X86_PREFIXES = {0x26, 0x2E, 0x36, 0x3E, 0x64, 0x65, 0x66, 0x67, 0xF0, 0xF2, 0xF3}


def x86_class(code, mnemonic, operands):
    """The class of an instruction by its bytes."""
    at = 0
    while at < len(code) and code[at] in X86_PREFIXES:
        at += 1
    rest = code[at:]
    if not rest:
        return None
    # Their old meanings (LDS, LES, BOUND) are written by no compiler.
    if rest[0] in (0xC4, 0xC5):
        return "vex"
    if rest[0] == 0x62:
        return "evex"
    if rest[0] & 0xF0 == 0x40:  # a REX prefix; INC or DEC on 32 bits
        rest = rest[1:] if len(rest) > 1 and rest[1] == 0x0F else rest
    # Everything that SSSE3 and later brought, but CRC32 and POPCNT.
    if rest[:2] in (b"\x0f\x38", b"\x0f\x3a"):
        return "sse4"
    if mnemonic in ("popcnt", "lzcnt"):
        return "sse4"
    return None


# x * 5 in one lea, which takes twice as long from these two registers: they
# cannot begin an address without a constant (include/murmuration_x86_32.h).
SLOW_LEA = re.compile(r"0x0\(%(?:rbp|ebp),%(?:rbp|ebp),4\)|0x0\(%r13d?,%r13d?,4\)")

ARM_OPTIONAL = re.compile(r"(aes|sha\d|pmull|crc32|bcax|eor3|rax1|xar|sm3|sm4)")
ARM_ATOMICS = re.compile(r"(cas|casp|ldadd|ldset|ldclr|ldeor|swp)(a|l|al)?[bh]?$")


def aarch64_class(code, mnemonic, operands):
    if ARM_OPTIONAL.match(mnemonic) or ARM_ATOMICS.match(mnemonic):
        return "optional"
    if re.search(r"\b[zp]\d+\.[bhsdq]", operands):
        return "sve"
    return None


def arm_class(code, mnemonic, operands):
    name = mnemonic.split(".")[0]
    if ARM_OPTIONAL.match(mnemonic) or mnemonic == "vmull.p64":
        return "optional"
    if re.search(r"\bq\d+\b", operands) or re.match(r"v(ld|st)[1-4]$", name):
        return "neon"
    # Scalar floating point has moves and conversions, and no integer lanes.
    if re.match(r"v(?!cvt|mov|ldr|str|push|pop|ldm|stm).*\.[iusp]?(8|16|32|64)$",
                mnemonic):
        return "neon"
    return None


def run(*command):
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        fail(f"cannot run {command[0]}: {error.strerror}")
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or ["no message"]
        fail(f"{command[0]} fails: {lines[-1]}")
    return done.stdout


def fail(message):
    print(f"check_archive.py: {message}", file=sys.stderr)
    sys.exit(2)


def symbols(nm, archive, *options):
    for line in run(nm, "--format=posix", *options, archive).splitlines():
        fields = line.split()
        if len(fields) >= 2 and not line.endswith(":"):
            yield fields[0], fields[1]


def hidden_symbols(objdump, archive):
    """Names of C++ that an object defines, for the others of the archive alone."""
    return set(re.findall(r" \.hidden (_Z\S+)$", run(objdump, "--syms", "--wide", archive),
                          re.M))


def notes(readelf, file):
    """For each object in a file what its notes say: names of sections, and properties
    such as "x86 feature: IBT"."""
    members = re.split(r"^File: .*$", run(readelf, "--notes", "--section-headers",
                                          "--wide", file), flags=re.M)
    for member in members:
        found = set(re.findall(r"\] (\.note\S*) ", member))
        for kind, values in re.findall(r"(?:Properties:|^) +([\w ]*(?:feature|ISA)[\w ]*): (.*)$",
                                       member, re.M):
            found |= {f"{kind}: {value}" for value in re.split(r",\s*", values.strip())}
        if "Section Headers" in member:
            yield found


def instructions(objdump, archive):
    """Yields (function, bytes, mnemonic, operands)."""
    function = "?"
    for line in run(objdump, "--disassemble", "--wide", archive).splitlines():
        label = re.match(r"^[0-9a-f]+ <(.*)>:$", line)
        if label:
            # Marks of the ARM ABI and of the assembler are no functions.
            if not re.match(r"[$.]", label[1]):
                function = label[1]
            continue
        fields = line.split("\t")
        if len(fields) < 3 or not re.match(r"^ *[0-9a-f]+:$", fields[0]):
            continue
        code = bytes.fromhex("".join(fields[1].split()))
        words = fields[2].split(None, 1)
        # Prefixes that objdump writes as words of their own.
        while len(words) == 2 and words[0] in ("rep", "repz", "repnz", "lock",
                                               "notrack", "bnd", "data16", "cs"):
            words = words[1].split(None, 1)
        operands = fields[3] if len(fields) > 3 else "".join(words[1:])
        yield function, code, words[0] if words else "", operands


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--nm", default="nm", help="the target's nm")
    parser.add_argument("--objdump", default="objdump",
                        help="the target's GNU objdump")
    parser.add_argument("--compiler", metavar="COMMAND",
                        help="compiler and flags of the build: instructions that "
                             "these flags ask for are allowed everywhere")
    parser.add_argument("--objects", nargs="+", default=[], metavar="OBJECT",
                        help="what the archive was made of")
    parser.add_argument("--readelf", default="readelf", help="the target's readelf")
    parser.add_argument("--instrumented", action="store_true",
                        help="built with -fsanitize or --coverage: their "
                             "symbols and constructors are allowed")
    parser.add_argument("--plain", action="store_true",
                        help="not linked in part (MURMURATION_PARTIAL_LINK=OFF)")
    parser.add_argument("--slow-lea", action="store_true",
                        help="find products by five that take an lea of three "
                             "terms (x86)")
    parser.add_argument("archive")
    options = parser.parse_args()

    findings = []
    exported = 0
    hidden = hidden_symbols(options.objdump, options.archive) if options.plain else set()
    for name, kind in symbols(options.nm, options.archive, "-g", "--defined-only"):
        if name in hidden:
            continue
        exported += 1
        if not name.startswith("mmr3_"):
            findings.append(f"global symbol {name} ({kind}) lacks the prefix mmr3_")
    for name, kind in symbols(options.nm, options.archive, "-u"):
        if name in LIBC or name in hidden or name.startswith("mmr3_"):
            continue
        if options.instrumented and INSTRUMENTATION.match(name):
            continue
        findings.append(f"undefined symbol {name} is not of the C library")

    if options.objects:
        of_all = set.intersection(*(found for file in options.objects
                                    for found in notes(options.readelf, file)))
        for found in notes(options.readelf, options.archive):
            for note in sorted(of_all - found):
                findings.append(f"lacks what all its objects have: {note}")

    headers = run(options.objdump, "--section-headers", "--wide", options.archive)
    for section in re.findall(r"^ *\d+ (\.(?:init_array|ctors|preinit_array)\S*)",
                              headers, re.M):
        if not options.instrumented:
            findings.append(f"section {section}: a static constructor")

    form = re.search(r"file format (\S+)", headers)
    form = form[1] if form else "unknown"
    classify = (x86_class if "x86-64" in form or "i386" in form else
                aarch64_class if "aarch64" in form else
                arm_class if "littlearm" in form else None)
    everywhere = allowed_everywhere(options.compiler) if options.compiler else set()
    counted = collections.Counter()
    leaks = {}
    total = 0
    for function, code, mnemonic, operands in instructions(options.objdump,
                                                           options.archive):
        total += 1
        if options.slow_lea and mnemonic == "lea" and SLOW_LEA.match(operands):
            leaks.setdefault((function, "slow"), f"{mnemonic} {operands}")
        kind = classify(code, mnemonic, operands) if classify else None
        if kind is None or kind in everywhere:
            continue
        if namespaces(function) & OWNERS[kind]:
            counted[kind] += 1
        else:
            leaks.setdefault((function, kind), f"{mnemonic} {operands}")
    for (function, kind), example in leaks.items():
        findings.append(f"{kind} instruction in {function}: {example}")
    if exported == 0 or total == 0:
        fail(f"{options.archive} holds no symbols or no instructions")

    for finding in findings:
        print(f"{options.archive}: {finding}")
    owned = ", ".join(f"{n} {kind}" for kind, n in sorted(counted.items()))
    print(f"{form}: {exported} global symbols, {total} instructions"
          f"{' (in their kernels: ' + owned + ')' if owned else ''}, "
          f"{len(findings)} findings")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
