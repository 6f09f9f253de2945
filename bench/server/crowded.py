"""KEYS in a script over many long names that are nearly the same.

run.sh calls this. The names are of the kind that Redis issue 8077 reported: a
long common prefix, a network address, a long common end. A hash that samples
about 32 bytes of a name sees little of the address, so that the names crowd in
a few chains of Lua's string table.
"""
import argparse
import os
import statistics
import time

import results
import servers as s

FILL = """
    for i = 0, tonumber(ARGV[1]) - 1 do
      local address = string.format("%d.%d.%d.%d", 1 + math.floor(i / 16777216),
        math.floor(i / 65536) % 256, math.floor(i / 256) % 256, i % 256)
      redis.call("SET", ARGV[2] .. '{"dest":"' .. address ..
        '/32","switch_id":"oid:0x21000000000000","vr":"oid:0x3000000000022"}', "")
    end"""
PREFIX = "TEMP_ASIC_STATE:SAI_OBJECT_TYPE_ROUTE_ENTRY:"
SCRIPT = 'return #redis.call("KEYS", ARGV[1])'
BASELINE = "sampling"
# Redis issue 8077, on its author's machine: sampling, and every byte up to 128.
PUBLISHED = {"sampling": 28.979, "every byte below 128": 0.547}


def parse_arguments():
    parser = argparse.ArgumentParser(prog="crowded.py")
    parser.add_argument("--variant", nargs=2, action="append", required=True,
                        metavar=("NAME", "FOLDER"))
    parser.add_argument("--keys", type=int, required=True)
    parser.add_argument("--rounds", type=int, required=True)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--server", required=True)
    parser.add_argument("--output", required=True, help="results go to OUTPUT.{md,json}")
    parser.add_argument("--json")
    return parser.parse_args()


def measure_once(server, keys):
    """Seconds of one script, in a Lua that has none of the strings yet."""
    with server.client() as client:
        client.command("SCRIPT", "FLUSH", "SYNC")
        start = time.perf_counter()
        found = client.command("EVAL", SCRIPT, 0, PREFIX + "*")
        seconds = time.perf_counter() - start
    if found != keys:
        s.fail(f"server {server.name} found {found} of {keys} keys")
    return seconds


def measure(options, cpu):
    seconds = {name: [] for name, _ in options.variant}
    with s.Servers() as group:
        running = []
        for name, folder in options.variant:
            s.progress(f"filling {name}: {options.keys} keys")
            server = group.start(name, os.path.join(folder, "tree"), cpu=cpu)
            with server.client() as client:
                client.command("EVAL", FILL, 0, options.keys, PREFIX)
            running.append(server)
        for number in range(options.rounds):
            for server in running:
                seconds[server.name].append(measure_once(server, options.keys))
                s.progress(f"round {number + 1} of {options.rounds}: {server.name} "
                           f"{seconds[server.name][-1]:.3f} s")
    return seconds


def main():
    options = parse_arguments()
    seconds = measure(options, s.two_cores()[0])
    variants = {
        name: {"seconds": statistics.median(values), "rounds": values,
               "times_sampling": statistics.median(
                   a / b for a, b in zip(seconds[BASELINE], values))}
        for name, values in seconds.items()}
    facts = {**s.machine(), "compiler": options.compiler}
    rows = [["", *variants],
            ["seconds", *(f"{v['seconds']:.3f}" for v in variants.values())],
            ["times faster than sampling", *(f"{v['times_sampling']:.1f}" for v in variants.values())]]
    text = "\n".join([
        f"# {options.server}: KEYS in a script, {options.keys} similar names of about 130 bytes",
        "",
        s.machine_line(facts),
        f"- medians of {options.rounds} rounds; Lua's state is new for every script",
        "",
        *results.align(rows),
        "",
        "Published: Redis issue 8077, on another machine and with its own names: "
        + ", ".join(f"{name} {value:.1f} s" for name, value in PUBLISHED.items()) + ".",
    ]) + "\n"
    results.publish(options.output, options.json, text, {
        "keys": options.keys, "rounds": options.rounds, "server": options.server,
        **facts, "variants": variants,
        "published": {"source": "Redis issue 8077", **PUBLISHED}})
    s.progress(f"written: {options.output}.md and .json")


if __name__ == "__main__":
    s.run(main)
