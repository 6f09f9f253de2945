"""What strings that were made to collide cost a server, with and without a secret.

run.sh calls this. The strings come in as arguments of a script that stores under
them in a table, or as keys of a JSON object that the script decodes. The time is
the server's own, of the one EVAL: so long it answers nobody else.
"""
import argparse
import os
import subprocess
import sys

import results
import servers as s

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import attack_rounds  # noqa: E402

LENGTH = 128
SCRIPTS = {
    "keys": "for i, name in ipairs(ARGV) do t[name] = i end",
    "cjson": "t = cjson.decode(ARGV[1])",
}
COUNT = "local t = {} %s local n = 0 for _ in pairs(t) do n = n + 1 end return n"
# Which server has which secret.
SERVER = {"none": "murmuration", "random": "murmuration-secret"}


def parse_arguments():
    parser = argparse.ArgumentParser(prog="attack.py")
    parser.add_argument("--variant", nargs=2, action="append", required=True,
                        metavar=("NAME", "FOLDER"))
    parser.add_argument("--input", required=True, help="the program attack_input")
    parser.add_argument("--rounds", type=int, required=True)
    parser.add_argument("--slow-count", type=int, default=8192)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--server", required=True)
    parser.add_argument("--output", required=True, help="results go to OUTPUT.{md,json}")
    parser.add_argument("--json")
    parser.add_argument("count", type=int, nargs="+")
    return parser.parse_args()


def script_arguments(program, workload, strings, count):
    """ARGV of the script."""
    data = subprocess.run([program, workload, strings, str(count)],
                          check=True, capture_output=True).stdout
    if workload == "cjson":
        return [data]
    return [data[at:at + LENGTH] for at in range(0, len(data), LENGTH)]


def milliseconds(server, workload, arguments, count):
    """One script, in a Lua that has none of the strings yet."""
    with server.client() as client:
        client.command("SCRIPT", "FLUSH", "SYNC")
        client.command("CONFIG", "RESETSTAT")
        found = client.command("EVAL", COUNT % SCRIPTS[workload], 0, *arguments)
        statistics = client.info("commandstats")["cmdstat_eval"]
    if found != count:
        s.fail(f"server {server.name} found {found} of {count} strings")
    fields = dict(field.split("=") for field in statistics.split(","))
    return int(fields["usec"]) / 1000


def measure(options):
    rows = []
    with s.Servers() as group:
        cpu = s.two_cores()[0]
        running = {name: group.start(name, os.path.join(folder, "tree"), cpu=cpu)
                   for name, folder in options.variant}
        for workload in SCRIPTS:
            for count in options.count:
                arguments = {strings: script_arguments(options.input, workload, strings, count)
                             for strings in ("random", "colliding")}

                def run(_, column, __):
                    strings, secret = column
                    return milliseconds(running[SERVER[secret]], workload, arguments[strings],
                                        count)
                rows.append(attack_rounds.measure(run, workload, count, options.rounds,
                                                  options.slow_count))
                s.progress(f"{workload}, {count} strings: measured")
    return rows


def main():
    options = parse_arguments()
    rows = measure(options)
    facts = {**s.machine(), "compiler": options.compiler}
    columns = list(attack_rounds.NAMES.values())
    table = [["", "strings", *columns, attack_rounds.RATIO]]
    for row in rows:
        name = {"keys": "table keys", "cjson": "cjson.decode"}[row["workload"]]
        table.append([name, str(row["strings"]), *(f"{row[c]:.3g}" if row[c] < 1000
                                                   else f"{row[c]:.0f}" for c in columns),
                      f"{row[attack_rounds.RATIO]:.2f}"])
    text = "\n".join([
        f"# {options.server}: milliseconds of a script that gets prepared strings",
        "",
        s.machine_line(facts),
        f"- strings of {LENGTH} bytes; medians of {options.rounds} rounds, without a secret "
        f"above {options.slow_count} colliding strings one round",
        "- the server's own time of one EVAL; Lua's state is new for every script",
        "",
        *results.align(table),
    ]) + "\n"
    results.publish(options.output, options.json, text, {
        "rounds": options.rounds, "server": options.server, **facts, "unit": "ms", "rows": rows})
    s.progress(f"written: {options.output}.md and .json")


if __name__ == "__main__":
    s.run(main)
