#!/usr/bin/env python3
"""What a processor is: more than its name, which a hypervisor may shorten so far
that two generations share it.

usage: bench/processor.py describe|slug|march|json [MURMURATION]

  describe  one line for people
  slug      letters, digits and dashes for a file's name
  march     the compiler's flag for code with the best vectors that it has, where
            the compiler's default is less
  json      everything, as read() returns it

MURMURATION is the command of that name; `murmuration info --json` tells more than
the system does. Without it /proc/cpuinfo alone is read.
"""
import json
import platform
import re
import subprocess
import sys

VENDORS = {"GenuineIntel": "Intel", "AuthenticAMD": "AMD", "HygonGenuine": "Hygon",
           "CentaurHauls": "Centaur", "IBM/S390": "IBM", "0x41": "ARM", "0x46": "Fujitsu",
           "0x48": "HiSilicon", "0x51": "Qualcomm", "0x61": "Apple", "0xc0": "Ampere"}
# Flags that decide which kernel runs and how fast, in the order they came to x86;
# then those of ARM.
TELLING_FLAGS = ("sse2", "ssse3", "sse4_1", "sse4_2", "avx", "avx2", "bmi2", "avx512f",
                 "avx512dq", "avx512cd", "avx512bw", "avx512vl", "avx512ifma", "avx512_vbmi2",
                 "avx512_bf16", "avx512_fp16", "neon", "asimd", "sve", "sve2")
# Levels of the x86-64 psABI, best first, with what tells them apart.
X86_LEVELS = (("-march=x86-64-v4", {"avx512f", "avx512dq", "avx512cd", "avx512bw", "avx512vl"}),
              ("-march=x86-64-v3", {"avx2", "bmi2", "fma"}))


def number(text):
    """An integer as /proc/cpuinfo writes it, decimal or 0x...; None if it is none."""
    try:
        return int(text, 0)
    except (TypeError, ValueError):
        return None


def from_cpuinfo(text, architecture):
    """The facts of the first processor in a /proc/cpuinfo; None for what it lacks."""
    fields = {}
    for line in text.splitlines():
        key, colon, value = line.partition(":")
        if colon:
            fields.setdefault(key.strip().lower(), value.strip())
    vendor = fields.get("vendor_id") or fields.get("cpu implementer")
    name = (fields.get("model name") or fields.get("cpu") or fields.get("uarch")
            or fields.get("model") or "unknown")
    if "cpu part" in fields:  # ARM: implementer, architecture, part, variant and revision
        family, model = number(fields.get("cpu architecture")), number(fields["cpu part"])
        stepping = number(fields.get("cpu revision"))
    else:
        family, model = number(fields.get("cpu family")), number(fields.get("model"))
        stepping = number(fields.get("stepping"))
    flags = fields.get("flags") or fields.get("features") or fields.get("isa") or ""
    return {"name": name, "architecture": architecture, "vendor": vendor, "family": family,
            "model": model, "stepping": stepping, "microarchitecture": None,
            "flags": flags.split()}


def from_command(info):
    """The facts in what `murmuration info --json` prints; None from a command that
    knows the name alone."""
    facts = info.get("processor")
    if not isinstance(facts, dict):
        return None
    return {**from_cpuinfo("", info.get("architecture", "unknown")), **facts}


def read(command=None):
    """The facts of this machine's processor, as a dictionary for JSON."""
    if command is not None:
        output = subprocess.run([command, "info", "--json"], stdout=subprocess.PIPE,
                                check=True).stdout
        facts = from_command(json.loads(output))
        if facts is not None:
            return facts
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            text = file.read()
    except OSError:
        text = ""
    return from_cpuinfo(text, platform.machine())


def vendor_of(facts):
    return VENDORS.get(facts["vendor"], facts["vendor"]) or facts["architecture"]


def slug(facts):
    """For file names: vendor, family and model where there are such numbers, else the
    name. Small letters, digits and dashes; never empty."""
    words = [vendor_of(facts)]
    if facts["model"] is not None:
        if facts["family"] is not None:
            words.append("family%d" % facts["family"])
        words.append("model%d" % facts["model"])
    else:
        words += [facts["architecture"], facts["name"]]
    return re.sub(r"[^a-z0-9]+", "-", " ".join(words).lower()).strip("-") or "unknown"


def describe(facts):
    """One line for people, without flags."""
    numbers = ["%s %d" % (key, facts[key]) for key in ("family", "model", "stepping")
               if facts[key] is not None]
    details = [facts["microarchitecture"]] if facts["microarchitecture"] else []
    details += [" ".join(numbers)] if numbers else []
    return facts["name"] + (" (%s)" % ", ".join(details) if details else "")


def telling_flags(facts):
    """Those flags that decide which kernel runs and how fast."""
    return [flag for flag in TELLING_FLAGS if flag in facts["flags"]]


def march(facts):
    """The flag for the best vectors, or an empty string for the compiler's default."""
    if facts["architecture"] != "x86_64":
        return ""
    return next((flag for flag, wanted in X86_LEVELS if wanted <= set(facts["flags"])), "")


def main():
    actions = {"describe": describe, "slug": slug, "march": march,
               "json": lambda facts: json.dumps(facts, indent=1)}
    if len(sys.argv) == 2 and sys.argv[1] in ("-h", "--help"):
        print(__doc__.split("\n\n", 1)[1].strip())
        return 0
    if len(sys.argv) not in (2, 3) or sys.argv[1] not in actions:
        print("processor.py: one of %s is wanted (see --help)" % ", ".join(actions),
              file=sys.stderr)
        return 2
    print(actions[sys.argv[1]](read(*sys.argv[2:])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
