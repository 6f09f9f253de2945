"""Three-node clusters on loopback: EVALSHA with a key argument, before and after.

run.sh calls this. Two clusters run at once, one of unmodified servers and one
with Murmuration; their nodes share one core, the load another. The keys lie in
as many slots as their names give them, and every connection asks its node for
random keys of that node. The load generator is here because redis-benchmark
sends a client's requests to one slot of each node only.
"""
import argparse
import binascii
import os
import random
import select
import socket
import statistics
import subprocess
import time

import results
import servers as s

SCRIPT = 'local value = redis.call("GET", KEYS[1])'
NODES = 3
BASELINES = ["unmodified"]


def parse_arguments():
    parser = argparse.ArgumentParser(prog="cluster.py")
    parser.add_argument("--variant", nargs=2, action="append", required=True,
                        metavar=("NAME", "FOLDER"))
    for name in ("size", "keys", "requests", "clients", "rounds"):
        parser.add_argument(f"--{name}", type=int, required=True)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--server", required=True)
    parser.add_argument("--output", required=True, help="results go to OUTPUT.{md,json}")
    parser.add_argument("--json")
    return parser.parse_args()


def slot_of(key):
    """CRC-16/XMODEM modulo 16384; our keys have no braces."""
    return binascii.crc_hqx(key, 0) % 16384


class Node:
    """One server of a cluster, its keys, and the requests for them."""

    def __init__(self, server, slots):
        self.server = server
        self.slots = slots
        self.keys = []
        self.requests = []


def create_cluster(group, name, tree, cpu):
    """A cluster of NODES servers, all of whose slots are served."""
    running = [group.start(f"{name}-{i}", tree, "--cluster-enabled", "yes",
                           "--cluster-config-file", "nodes.conf", cpu=cpu)
               for i in range(NODES)]
    addresses = [f"{host}:{port}" for host, port in (server.address for server in running)]
    result = subprocess.run(
        [s.binary(tree, "cli"), "--cluster", "create", *addresses, "--cluster-replicas", "0",
         "--cluster-yes"], capture_output=True, text=True, timeout=120)
    if result.returncode != 0:
        s.fail(f"the cluster {name} was not created: {(result.stdout + result.stderr).strip()}")
    deadline = time.monotonic() + 60
    while not all(state_of(server) == "ok" for server in running):
        if time.monotonic() > deadline:
            s.fail(f"the cluster {name} does not serve all slots")
        time.sleep(0.1)
    ranges = {server.address[1]: set() for server in running}
    with running[0].client() as client:
        for first, last, owner, *_ in client.command("CLUSTER", "SLOTS"):
            ranges[owner[1]].update(range(first, last + 1))
    return [Node(server, ranges[server.address[1]]) for server in running]


def state_of(server):
    with server.client() as client:
        lines = client.command("CLUSTER", "INFO").decode().splitlines()
    return dict(line.split(":", 1) for line in lines if ":" in line)["cluster_state"]


def fill(nodes, keys, size):
    """The same keys and values in every cluster; values differ."""
    source = random.Random(1)
    clients = [node.server.client() for node in nodes]
    scripts = [client.command("SCRIPT", "LOAD", SCRIPT) for client in clients]
    for i in range(keys):
        key = b"large_key_%d" % i
        value = (source.randbytes(64) * (size // 64 + 1))[:size]
        number = next(n for n, node in enumerate(nodes) if slot_of(key) in node.slots)
        clients[number].command("SET", key, value)
        nodes[number].keys.append(key)
        nodes[number].requests.append(s.encode("EVALSHA", scripts[number], 1, key))
    for client, node in zip(clients, nodes):
        if not node.keys:
            s.fail("a node got no key: take more keys")
        if client.command("DBSIZE") != len(node.keys):
            s.fail(f"server {node.server.name} did not keep its keys")
        client.close()


def generate_load(nodes, requests, clients):
    """Keeps `clients` connections busy, one request at a time on each, until
    `requests` are answered. Returns (seconds, latencies in seconds, share of
    the time for which this program itself was busy)."""
    poll = select.epoll()
    connections = {}
    for i in range(clients):
        node = nodes[i % len(nodes)]
        connection = socket.create_connection(node.server.address)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connections[connection.fileno()] = [connection, node.requests, 0.0]
        poll.register(connection, select.EPOLLIN)
    latencies = []
    left = requests
    busy = time.process_time()
    start = time.perf_counter()
    try:
        for entry in connections.values():
            entry[2] = time.perf_counter()
            entry[0].sendall(random.choice(entry[1]))
            left -= 1
        while len(latencies) < requests:
            for number, _ in poll.poll(60):
                entry = connections[number]
                answer = entry[0].recv(4096)
                now = time.perf_counter()
                if answer != b"$-1\r\n":
                    s.fail(f"a script answered {answer!r}")
                latencies.append(now - entry[2])
                if left > 0:
                    left -= 1
                    entry[2] = now
                    entry[0].sendall(random.choice(entry[1]))
        seconds = time.perf_counter() - start
    finally:
        poll.close()
        for entry in connections.values():
            entry[0].close()
    return seconds, latencies, (time.process_time() - busy) / seconds


def measure_once(nodes, options, requests):
    for node in nodes:
        with node.server.client() as client:
            client.command("CONFIG", "RESETSTAT")
    seconds, latencies, busy = generate_load(nodes, requests, options.clients)
    calls = 0
    for node in nodes:
        with node.server.client() as client:
            stats = dict(part.split("=") for part in
                         client.info("commandstats")["cmdstat_evalsha"].split(","))
        calls += int(stats["calls"])
    if calls != requests:
        s.fail(f"the nodes ran {calls} scripts for {requests} requests")
    cuts = statistics.quantiles(latencies, n=100)
    return {
        "rps": requests / seconds, "avg_ms": 1000 * statistics.fmean(latencies),
        "min_ms": 1000 * min(latencies), "p50_ms": 1000 * cuts[49], "p95_ms": 1000 * cuts[94],
        "p99_ms": 1000 * cuts[98], "max_ms": 1000 * max(latencies),
        "load_busy": busy,
    }


def measure(options, cores):
    samples = {name: [] for name, _ in options.variant}
    with s.Servers() as group:
        clusters = {}
        for name, folder in options.variant:
            s.progress(f"creating the cluster {name} and filling it: {options.keys} values")
            clusters[name] = create_cluster(group, name, os.path.join(folder, "tree"), cores[0])
            fill(clusters[name], options.keys, options.size)
        if cores[1] is not None:
            os.sched_setaffinity(0, {cores[1]})
        slots = len({slot_of(key) for node in clusters[name] for key in node.keys})
        for number in range(-1, options.rounds):
            # Round -1 warms up and is not counted.
            requests = max(options.clients, options.requests // (10 if number < 0 else 1))
            order = list(clusters)[::1 if number % 2 == 0 else -1]
            for name in order:
                numbers = measure_once(clusters[name], options, requests)
                if number >= 0:
                    samples[name].append(numbers)
                    s.progress(f"round {number + 1} of {options.rounds}: {name} "
                               f"{numbers['rps']:.0f} requests a second")
        nodes = [len(node.keys) for node in clusters[name]]
    return samples, slots, nodes


def main():
    options = parse_arguments()
    s.need_memory(options.size * options.keys * len(options.variant) * 5 // 4, "these clusters")
    cores = s.two_cores()
    samples, slots, nodes = measure(options, cores)
    summary = results.summarize(samples, BASELINES)
    busy = max(statistics.median(n["load_busy"] for n in rounds) for rounds in samples.values())
    facts = {
        "size": options.size, "keys": options.keys, "slots_with_keys": slots,
        "keys_of_nodes": nodes, "requests": options.requests, "clients": options.clients,
        "rounds": options.rounds, "server": options.server, **s.machine(),
        "compiler": options.compiler,
        "load_generator_busy": busy,
    }
    place = "all nodes on one core" if cores[0] is not None else "nothing pinned: one core only"
    text = "\n".join([
        f"# {options.server}: a cluster of {NODES} nodes, {options.keys} differing values of "
        f"{results.size_text(options.size)}",
        "",
        s.machine_line(facts),
        f"- keys in {slots} slots, {', '.join(map(str, nodes))} on the nodes; {options.clients} "
        f"clients, {options.requests} requests a round, {options.rounds} rounds",
        f"- {place}; the load generator was busy for {100 * busy:.0f}% of the time at most",
        "",
        *results.table(summary, BASELINES, {}),
    ]) + "\n"
    if busy > 0.95:
        s.progress("cluster.py: the load generator itself is the limit: the ratio is too low")
    results.publish(options.output, options.json, text,
                    {"size": options.size, "variants": summary, **facts})
    s.progress(f"written: {options.output}.md and .json")


if __name__ == "__main__":
    s.run(main)
