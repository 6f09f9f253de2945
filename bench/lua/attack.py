"""Runs attack_bench in interleaved rounds and prints what colliding strings cost.

attack.sh calls this.
"""
import argparse
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import attack_rounds  # noqa: E402
import processor  # noqa: E402


def main():
    parser = argparse.ArgumentParser(prog="attack.py")
    parser.add_argument("--program", required=True)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--rounds", type=int, required=True)
    parser.add_argument("--slow-count", type=int, default=8192)
    parser.add_argument("--csv", required=True)
    parser.add_argument("count", type=int, nargs="+")
    options = parser.parse_args()

    def run(workload, column, count):
        strings, secret = column
        result = subprocess.run([options.program, workload, strings, str(count), secret],
                                capture_output=True, text=True, timeout=600)
        if result.returncode != 0:
            sys.exit(f"attack.py: {options.program} failed: {result.stderr.strip()}")
        return float(result.stdout)

    print("Lua 5.1.5 with Murmuration: milliseconds for strings of 128 bytes")
    print(f"{processor.describe(processor.read())}; {options.compiler}; median of {options.rounds} rounds")
    print("colliding / random: with a secret")
    print()
    print("workload  strings" + "".join(f"  {name:>20}" for name in attack_rounds.NAMES.values())
          + "  colliding / random")
    rows = []
    for workload in ("keys", "cjson"):
        for count in options.count:
            row = attack_rounds.measure(run, workload, count, options.rounds, options.slow_count)
            print(f"{workload:<8}  {count:>7}"
                  + "".join(f"  {row[name]:>20.4g}" for name in attack_rounds.NAMES.values())
                  + f"  {row[attack_rounds.RATIO]:>18.3f}", flush=True)
            rows.append(row)
    attack_rounds.write_csv(options.csv, rows)


if __name__ == "__main__":
    main()
