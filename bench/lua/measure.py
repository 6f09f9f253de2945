"""Runs lua_bench programs in interleaved rounds and prints what they took.

run.sh calls this. Every round runs every program once, in an order that turns
from round to round, so that a slow phase of the machine meets all of them. A
number is the median over the rounds; a ratio is the median of the rounds' own
ratios.
"""
import argparse
import csv
import json
import os
import statistics
import subprocess
import sys

import tables

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import processor  # noqa: E402


def parse_arguments():
    parser = argparse.ArgumentParser(prog="measure.py")
    parser.add_argument("--workloads", required=True)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--rounds", type=int, required=True)
    parser.add_argument("--milliseconds", type=float, required=True)
    parser.add_argument("--column", nargs=3, action="append", required=True,
                        metavar=("NAME", "PROGRAM", "KERNEL"))
    parser.add_argument("--command", help="the murmuration command, to ask for the processor")
    parser.add_argument("--first-impression", type=int, metavar="BYTES",
                        help="print what scripts/demo.sh shows of strings of that size")
    parser.add_argument("--json")
    parser.add_argument("--csv")
    parser.add_argument("workload", nargs="+")
    return parser.parse_args()


def fail(message):
    sys.exit(f"measure.py: {message}")


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


class Progress:
    """On a terminal one line that changes; elsewhere a line for each round."""

    def __init__(self, rounds):
        self.rounds, self.terminal, self.last = rounds, sys.stderr.isatty(), None

    def show(self, number, name):
        if self.terminal:
            print(f"\rround {number + 1} of {self.rounds}: {name:<20}", end="",
                  file=sys.stderr, flush=True)
        elif number != self.last:
            print(f"round {number + 1} of {self.rounds}", file=sys.stderr, flush=True)
        self.last = number

    def clear(self):
        if self.terminal:
            print("\r" + " " * 50 + "\r", end="", file=sys.stderr, flush=True)


def measure(options):
    """times[workload][column] is a list with one number for each round."""
    times = {w: {c[0]: [] for c in options.column} for w in options.workload}
    progress = Progress(options.rounds)
    for number in range(options.rounds):
        turn = number % len(options.column)
        for name, program, kernel in options.column[turn:] + options.column[:turn]:
            progress.show(number, name)
            for workload, time in run(program, kernel, options, options.workload).items():
                times[workload][name].append(time)
    progress.clear()
    return times


def spread(samples):
    """Distance of the quartiles over the median."""
    if len(samples) < 2:
        return 0.0
    low, middle, high = statistics.quantiles(samples, n=4)
    return (high - low) / middle


def summarize(facts, times):
    """What tables.py takes."""
    def ratio(columns, slower, faster):
        return statistics.median(a / b for a, b in zip(columns[slower], columns[faster]))

    return {**facts, "workloads": {
        workload: {
            name: {
                "median_us": statistics.median(samples),
                "spread": spread(samples),
                "rounds_us": samples,
                "times_faster_than": {
                    other: ratio(columns, other, name) for other in columns if other != name},
            } for name, samples in columns.items()
        } for workload, columns in times.items()}}


def write_csv(path, result):
    names = list(next(iter(result["workloads"].values())))
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["processor", "compiler", "workload", "size", "hash", "median_us",
                         "spread"] + ["times_faster_than_" + n for n in names])
        for workload, columns in result["workloads"].items():
            kind, size = workload.split(":")
            for name, entry in columns.items():
                writer.writerow(
                    [processor.describe(result["processor"]), result["compiler"], kind, size,
                     name, entry["median_us"], entry["spread"]]
                    + [entry["times_faster_than"].get(other, 1.0) for other in names])


def main():
    options = parse_arguments()
    for path in filter(None, (options.json, options.csv)):
        if not os.access(os.path.dirname(path) or ".", os.W_OK):
            fail(f"cannot write {path}")
    kernels = {name: check_kernel(program, kernel)
               for name, program, kernel in options.column if name.startswith("ours:")}
    facts = {"processor": processor.read(options.command), "kernel": next(iter(kernels.values())),
             "compiler": options.compiler, "rounds": options.rounds}
    result = summarize(facts, measure(options))
    if options.first_impression:
        lines = tables.first_impression(result, options.first_impression)
    else:
        lines = tables.full_table(result) + ["", *tables.align(tables.fresh_rows(result)),
                                             *filter(None, [tables.noise_line(result)])]
    print("\n".join(lines))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(result, file, indent=1)
            file.write("\n")
    if options.csv:
        write_csv(options.csv, result)


if __name__ == "__main__":
    main()
