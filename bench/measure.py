"""Measures one part of what bench/report.sh reports and writes it as JSON:

    {"part", "processor": facts of bench/processor.py, "version", "kernels": best first,
     "rounds", "compilers", "rows": {COMPILER: {NAME: {...}}}}

of the fastest round of each row (bench/rounds.py). Parts that no compiler of ours has
to do with have {"rows": {NAME: {...}}} alone. report.sh calls this; its --help tells
what the parts are.
"""
import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import processor
import rounds

# What is measured side by side, in rounds that take turns within a second or so: one
# list of functions and modes, at each of the sizes (of a batch's keys, their lengths).
BUILD = "/[a-z0-9_]+/"
SPEED_SIZES = (16, 64, 128, 256, 512, 1000, 4096, 16384, 102400, 1 << 20, 4 << 20, 16 << 20,
               64 << 20)
XXH3_SIZES = (64, 128, 256, 300, 512, 1000, 4096, 16384, 102400, 1 << 20)
LATENCY_SIZES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 127, 128, 160, 192, 200, 224, 255,
                 256)
KEY_LENGTHS = ("4", "8", "16", "64", "1-64", "64-1024")
PARTS = {
    "speed": [("(x86_32|x86_128|x64_128|wide32|wide32_again|plain_x86_32|plain_x64_128|XXH3|XXH64)"
               + BUILD + "%s", SPEED_SIZES)],
    "latency": [("(x86_32|x64_128|wide32|XXH3|XXH64)" + BUILD + "%s", LATENCY_SIZES)],
    "xxh3": [("(wide32|wide32_again|XXH3|wide32_copy|XXH3_then_memcpy|memcpy|x86_32)" + BUILD
              + "%s", XXH3_SIZES)],
    "memory": [("(x86_32|x64_128|wide32|wide32_copy|wide32_then_memcpy|XXH3|XXH3_then_memcpy"
                "|memcpy)" + BUILD + "%s(/cold|/unaligned|/throughput)?",
                (64, 256, 1000, 4096, 102400))],
    "batches": [("batch_.*/%s", KEY_LENGTHS)],
    # Everything that differs between kernels (run-arch.sh).
    "kernels": [("(x86_32|x86_128|x64_128|wide32|wide32_copy)" + BUILD + "%s",
                 (256, 4096, 102400)), ("batch_.*/%s", KEY_LENGTHS)],
}


def fail(message):
    sys.exit("measure.py: " + message)


def run_rows(program, expression, count):
    """What Google Benchmark says of the rows of that expression, and its context."""
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        done = subprocess.run(
            [program, "--benchmark_filter=^" + expression + "$",
             "--benchmark_repetitions=%d" % count, "--benchmark_min_time=0.002",
             "--benchmark_enable_random_interleaving=true",
             "--benchmark_out=" + out.name, "--benchmark_out_format=json"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        if done.returncode != 0:
            fail("%s failed: %s" % (program, done.stderr.decode()[-500:]))
        report = json.load(out)
    return report["context"], [row for row in report["benchmarks"]
                               if row["run_type"] == "iteration"]


def summarize(samples):
    """One row out of its rounds."""
    times = [row["real_time"] for row in samples]
    best = rounds.fastest(times)
    # One clock for all rounds: each measured it, within a few percent.
    clock = statistics.median(row["clock"] for row in samples) / 1e9
    first = samples[0]
    each = "call" if "cycles_per_call" in first else "key"
    keys = first["items_per_second"] * first["real_time"] / 1e9
    byte_count = first["bytes_per_second"] * first["real_time"] / 1e9
    return {"ns": best, "median_ns": statistics.median(times),
            "unsettled": rounds.unsettled(times), "clock_ghz": clock,
            "cycles_per_" + each: best * clock / keys, "cycles_per_byte": best * clock / byte_count,
            "gigabytes_per_second": byte_count / best}


def google_benchmark(part, builds, count):
    """Facts, and rows for each compiler. The builds take turns at each size."""
    samples, contexts = [{} for _ in builds], [None] * len(builds)
    for expression, sizes in PARTS[part]:
        for size in sizes:
            print("measure.py: %s %s" % (part, size), file=sys.stderr, flush=True)
            for number, build in enumerate(builds):
                contexts[number], rows = run_rows(
                    os.path.join(build, "bench", "murmuration_bench"), expression % size, count)
                for row in rows:
                    samples[number].setdefault(row["run_name"], []).append(row)
    rows = {context["compiler"]: {name: summarize(of) for name, of in of_build.items()}
            for context, of_build in zip(contexts, samples)}
    return {"compilers": list(rows), "missing_peers": contexts[0]["missing_peers"]}, rows


# ------------------------------------------------------------------ ports

# The main loop of each wide32 kernel: the namespace of its code, and the processor
# models of llvm-mca that it may run on.
PORT_MODELS = {"sse4": ("N_SSE4", ("znver3", "skylake-avx512")),
               "avx2": ("N_AVX2", ("znver3", "skylake-avx512")),
               "avx512vl": ("avx512vl::N_AVX3", ("skylake-avx512",)),
               "avx512": ("N_AVX3", ("icelake-server",))}


def functions_of(archive):
    """(name, [(address, instruction)]) of each function in a disassembled archive."""
    listing = subprocess.run(
        ["objdump", "--disassemble", "--demangle", "--no-show-raw-insn", archive],
        stdout=subprocess.PIPE, check=True).stdout.decode()
    name, body = "", []
    for line in listing.splitlines():
        if line.endswith(">:"):
            yield name, body
            name, body = line.split("<", 1)[1], []
        elif match := re.match(r" *([0-9a-f]+):\t(.*)", line):
            body.append((int(match.group(1), 16), match.group(2).strip()))
    yield name, body


def bytes_hashed(loop):
    """How far its pointers go in a turn, if it multiplies vectors of 32-bit words; else 0."""
    if not any("pmulld" in text for text in loop):
        return 0
    steps = [int(match.group(2), 16) for text in loop
             if (match := re.match(r"(add|sub) +\$0x([0-9a-f]+),%r", text))]
    # Also 128 as minus -128, which has a shorter code.
    return max((min(step, 2 ** 64 - step) for step in steps), default=0)


def innermost_loops(body):
    """Instructions between the target of a jump backwards and the jump, without other
    such jumps in between."""
    jumps = [(int(match.group(1), 16), address) for address, text in body
             if (match := re.match(r"j\w+ +([0-9a-f]+) ", text))
             and int(match.group(1), 16) < address]
    for start, end in jumps:
        if not any(start <= other_end < end for _, other_end in jumps):
            yield [re.sub(r" *[#<].*", "", text) for address, text in body
                   if start <= address < end]


def main_loop(functions, kernel_namespace):
    """The densest one that hashes a row or more, of the functions that only hash."""
    loops = [loop for name, body in functions
             if name.startswith("murmuration::%s::" % kernel_namespace) and "Wide32" in name
             and "Copy" not in name for loop in innermost_loops(body)]
    loops = [loop for loop in loops if bytes_hashed(loop) >= 64]
    return max(loops, key=lambda loop: bytes_hashed(loop) / len(loop), default=[])


def ports(build):
    rows = {}
    functions = list(functions_of(os.path.join(build, "libmurmuration.a")))
    for kernel, (namespace, models) in PORT_MODELS.items():
        loop = main_loop(functions, namespace)
        if not loop:
            fail("no loop in the kernel " + kernel)
        for model in models:
            done = subprocess.run(
                ["llvm-mca", "-mtriple=x86_64", "-mcpu=" + model, "-iterations=1000"],
                input="\n".join(loop).encode(), stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, check=False)
            if done.returncode != 0:
                fail("llvm-mca -mcpu=%s: %s" % (model, done.stderr.decode()[:300]))
            text = done.stdout.decode()
            limit = float(re.search(r"Block RThroughput: ([0-9.]+)", text).group(1))
            cycles = float(re.search(r"Total Cycles: +(\d+)", text).group(1)) / 1000
            rows["wide32/%s/%s" % (kernel, model)] = {
                "instructions": len(loop), "bytes": bytes_hashed(loop),
                "port_limit_bytes_per_cycle": bytes_hashed(loop) / limit,
                "simulated_bytes_per_cycle": bytes_hashed(loop) / cycles}
    return {"llvm_mca": subprocess.run(["llvm-mca", "--version"], stdout=subprocess.PIPE,
                                       check=True).stdout.decode().split("version ")[1].split()[0]}, rows


# -------------------------------------------------------------------- sum

FILE_BYTES = 2 << 30


def seconds(command):
    start = time.perf_counter()
    # xxhsum writes blanks and carriage returns to stderr, wherever that goes.
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if done.returncode != 0:
        fail("%s failed: %s" % (command[0], done.stderr.decode()[-300:]))
    return time.perf_counter() - start


def sum_of_file(build, count):
    """A file that the page cache holds, read by several programs in turn."""
    free = os.statvfs(build)
    if free.f_bavail * free.f_frsize < 2 * FILE_BYTES:
        fail("sum wants 4 GB of room in " + build)
    command = os.path.join(build, "murmuration")
    with tempfile.NamedTemporaryFile(dir=build) as file:
        block = os.urandom(1 << 20)
        for _ in range(FILE_BYTES // len(block)):
            file.write(block)
        file.flush()
        programs = {"cat": ["cat", file.name]}
        for algorithm in ("wide32", "x64_128", "x86_32", "x86_128"):
            programs["sum -a " + algorithm] = [command, "sum", "-a", algorithm, file.name]
        if shutil.which("xxhsum"):
            for hash_name in ("H3", "H64"):
                programs["xxhsum -" + hash_name] = ["xxhsum", "-" + hash_name, file.name]
        else:
            print("measure.py: no xxhsum (Debian: xxhash): its rows are left out", file=sys.stderr)
        times = {name: [] for name in programs}
        for number in range(count + 1):
            for name, program in programs.items():
                elapsed = seconds(program)
                if number:  # the first round fills the cache
                    times[name].append(elapsed)
    rows = {}
    for name, samples in times.items():
        rows[name] = {
            "seconds": rounds.fastest(samples), "unsettled": rounds.unsettled(samples),
            "gigabytes_per_second": FILE_BYTES / 1e9 / rounds.fastest(samples),
            "speed_of_cat": rounds.fastest(times["cat"]) / rounds.fastest(samples)}
    return {"bytes": FILE_BYTES}, rows


def main():
    parser = argparse.ArgumentParser(prog="measure.py")
    parser.add_argument("part", choices=[*PARTS, "ports", "sum"])
    parser.add_argument("--build", action="append", required=True,
                        help="a build folder; the first has the murmuration command")
    parser.add_argument("--rounds", type=int, required=True)
    parser.add_argument("--json", required=True)
    options = parser.parse_args()
    build = options.build[0]
    if options.part == "ports":
        facts, rows = ports(build)
    elif options.part == "sum":
        facts, rows = sum_of_file(build, options.rounds)
    else:
        facts, rows = google_benchmark(options.part, options.build, options.rounds)
    command = os.path.join(build, "murmuration")
    info = json.loads(subprocess.run([command, "info", "--json"], stdout=subprocess.PIPE,
                                     check=True).stdout)
    with open(options.json, "w", encoding="utf-8") as file:
        json.dump({"part": options.part, "processor": processor.read(command),
                   "version": info["version"],
                   "kernels": [k["name"] for k in info["kernels"] if k["supported"]],
                   "rounds": options.rounds, **facts, "rows": rows}, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
