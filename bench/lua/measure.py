"""Runs lua_bench programs in interleaved rounds and prints one table.

run.sh calls this. Every round runs every program once, in an order that turns
from round to round, so that a slow phase of the machine meets all of them. A
number is the median over the rounds; a ratio is the median of the rounds' own
ratios.
"""
import argparse
import csv
import json
import os
import platform
import statistics
import subprocess
import sys


def parse_arguments():
    parser = argparse.ArgumentParser(prog="measure.py")
    parser.add_argument("--workloads", required=True)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--rounds", type=int, required=True)
    parser.add_argument("--milliseconds", type=float, required=True)
    parser.add_argument("--column", nargs=3, action="append", required=True,
                        metavar=("NAME", "PROGRAM", "KERNEL"))
    parser.add_argument("--json")
    parser.add_argument("--csv")
    parser.add_argument("workload", nargs="+")
    return parser.parse_args()


def fail(message):
    sys.exit(f"measure.py: {message}")


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                if line.startswith(("model name", "Model")):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.machine()


def environment(kernel):
    env = dict(os.environ)
    env.pop("MURMURATION_KERNEL", None)
    if kernel:
        env["MURMURATION_KERNEL"] = kernel
    return env


def check_kernel(program, kernel):
    active = subprocess.run([program, "--kernel"], env=environment(kernel), check=True,
                            capture_output=True, text=True).stdout.strip()
    if kernel and active != kernel:
        fail(f"{program} runs kernel {active}, not {kernel}")
    return active


def run(program, kernel, options, workloads):
    """Microseconds by workload."""
    result = subprocess.run(
        [program, options.workloads, str(options.milliseconds), *workloads],
        env=environment(kernel), capture_output=True, text=True, timeout=600)
    if result.returncode != 0:
        fail(f"{program} failed: {result.stderr.strip()}")
    return {name: float(time) for name, time in map(str.split, result.stdout.splitlines())}


def measure(options):
    """times[workload][column] is a list with one number for each round."""
    times = {w: {c[0]: [] for c in options.column} for w in options.workload}
    for number in range(options.rounds):
        turn = number % len(options.column)
        for name, program, kernel in options.column[turn:] + options.column[:turn]:
            print(f"\rround {number + 1} of {options.rounds}: {name:<20}", end="",
                  file=sys.stderr, flush=True)
            for workload, time in run(program, kernel, options, options.workload).items():
                times[workload][name].append(time)
    print("\r" + " " * 50 + "\r", end="", file=sys.stderr)
    return times


def spread(samples):
    """Distance of the quartiles over the median."""
    if len(samples) < 2:
        return 0.0
    low, middle, high = statistics.quantiles(samples, n=4)
    return (high - low) / middle


def ratio(columns, slower, faster):
    """How many times faster `faster` is, by rounds."""
    return statistics.median(a / b for a, b in zip(columns[slower], columns[faster]))


def print_table(times, best, others):
    kernels = [c for c in next(iter(times.values())) if c not in others]
    names = others + kernels
    header = ["microseconds"] + names + ["spread"] + ["x " + o for o in others]
    rows = [header]
    for workload, columns in times.items():
        rows.append(
            [workload]
            + ["%.4g" % statistics.median(columns[n]) for n in names]
            + ["%.0f%%" % (100 * max(spread(columns[n]) for n in names))]
            + ["%.2f" % ratio(columns, other, best) for other in others])
    widths = [max(len(row[i]) for row in rows) for i in range(len(header))]
    for row in rows:
        print("  ".join(cell.ljust(w) if i == 0 else cell.rjust(w)
                        for i, (cell, w) in enumerate(zip(row, widths))).rstrip())


def write_json(path, facts, times):
    workloads = {
        workload: {
            name: {
                "median_us": statistics.median(samples),
                "spread": spread(samples),
                "rounds_us": samples,
                "times_faster_than": {
                    other: ratio(columns, other, name) for other in columns if other != name},
            } for name, samples in columns.items()
        } for workload, columns in times.items()}
    with open(path, "w", encoding="utf-8") as file:
        json.dump({**facts, "workloads": workloads}, file, indent=1)
        file.write("\n")


def write_csv(path, facts, times):
    names = list(next(iter(times.values())))
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["processor", "compiler", "workload", "size", "hash", "median_us",
                         "spread"] + ["times_faster_than_" + n for n in names])
        for workload, columns in times.items():
            kind, size = workload.split(":")
            for name, samples in columns.items():
                writer.writerow(
                    [facts["processor"], facts["compiler"], kind, size, name,
                     statistics.median(samples), spread(samples)]
                    + [ratio(columns, other, name) for other in names])


def main():
    options = parse_arguments()
    for path in filter(None, (options.json, options.csv)):
        if not os.access(os.path.dirname(path) or ".", os.W_OK):
            fail(f"cannot write {path}")
    ours = [c for c in options.column if c[0].startswith("ours:")]
    others = [c[0] for c in options.column if c not in ours]
    for _, program, kernel in ours:
        check_kernel(program, kernel)
    best_name, best_program, _ = ours[0]
    facts = {
        "processor": processor(),
        "kernel": check_kernel(best_program, ""),
        "compiler": options.compiler,
        "rounds": options.rounds,
    }
    times = measure(options)
    print("Lua 5.1.5: microseconds an operation, by string hash")
    print(f"processor {facts['processor']}; best kernel {facts['kernel']}; "
          f"{facts['compiler']}; median of {facts['rounds']} rounds")
    print(f"x NAME: how many times faster than NAME {best_name} is; "
          "spread: largest distance of the quartiles")
    print()
    print_table(times, best_name, others)
    if options.json:
        write_json(options.json, facts, times)
    if options.csv:
        write_csv(options.csv, facts, times)


if __name__ == "__main__":
    main()
