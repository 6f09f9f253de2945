"""Runs attack_bench in interleaved rounds and prints what colliding strings cost.

attack.sh calls this. The ratios are medians of the rounds' own ratios. Without a
secret, the time of colliding strings grows with the square of their number: above
--slow-count they are measured once.
"""
import argparse
import csv
import platform
import statistics
import subprocess
import sys

COLUMNS = [("random", "none"), ("colliding", "none"), ("random", "random"),
           ("colliding", "random")]
NAMES = {("random", "none"): "no secret, random",
         ("colliding", "none"): "no secret, colliding",
         ("random", "random"): "secret, random",
         ("colliding", "random"): "secret, colliding"}


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.machine()


def run(program, workload, column, count):
    strings, secret = column
    result = subprocess.run([program, workload, strings, str(count), secret],
                            capture_output=True, text=True, timeout=600)
    if result.returncode != 0:
        sys.exit(f"attack.py: {program} failed: {result.stderr.strip()}")
    return float(result.stdout)


def measure(options, workload, count):
    """times[column] is a list with one number for each round."""
    times = {column: [] for column in COLUMNS}
    for number in range(options.rounds):
        turn = number % len(COLUMNS)
        for column in COLUMNS[turn:] + COLUMNS[:turn]:
            slow = column == ("colliding", "none") and count > options.slow_count
            if not (slow and times[column]):
                times[column].append(run(options.program, workload, column, count))
    return times


def main():
    parser = argparse.ArgumentParser(prog="attack.py")
    parser.add_argument("--program", required=True)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--rounds", type=int, required=True)
    parser.add_argument("--slow-count", type=int, default=8192)
    parser.add_argument("--csv")
    parser.add_argument("count", type=int, nargs="+")
    options = parser.parse_args()
    rows = []
    print("Lua 5.1.5 with Murmuration: milliseconds for strings of 128 bytes")
    print(f"processor {processor()}; {options.compiler}; median of {options.rounds} rounds")
    print("colliding / random: with a secret")
    print()
    print("workload  strings" + "".join(f"  {NAMES[c]:>20}" for c in COLUMNS)
          + "  colliding / random")
    for workload in ("keys", "cjson"):
        for count in options.count:
            times = measure(options, workload, count)
            medians = [statistics.median(times[c]) for c in COLUMNS]
            ratio = statistics.median(
                a / b for a, b in zip(times["colliding", "random"], times["random", "random"]))
            print(f"{workload:<8}  {count:>7}" + "".join(f"  {m:>20.4g}" for m in medians)
                  + f"  {ratio:>18.3f}", flush=True)
            rows.append([workload, count, *medians, ratio])
    if options.csv:
        with open(options.csv, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["workload", "strings"] + [NAMES[c] + " (ms)" for c in COLUMNS]
                            + ["colliding / random with a secret"])
            writer.writerows(rows)


if __name__ == "__main__":
    main()
