"""Measures one part of what bench/report.sh reports and writes it as JSON:

    {"part", "processor", "compiler", "version", "kernel", "rounds",
     "rows": {NAME: {...medians...}}}

report.sh calls this; its --help tells what the parts are.
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

ONE = "(x86_32|x86_128|x64_128|wide32|plain_x86_32|plain_x64_128|XXH3|XXH64)/[a-z0-9]+/"
FILTERS = {
    "speed": ONE + "(16|64|128|256|512|1000|4096|16384|102400|1048576|4194304|16777216|67108864)",
    "latency": "(x86_32|x64_128|wide32|XXH3|XXH64)/[a-z0-9]+/"
               "([1-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-6])",
    "memory": "(x86_32|x64_128|wide32|wide32_copy|wide32_then_memcpy|XXH3)/[a-z0-9]+/"
              "(64|256|1000|4096|102400)(/cold|/unaligned|/throughput)?",
    "batches": "batch_.*",
    # Everything that differs between kernels (run-arch.sh).
    "kernels": "((x86_32|x86_128|x64_128|wide32|wide32_copy)/[a-z0-9]+/(256|4096|102400)"
               "|batch_.*)",
}


def fail(message):
    sys.exit("measure.py: " + message)


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            if line.startswith(("model name", "Model")):
                return line.split(":", 1)[1].strip()
    return os.uname().machine


def google_benchmark(part, build, rounds):
    """Facts, and rows of the medians over interleaved rounds."""
    program = os.path.join(build, "bench", "murmuration_bench")
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        done = subprocess.run(
            [program, "--benchmark_filter=^" + FILTERS[part] + "$",
             "--benchmark_repetitions=%d" % rounds, "--benchmark_min_time=0.01",
             "--benchmark_enable_random_interleaving=true",
             "--benchmark_report_aggregates_only=true",
             "--benchmark_out=" + out.name, "--benchmark_out_format=json"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        if done.returncode != 0:
            fail("%s failed: %s" % (program, done.stderr.decode()[-500:]))
        report = json.load(out)
    rows = {}
    for row in report["benchmarks"]:
        if row["aggregate_name"] == "median":
            each = "cycles_per_call" if "cycles_per_call" in row else "cycles_per_key"
            rows[row["run_name"]] = {
                "ns": row["real_time"], "cycles_per_byte": row["cycles_per_byte"],
                each: row[each], "gigabytes_per_second": row["bytes_per_second"] / 1e9,
                "clock_ghz": row["clock"] / 1e9}
        elif row["aggregate_name"] == "cv":
            rows[row["run_name"]]["spread"] = row["real_time"]
    context = report["context"]
    return {"compiler": context["compiler"], "missing_peers": context["missing_peers"]}, rows


# ------------------------------------------------------------------ ports

# The loop over stripes of each wide32 kernel, by the processor models of
# llvm-mca that have its instructions.
PORT_MODELS = {
    "sse4": ("znver3", "skylake-avx512"),
    "avx2": ("znver3", "skylake-avx512"),
    "avx512": ("skylake-avx512", "icelake-server"),
}
NAMESPACES = {"sse4": "N_SSE4", "avx2": "N_AVX2", "avx512": "N_AVX3"}
STRIPE = 128
# Two for each vector of a stripe.
MULTIPLICATIONS = {"sse4": 16, "avx2": 8, "avx512": 8}


def stripe_loop(archive, kernel):
    """The instructions of wide32's loop: the shortest with all of a stripe's
    multiplications."""
    listing = subprocess.run(
        ["objdump", "--disassemble", "--demangle", "--no-show-raw-insn", archive],
        stdout=subprocess.PIPE, check=True).stdout.decode()
    head = re.compile(r"<murmuration::%s::Wide32\(void const\*" % NAMESPACES[kernel])
    body, inside = [], False
    for line in listing.splitlines():
        if line.endswith(">:"):
            inside = bool(head.search(line))
        elif inside and (match := re.match(r" *([0-9a-f]+):\t(.*)", line)):
            body.append((int(match.group(1), 16), match.group(2).strip()))
    best = []
    for address, text in body:
        jump = re.match(r"j\w+ +([0-9a-f]+) ", text)
        if jump and int(jump.group(1), 16) < address:
            start = int(jump.group(1), 16)
            loop = [t for a, t in body if start <= a < address]
            count = sum("pmulld" in t for t in loop)
            if count >= MULTIPLICATIONS[kernel] and (not best or len(loop) < len(best)):
                best = loop
    return [re.sub(r" *[#<].*", "", text) for text in best]


def ports(build):
    rows = {}
    for kernel, models in PORT_MODELS.items():
        loop = stripe_loop(os.path.join(build, "libmurmuration.a"), kernel)
        if not loop:
            fail("no loop over stripes in the kernel " + kernel)
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
                "instructions": len(loop), "port_limit_bytes_per_cycle": STRIPE / limit,
                "simulated_bytes_per_cycle": STRIPE / cycles}
    return {"llvm_mca": subprocess.run(["llvm-mca", "--version"], stdout=subprocess.PIPE,
                                       check=True).stdout.decode().split("version ")[1].split()[0]}, rows


# -------------------------------------------------------------------- sum

FILE_BYTES = 4 << 30


def seconds(command):
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def sum_of_file(build, rounds):
    """A file that the page cache holds, read by several programs in turn."""
    free = os.statvfs(build)
    if free.f_bavail * free.f_frsize < 2 * FILE_BYTES:
        fail("sum wants 8 GB of room in " + build)
    command = os.path.join(build, "murmuration")
    with tempfile.NamedTemporaryFile(dir=build) as file:
        block = os.urandom(1 << 20)
        for _ in range(FILE_BYTES // len(block)):
            file.write(block)
        file.flush()
        programs = {"cat": ["cat", file.name]}
        for algorithm in ("wide32", "x64_128", "x86_32", "x86_128"):
            programs["sum -a " + algorithm] = [command, "sum", "-a", algorithm, file.name]
        for hash_name in ("H3", "H64"):
            programs["xxhsum -" + hash_name] = ["xxhsum", "-" + hash_name, file.name]
        times = {name: [] for name in programs}
        for number in range(rounds + 1):
            for name, program in programs.items():
                elapsed = seconds(program)
                if number:  # the first round fills the cache
                    times[name].append(elapsed)
    rows = {}
    for name, samples in times.items():
        rows[name] = {
            "seconds": statistics.median(samples),
            "gigabytes_per_second": FILE_BYTES / 1e9 / statistics.median(samples),
            "speed_of_cat": statistics.median(c / s for c, s in zip(times["cat"], samples))}
    return {"bytes": FILE_BYTES}, rows


def main():
    parser = argparse.ArgumentParser(prog="measure.py")
    parser.add_argument("part", choices=[*FILTERS, "ports", "sum"])
    parser.add_argument("--build", required=True)
    parser.add_argument("--rounds", type=int, required=True)
    parser.add_argument("--json", required=True)
    options = parser.parse_args()
    if options.part == "ports":
        facts, rows = ports(options.build)
    elif options.part == "sum":
        facts, rows = sum_of_file(options.build, options.rounds)
    else:
        facts, rows = google_benchmark(options.part, options.build, options.rounds)
    info = json.loads(subprocess.run(
        [os.path.join(options.build, "murmuration"), "info", "--json"],
        stdout=subprocess.PIPE, check=True).stdout)
    with open(options.json, "w", encoding="utf-8") as file:
        json.dump({"part": options.part, "processor": processor(), "version": info["version"],
                   "kernels": [k["name"] for k in info["kernels"] if k["supported"]],
                   "rounds": options.rounds, **facts, "rows": rows}, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
