"""Runs lua_bench programs in interleaved rounds and prints what they took.

run.sh calls this. A round of a workload asks every program once for a few
milliseconds of it, in an order that turns from round to round, so that a slow phase
of the machine meets all of them. A number is that of the fastest round.
"""
import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile

import tables

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import processor  # noqa: E402
import rounds  # noqa: E402


# Rounds of a kind of workload are so many times as many: the differences between fast
# hashes of new strings are small.
ROUNDS_FACTOR = {"fresh": 3}


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


class Program:
    """A running lua_bench, which is asked for one workload at a time."""

    def __init__(self, program, kernel, options):
        self.path = program
        self.errors = tempfile.TemporaryFile(mode="w+")
        self.process = subprocess.Popen(
            [program, options.workloads, str(options.milliseconds)], env=environment(kernel),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, text=True)

    def microseconds(self, workload):
        try:
            print(workload, file=self.process.stdin, flush=True)
            return float(self.process.stdout.readline())
        except (BrokenPipeError, ValueError):
            self.process.wait()
            self.errors.seek(0)
            fail(f"{self.path} failed: {self.errors.read().strip()}")

    def end(self):
        self.process.stdin.close()
        self.process.wait()


class Progress:
    """On a terminal one line that changes; elsewhere a line for each workload."""

    def __init__(self, workloads):
        self.workloads, self.terminal = workloads, sys.stderr.isatty()

    def show(self, workload):
        text = f"workload {self.workloads.index(workload) + 1} of {len(self.workloads)}: {workload}"
        if self.terminal:
            print(f"\r{text:<60}", end="", file=sys.stderr, flush=True)
        else:
            print(text, file=sys.stderr, flush=True)

    def clear(self):
        if self.terminal:
            print("\r" + " " * 60 + "\r", end="", file=sys.stderr, flush=True)


def measure(options):
    """times[workload][column] is a list with one number for each round."""
    programs = {name: Program(program, kernel, options)
                for name, program, kernel in options.column}
    names = list(programs)
    times = {w: {name: [] for name in names} for w in options.workload}
    progress = Progress(options.workload)
    for workload in options.workload:
        progress.show(workload)
        for number in range(options.rounds * ROUNDS_FACTOR.get(workload.split(":")[0], 1)):
            turn = number % len(names)
            for name in names[turn:] + names[:turn]:
                times[workload][name].append(programs[name].microseconds(workload))
    for program in programs.values():
        program.end()
    progress.clear()
    return times


def summarize(facts, times):
    """What tables.py takes."""
    return {**facts, "workloads": {
        workload: {
            name: {
                "microseconds": rounds.fastest(samples),
                "unsettled": rounds.unsettled(samples),
                "rounds": samples,
                "times_faster_than": {
                    other: rounds.fastest(columns[other]) / rounds.fastest(samples)
                    for other in columns if other != name},
            } for name, samples in columns.items()
        } for workload, columns in times.items()}}


def write_csv(path, result):
    names = list(next(iter(result["workloads"].values())))
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["processor", "compiler", "workload", "size", "hash",
                         "microseconds", "unsettled"] + ["times_faster_than_" + n for n in names])
        for workload, columns in result["workloads"].items():
            kind, size = workload.split(":")
            for name, entry in columns.items():
                writer.writerow(
                    [processor.describe(result["processor"]), result["compiler"], kind, size,
                     name, entry["microseconds"], entry["unsettled"]]
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
        lines = tables.full_table(result) + ["", tables.noise_line(result)]
        if any(workload.startswith(tables.FRESH) for workload in options.workload):
            lines += ["", *tables.align(tables.fresh_rows(result)),
                      tables.noise_line(result, tables.FRESH)]
    print("\n".join(lines))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(result, file, indent=1)
            file.write("\n")
    if options.csv:
        write_csv(options.csv, result)


if __name__ == "__main__":
    main()
