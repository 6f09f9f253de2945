"""The seed's benchmark: EVALSHA of RANDOMKEY and GET on servers that differ in
one hash.

run.sh calls this with one built tree for each variant. All servers run at once;
every round loads each of them in turn, starting with another one each time, so
that a slow phase of the machine meets all of them. A number is the median over
the rounds, a ratio the median of the rounds' own ratios.
"""
import argparse
import csv
import io
import os
import statistics
import subprocess
from random import Random

import results
import servers as s

SCRIPT = 'local value = redis.call("GET", redis.call("RANDOMKEY"))'

# One and the same string under every key, as in the seed's run; or 64 random
# bytes of the key's own, over and over.
VALUE = {
    "equal": lambda random, size: b"x" * size,
    "differing": lambda random, size: (random.randbytes(64) * (size // 64 + 1))[:size],
}
OTHER_SCRIPTS = 300
DATABASE = {"equal": 0, "differing": 1}

BASELINES = ["unmodified", "every-byte", "scalar", "xxh3", "no-hash"]

# glibc gives memory back to the system, and asks for it again, as its thresholds
# say; Lua's strings are in its heap where a server does not bring another one.
KEPT = str(256 << 20)
MEMORY = {
    "default": {},
    "kept": {"MALLOC_TRIM_THRESHOLD_": KEPT, "MALLOC_MMAP_THRESHOLD_": KEPT},
}
MEMORY_TEXT = {
    "default": "glibc's thresholds as they are",
    "kept": f"MALLOC_TRIM_THRESHOLD_ and MALLOC_MMAP_THRESHOLD_ at {KEPT}",
}
TIMES_DEFAULT = "default"

# Valkey pull request 1168, on its authors' machine: before, and with scalar
# MurmurHash3. Its p99 and maximum could not be looked up.
PUBLISHED_SIZE = 102400
PUBLISHED = {
    "published every-byte": {"rps": 6835.74, "avg_ms": 7.218, "min_ms": 3.144,
                             "p50_ms": 8.463, "p95_ms": 8.863},
    "published scalar": {"rps": 17061.94, "avg_ms": 2.838, "min_ms": 1.320,
                         "p50_ms": 3.167, "p95_ms": 3.527},
}


def parse_arguments():
    parser = argparse.ArgumentParser(prog="measure.py")
    parser.add_argument("--variant", nargs=2, action="append", required=True,
                        metavar=("NAME", "FOLDER"))
    for name in ("size", "keys", "requests", "clients", "rounds"):
        parser.add_argument(f"--{name}", type=int, required=True)
    parser.add_argument("--values", choices=["equal", "differing", "both"], required=True)
    parser.add_argument("--memory", choices=[*MEMORY, "both"], required=True)
    parser.add_argument("--socket", choices=["tcp", "unix"], required=True)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--server", required=True)
    parser.add_argument("--output", required=True, help="results go to OUTPUT.{md,json,png}")
    parser.add_argument("--json")
    return parser.parse_args()


# -------------------------------------------------------------------- measuring

def fill(server, values, options):
    """Values come from a client, as on a server in use, and not from a script,
    whose garbage would be in Lua's heap."""
    random = Random(1)
    with server.client() as client:
        client.command("SELECT", DATABASE[values])
        for i in range(options.keys):
            client.command("SET", f"large_key_{i}", VALUE[values](random, options.size))
        if client.command("DBSIZE") != options.keys:
            s.fail(f"server {server.name} did not keep all keys")


def prepare(server):
    """Runs some other scripts first. How often glibc gives memory back depends on
    what lies at the end of its heap: in a Lua that has just started, chance decides."""
    with server.client() as client:
        for i in range(OTHER_SCRIPTS):
            client.command("EVAL", f"return {i}", 0)
        return client.command("SCRIPT", "LOAD", SCRIPT).decode()


def load(program, server, values, requests, clients, script, cpu):
    """One run of the load generator: numbers by key in JSON."""
    with server.client() as client:
        client.command("CONFIG", "RESETSTAT")
    faults = server.page_faults()
    result = subprocess.run(
        [program, *server.benchmark_arguments(), "-n", str(requests), "-c", str(clients),
         "--dbnum", str(DATABASE[values]), "--csv", "evalsha", script, "0"],
        capture_output=True, text=True, timeout=900, preexec_fn=s.child_setup(cpu))
    if result.returncode != 0:
        s.fail(f"{program} failed: {result.stderr.strip()}")
    faults = server.page_faults() - faults
    rows = [row for row in csv.DictReader(io.StringIO(result.stdout)) if row.get("rps")]
    if len(rows) != 1:
        s.fail(f"{program} printed no result: {result.stdout.strip()}")
    numbers = {key: float(rows[0][column]) for key, column, _ in results.MEASURES}
    with server.client() as client:
        stats = client.info("commandstats")
    call = dict(part.split("=") for part in stats["cmdstat_evalsha"].split(","))
    gets = dict(part.split("=") for part in stats.get("cmdstat_get", "calls=0").split(","))
    if int(call.get("failed_calls", 0)) or int(gets["calls"]) < requests:
        s.fail(f"scripts failed on server {server.name}")
    numbers[results.SERVER_TIME] = float(call["usec_per_call"])
    numbers[results.FAULTS] = faults / requests
    return numbers


def measure(options, kinds, memories, cores):
    """samples[(values, memory)][variant] is a list with the numbers of each round."""
    samples = {(kind, memory): {name: [] for name, _ in options.variant}
               for kind in kinds for memory in memories}
    program = s.binary(os.path.join(options.variant[0][1], "tree"), "benchmark")
    with s.Servers() as group:
        running = []
        for name, folder in options.variant:
            for memory in memories:
                server = group.start(name, os.path.join(folder, "tree"), cpu=cores[0],
                                     unix_socket=options.socket == "unix",
                                     environment=MEMORY[memory])
                s.progress(f"filling {name}, memory {memory}: {options.keys} values of each kind")
                for kind in kinds:
                    fill(server, kind, options)
                running.append((server, memory, prepare(server)))
        for number in range(-1, options.rounds):
            # Round -1 warms up and is not counted.
            requests = max(options.clients, options.requests // (10 if number < 0 else 1))
            turn = number % len(running)
            for kind in kinds:
                for server, memory, script in running[turn:] + running[:turn]:
                    numbers = load(program, server, kind, requests, options.clients, script,
                                   cores[1])
                    if number >= 0:
                        samples[kind, memory][server.name].append(numbers)
                        s.progress(f"round {number + 1} of {options.rounds}, {kind}, memory "
                                   f"{memory}: {server.name} {numbers['rps']:.0f} requests a second")
    return samples


def summarize(samples):
    """summaries[(values, memory)][variant], each variant also compared with itself
    under glibc's own thresholds."""
    summaries = {}
    for (kind, memory), columns in samples.items():
        summary = results.summarize(columns, [b for b in BASELINES if b in columns])
        if memory != "default" and (kind, "default") in samples:
            for name, entry in summary.items():
                entry[results.times_key(TIMES_DEFAULT)] = statistics.median(
                    a["rps"] / b["rps"]
                    for a, b in zip(columns[name], samples[kind, "default"][name]))
        summaries[kind, memory] = summary
    return summaries


# -------------------------------------------------------------------- reporting

def report(facts, summaries):
    lines = [
        f"# {facts['server']}: {facts['keys']} values of {results.size_text(facts['size'])}, "
        "read by a script",
        "",
        s.machine_line(facts),
        f"- best kernel {facts['kernel']}; the server's own hash: {facts['own_hash']}",
        f"- {facts['clients']} clients over {facts['socket']}, {facts['requests']} requests "
        f"a round, {facts['rounds']} rounds; {facts['cores']}; values set by a client, "
        f"{OTHER_SCRIPTS} other scripts run before",
        "- medians over the rounds; spread: distance of the quartiles over the median; "
        "times: requests a second over those of the other, in the same round and with the same "
        f"thresholds; times {TIMES_DEFAULT}: over those of the same server with glibc's own",
    ]
    for (values, memory), summary in summaries.items():
        published = (PUBLISHED if (values, memory) == ("equal", "default")
                     and facts["size"] == PUBLISHED_SIZE else {})
        lines += ["", f"## {values} values, {MEMORY_TEXT[memory]}", "",
                  *results.table(summary, BASELINES + [TIMES_DEFAULT], published)]
        if published:
            lines += ["", "Published: Valkey pull request 1168, on another machine; its p99 and "
                      "maximum could not be looked up."]
    return "\n".join(lines) + "\n"


def draw(path, facts, summaries):
    """One PNG: requests a second, and latency at p50 and p99."""
    names = list(next(iter(summaries.values())))
    lines = []
    for name in names:
        fields = [f'"{name}"']
        for summary in summaries.values():
            entry = summary[name]
            fields += [entry["rps"], entry["rps_quartile_low"], entry["rps_quartile_high"],
                       entry["p50_ms"], entry["p99_ms"]]
        lines.append(" ".join(str(field) for field in fields))
    title = f"{facts['server']}: {facts['keys']} values of {results.size_text(facts['size'])}"
    kinds = " ".join(f"'{values}, {memory}'" for values, memory in summaries)
    definitions = [
        f'output_file = "{path}"', f'chart_title = "{title}"', f'kinds = "{kinds}"',
        "$data << END", *lines, "END",
    ]
    chart = os.path.join(os.path.dirname(os.path.abspath(__file__)), "chart.gp")
    with open(chart, encoding="utf-8") as file:
        program = "\n".join(definitions) + "\n" + file.read()
    result = subprocess.run(["gnuplot"], input=program, capture_output=True, text=True)
    if result.returncode != 0:
        s.fail(f"gnuplot failed: {result.stderr.strip()}")


def document(facts, summaries):
    """One JSON object: the first condition's variants, and all of them by condition."""
    (values, memory), variants = next(iter(summaries.items()))
    return {
        **facts, "values": values, "memory": memory, "variants": variants,
        "conditions": [{"values": values, "memory": memory, "environment": MEMORY[memory],
                        "variants": summary}
                       for (values, memory), summary in summaries.items()],
        "published": {"source": "Valkey pull request 1168", "size": PUBLISHED_SIZE, **PUBLISHED},
    }


def probe(folder, *arguments):
    return subprocess.run([os.path.join(folder, "hash_probe"), *arguments], check=True,
                          capture_output=True, text=True).stdout.strip()


def main():
    options = parse_arguments()
    folders = dict(options.variant)
    kinds = ["equal", "differing"] if options.values == "both" else [options.values]
    memories = list(MEMORY) if options.memory == "both" else [options.memory]
    s.need_memory(
        options.size * options.keys * len(kinds) * len(folders) * len(memories) * 5 // 4,
        "these servers")
    cores = s.two_cores()
    facts = {
        "size": options.size, "keys": options.keys, "requests": options.requests,
        "clients": options.clients, "rounds": options.rounds, "socket": options.socket,
        "server": options.server, "own_hash": probe(folders["unmodified"]),
        **s.machine(), "compiler": options.compiler,
        "kernel": probe(folders["murmuration"], "--kernel"),
        "cores": ("servers on one core, the load generator on another"
                  if cores[0] is not None else "nothing pinned: one core only"),
    }
    summaries = summarize(measure(options, kinds, memories, cores))
    text = report(facts, summaries)
    draw(options.output + ".png", facts, summaries)
    results.publish(options.output, options.json, text, document(facts, summaries))
    s.progress(f"written: {options.output}.md, .json and .png")


if __name__ == "__main__":
    s.run(main)
